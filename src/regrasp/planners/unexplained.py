"""Nouns of an instruction that nothing explains: a reason to ask before a goal is acted on.

There are two kinds. "Bring the banana" names a thing that is not there. "Put the cube on the tray
next to the bowl" names a bowl, and a goal without it has ignored a place. Only words that are known
to name things count (`prompts.known_nouns`), so that a new verb or adverb is no doubt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import ANYTHING, EXTREMES, GoalDescription, Selection, Term
from regrasp.core.kinds_of_things import CATEGORIES, COLOURS
from regrasp.core.object_description import Affordance, ObjectDescription, is_of_kind
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.known_nouns import KNOWN_NOUNS, LONGEST, NounPhrase, noun_phrases, singular
from regrasp.prompts.noun_table import noun_table
from regrasp.prompts.operator_words import instruction_language, operators, tokens_of

__all__ = ["SceneWords", "UnexplainedNouns", "unexplained_nouns"]

_PARTS_THAT_OPEN = frozenset({"door", "lid", "drawer", "handle", "knob", "lock", "latch", "hinge"})
_MEANS = frozenset({"in", "with", "by", "using"})
_GOES_ON = frozenset({",", ";", ".", "and", "but", "or", "touching", "moving", "opening"})
_NEAR = 5
"""A thing that is not meant is named within so many words."""
_MOST_SET_ASIDE = 12
"""So many are looked for, since each of them reads all text before it."""
_NEVER_A_PLACE = frozenset(
    {"water"}
)  # what is washed, filled or watered needs no water in its goal


@dataclass(frozen=True, slots=True)
class UnexplainedNouns:
    """Nouns of an instruction, singular and in English.

    `not_in_scene` are those that no object explains; `not_in_goal` are those of objects that the
    goal does not use.
    """

    not_in_scene: tuple[str, ...] = ()
    not_in_goal: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.not_in_scene or self.not_in_goal)


def unexplained_nouns(prompt: GoalPrompt, goal: GoalDescription | None = None) -> UnexplainedNouns:
    """The nouns of `prompt.instruction` that nothing explains.

    Names, kinds, parts and what an object allows explain a noun, and so do the sentences of the
    forms: "turn on the power" is explained by "X has power". Without a goal, `not_in_goal` is
    empty.
    """
    scene = SceneWords(prompt)
    phrases = scene.phrases(prompt.instruction)
    missing = tuple(phrase.head for phrase in phrases if not scene.explains(phrase))
    ignored = tuple(scene.ignored(phrases, goal)) if goal is not None else ()
    return UnexplainedNouns(tuple(dict.fromkeys(missing)), tuple(dict.fromkeys(ignored)))


@dataclass(frozen=True)
class SceneWords:
    """What the objects and the forms of a prompt explain."""

    prompt: GoalPrompt

    @cached_property
    def words(self) -> dict[str, frozenset[str]]:
        """The words of every object by its name."""
        return {one.name: frozenset(_object_words(one)) for one in self.prompt.scene.objects}

    @cached_property
    def form_words(self) -> frozenset[str]:
        """The words of the forms."""
        return frozenset(w for f in self.prompt.forms for w in _words((f.predicate, f.sentence)))

    @cached_property
    def has_unknown_kind(self) -> bool:
        """Whether some object is of a kind that the table of nouns does not have."""
        return any(words.isdisjoint(KNOWN_NOUNS) for words in self.words.values())

    @cached_property
    def own_nouns(self) -> frozenset[str]:
        """What the objects are called here and no table knows: the `fixture`, a `hulnix`."""
        adjectives = noun_table().sections["adjectives"] | frozenset(COLOURS)
        things = self.prompt.scene.objects
        last = (name.rpartition("_")[2] for one in things for name in _names(one))
        nouns = frozenset(word.lower() for word in last if word.isalpha() and len(word) > 2)
        return nouns - adjectives - frozenset(EXTREMES) - KNOWN_NOUNS.keys()

    def phrases(self, text: str) -> tuple[NounPhrase, ...]:
        """The phrases of a text that name things, in words of a table or of this scene."""
        return noun_phrases(text, self.own_nouns)

    def explains(self, phrase: NounPhrase) -> bool:
        """Whether an object or a form explains one noun of the phrase."""
        if self.objects(phrase) or not self.form_words.isdisjoint(phrase.nouns):
            return True
        groups = noun_table().groups
        return self.has_unknown_kind and any(noun in groups for noun in phrase.nouns)

    def objects(self, phrase: NounPhrase) -> frozenset[str]:
        """The objects that a phrase may mean: those with its very words, else with similar ones."""
        if exact := self._having(frozenset((*phrase.nouns, *phrase.words))):
            return exact
        similar = frozenset().union(*(KNOWN_NOUNS.get(noun, frozenset()) for noun in phrase.nouns))
        return self._having(similar) or frozenset(
            name
            for name, words in self.words.items()
            if any(_same_ending(word, noun) for word in words for noun in phrase.nouns)
        )

    def _having(self, wanted: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name, words in self.words.items() if words & wanted)

    # ---- places that a goal ignores --------------------------------------------------------------

    def ignored(self, phrases: Sequence[NounPhrase], goal: GoalDescription) -> Iterator[str]:
        """Nouns of objects that the goal does not use, unless they only describe another one.

        A goal without places has none to ignore: "boil water in the microwave" says how.
        """
        if not any(len(clause.args) > 1 for clause in goal.clauses) and len(goal.clauses) == 1:
            phrases = [phrase for phrase in phrases if phrase.preposition not in _MEANS]
        used = self.used_objects(goal)
        aside = self._set_aside(phrases, used) if phrases else frozenset()
        sentences = {form.predicate: form.sentence for form in self.prompt.forms}
        said = frozenset(_words(sentences.get(clause.predicate, "") for clause in goal.clauses))
        for place, phrase in enumerate(phrases):
            meant = self.narrowed(phrase)
            if (
                meant
                and not meant & used
                and place not in aside
                and said.isdisjoint(phrase.nouns)
                and not _NEVER_A_PLACE & set(phrase.nouns)
                and not self._only_describes(phrases, place, used)
            ):
                yield phrase.head

    def used_objects(self, goal: GoalDescription) -> frozenset[str]:
        """The objects that the terms of a goal may mean."""
        terms = [term for clause in goal.clauses for term in clause.args]
        return frozenset(name for term in terms for name in self._of_term(term))

    def _of_term(self, term: Term) -> Iterator[str]:
        kinds = {one.name: one.kind for one in self.prompt.scene.objects}
        if isinstance(term, Selection):
            yield from (one.of for one in term.filters if one.of)
            wanted = CATEGORIES.get(term.kind, frozenset()) | {term.kind}
            counted = Counter(kinds.values())
            for name, kind in kinds.items():
                # `each thing` is right for "the toys" only if there are several of the kind
                fits = any(is_of_kind(name, kind, word) for word in wanted)
                if fits or (term.kind == ANYTHING and counted[kind] > 1):
                    yield name
        elif is_variable(term):
            wanted_kind = variable_kind(term)
            yield from (n for n, kind in kinds.items() if is_of_kind(n, kind, wanted_kind))
        else:
            owner = self.prompt.scene.owner(term)
            yield owner.name if owner else term

    def _only_describes(
        self, phrases: Sequence[NounPhrase], place: int, used: frozenset[str]
    ) -> bool:
        """Whether a phrase says where a thing is now, and the goal has the thing by name.

        "Take the cup from the shelf", "open the box on the table", "put the cup on the table into
        the sink", "put it on the table in the kitchen".
        """
        phrase = phrases[place]
        other = place + 1 if phrase.describes_next else place - 1
        if not phrase.preposition or not 0 <= other < len(phrases):
            return False
        described = phrases[other]
        meant = self.narrowed(described)
        if not (meant & used) or len(meant) > 1:
            return False
        if phrase.source or (phrase.describes and phrase.taken):
            return True
        if phrase.describes_next:
            return not described.preposition
        if phrase.describes and set(phrase.nouns) & noun_table().sections["rooms"]:
            return bool(described.preposition)
        later = (p for p in phrases[place + 1 :] if p.clause == phrase.clause and p.preposition)
        return phrase.describes and any(self.objects(one) & used for one in later)

    def _set_aside(self, phrases: Sequence[NounPhrase], used: frozenset[str]) -> frozenset[int]:
        """Which phrases say what is not meant: "not the red cup", "the cup, no, the bowl".

        A correction takes back the last phrase before it that the goal does not use.
        """
        instruction = self.prompt.instruction[:LONGEST]
        language = instruction_language(instruction)
        tokens = tokens_of(instruction, language)
        joint = "" if language == "zh" else " "
        found = set()
        roles = ("corrects", "contrast")
        ours = [one for one in operators(instruction, language) if one.role in roles]
        for one in ours[:_MOST_SET_ASIDE]:
            before = len(self.phrases(joint.join(tokens[: one.start])))
            if one.role == "corrects":
                earlier = range(min(before, len(phrases)) - 1, -1, -1)
                unused = (place for place in earlier if not self.narrowed(phrases[place]) & used)
                found.add(next(unused, before - 1))
            else:
                near = tokens[one.stop : one.stop + _NEAR]
                nouns = (i for i, word in enumerate(near) if self._is_noun(singular(word)))
                after = next(nouns, None)
                if after is not None and not set(near[:after]) & _GOES_ON:
                    found.add(before)
        return frozenset(found)

    def _is_noun(self, word: str) -> bool:
        return word in KNOWN_NOUNS or word in self.own_nouns

    def narrowed(self, phrase: NounPhrase) -> frozenset[str]:
        """The objects of a phrase that have its adjectives, then those named in full, if some are.

        "The paper box" is no other box, although "paper" is no adjective.
        """
        fitting = self.objects(phrase)
        for word in (*phrase.adjectives, *phrase.words):
            having = frozenset(name for name in fitting if word in self.words[name])
            fitting = having or fitting
        if len(fitting) > 1:
            text = self.prompt.instruction.lower()
            spelt = frozenset(name for name in fitting if name.replace("_", " ") in text)
            fitting = spelt or fitting
        return fitting


def _object_words(thing: ObjectDescription) -> Iterator[str]:
    """Names and kinds of an object and its parts, whole and word by word."""
    yield from _names(thing)
    yield from _words(_names(thing))
    if thing.allows(Affordance.OPEN):
        yield from _PARTS_THAT_OPEN


def _names(thing: ObjectDescription) -> tuple[str, ...]:
    return (*thing.names, thing.kind)


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for word in re.findall(r"[^\W\d_]+", text.lower()):
            yield word
            yield singular(word)


def _same_ending(word: str, noun: str) -> bool:
    """Whether one is a kind of the other by its last part: bookshelf and shelf."""
    last = noun.rpartition("_")[2]
    return (len(last) > 2 and word.endswith(last)) or (len(word) > 3 and last.endswith(word))
