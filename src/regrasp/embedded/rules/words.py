"""From a phrase to the names of the scene: `the cupboard` → `oak_cupboard`.

A phrase means an object if it is its name, or if its last word is the object's kind (or a synonym)
and every other word fits. A phrase that fits two objects means neither: the rules never guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.prompts.names import Mention, Names
from regrasp.prompts.scene import SceneDescription

__all__ = ["COLOURS", "SceneLexicon", "phrases", "singulars", "word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a table that is written as text."""
    return frozenset(text.split())


COLOURS = word_set(
    "red green blue yellow orange purple violet pink brown black white grey gray cyan magenta "
    "silver golden gold beige turquoise teal"
)
"""Words that distinguish two similar objects; they never fit an object of another colour."""

_SYNONYMS = (
    frozenset({"cube", "block", "brick"}),
    frozenset({"cabinet", "cupboard", "closet", "locker", "wardrobe"}),
    frozenset({"crate", "box", "bin"}),
    frozenset({"kettle", "teapot"}),
    frozenset({"microwave", "oven"}),
    frozenset({"lever", "switch"}),
    frozenset({"bar", "rod", "stick", "pole", "beam", "stave"}),
    frozenset({"mug", "cup"}),
    frozenset({"sensor", "scale", "scales"}),
    frozenset({"table", "desk", "counter"}),
    frozenset({"fridge", "refrigerator"}),
    frozenset({"broom", "brush", "mop"}),
    frozenset({"bag", "sack"}),
    frozenset({"couch", "sofa"}),
)
_PARTS = word_set("door doors handle handles lid inside interior front top surface lock back side")
_STOP = word_set(
    "a an the this that these those of in on into onto inside within to from off out at by with "
    "for and or but so as it its is are was were be been being there here then which who whose "
    "what where when while because since if not no do does did has have had can could cannot "
    "will would should must may might shall up down away under over above below behind between "
    "across through against near next beside front way upon atop top please i you we they he "
    "she me my your our their him her also just still now currently already very too first "
    "before after until once blocking blocks blocked preventing prevents prevented closed shut "
    "open opened locked holding obstructing obstructs holds keeping keeps sitting standing "
    "resting lying placed located"
)
_WORD = re.compile(r"[A-Za-z0-9_]+(?:[-'’][A-Za-z0-9_]+)*")


def phrases(sentence: str) -> tuple[tuple[str, int, int], ...]:
    """Runs of words between stop words, with their positions."""
    found: list[tuple[str, int, int]] = []
    run: list[re.Match[str]] = []
    words = list(_WORD.finditer(sentence))
    for i, word in enumerate(words):
        gap = sentence[words[i - 1].end() : word.start()] if i else ""
        if run and (gap.strip() or word[0].lower() in _STOP):
            found.append(_joined(sentence, run))
            run = []
        if word[0].lower() not in _STOP:
            run.append(word)
    if run:
        found.append(_joined(sentence, run))
    return tuple(found)


def _joined(sentence: str, run: list[re.Match[str]]) -> tuple[str, int, int]:
    start, end = run[0].start(), run[-1].end()
    return sentence[start:end], start, end


def _subphrases(phrase: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The runs of words in a phrase that begins at `start`, with positions, the longest first."""
    words = list(_WORD.finditer(phrase))
    for size in range(len(words), 0, -1):
        for first, last in zip(words, words[size - 1 :], strict=False):
            run = phrase[first.start() : last.end()]
            yield run, start + first.start(), start + last.end()


def _tokens(phrase: str) -> list[str]:
    bare = re.sub(r"['’]s\b", "", phrase.lower())
    return [word for word in re.split(r"[^a-z0-9]+", bare) if word and word not in _STOP]


def singulars(word: str) -> frozenset[str]:
    """A word and what may be its singular: `knives` → `knive`, `knife`."""
    found = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
        found |= {word[:-2]} if word.endswith("es") else set()
        found |= {word[:-3] + "y"} if word.endswith("ies") else set()
        found |= {word[:-3] + "f", word[:-3] + "fe"} if word.endswith("ves") else set()
    return frozenset(found)


def _forms(word: str) -> frozenset[str]:
    """A word, its singular, and its synonyms."""
    base = singulars(word)
    return frozenset(base.union(*(group for group in _SYNONYMS if group & base)))


@dataclass(frozen=True, slots=True)
class SceneLexicon:
    """The lexicon of one scene."""

    scene: SceneDescription

    @property
    def names(self) -> Names:
        """All names of the scene."""
        return self.scene.names

    def meaning(self, phrase: str) -> tuple[str, ...]:
        """The names that `phrase` may mean, best reading only: several are ambiguous."""
        exact = self.names.find(phrase)
        if exact is not None:
            return (exact,)
        tokens = _tokens(phrase)
        if not tokens:
            return ()
        parts = self._parts(tokens) if len(tokens) > 1 else ()
        objects = self._objects(tokens)
        if objects and not (len(parts) == 1 and len(objects) > 1):
            return objects
        if len(parts) == 1:
            return parts
        bare = [word for word in tokens if word not in _PARTS]
        return self._objects(bare) if bare and len(bare) < len(tokens) else ()

    def find(self, phrase: str) -> str | None:
        """The one name that `phrase` means, or None."""
        found = self.meaning(phrase)
        return found[0] if len(found) == 1 else None

    def _objects(self, tokens: list[str]) -> tuple[str, ...]:
        head, others = _forms(tokens[-1]), tokens[:-1]
        fitting = [o for o in self.scene.objects if head & _own_words(o)]
        strict = [o for o in fitting if all(_forms(w) & _own_words(o) for w in others)]
        if strict:
            best = [o for o in strict if head & {o.kind.lower()}] or strict
            return tuple(o.name for o in best)
        telling = {w for o in self.scene.objects for w in o.name.lower().split("_")}
        if any(word in telling for word in others):
            return ()
        coloured = bool(COLOURS & set(others))
        return tuple(o.name for o in fitting if not (coloured and COLOURS & _own_words(o)))

    def _parts(self, tokens: list[str]) -> tuple[str, ...]:
        return tuple(
            name
            for thing in self.scene.objects
            for name in thing.names
            if name != thing.name and set(tokens) <= set(name.lower().split("_"))
        )

    def refs(self, sentence: str) -> tuple[Mention, ...]:
        """Every name that a sentence mentions, in order: spelt out, or by a clear phrase."""
        found = list(self.names.mentions(sentence))
        for phrase, start, end in phrases(sentence):
            if any(ref.start < end and start < ref.end for ref in found):
                continue
            for run, first, last in _subphrases(phrase, start):
                name = self.find(run)
                if name is not None:
                    found.append(Mention(name, first, last))
                    break
        return tuple(sorted(found, key=lambda ref: ref.start))

    def place(self, name: str) -> str:
        """The target of a hand for `name`: the handle of a joint, else the object itself."""
        thing = self.scene.owner(name)
        if thing is None or self.scene.places.find(name) is not None:
            return name
        return next((j.handle for j in thing.joints if j.name == name), thing.name)

    def owner(self, name: str) -> str:
        """The object that a name is, or is a part of."""
        thing = self.scene.owner(name)
        return thing.name if thing else name

    def can(self, name: str, *uses: Affordance) -> bool:
        """Whether the object that a name is, or is a part of, allows one of `uses`."""
        thing = self.scene.owner(name)
        return thing is not None and thing.allows(*uses)


def _own_words(thing: ObjectDescription) -> frozenset[str]:
    return frozenset((*thing.name.lower().split("_"), thing.kind.lower()))
