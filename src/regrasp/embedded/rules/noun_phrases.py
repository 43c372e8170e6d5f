"""Noun phrases: "the cubes that are not red" becomes `each cube not red`.

Every noun phrase of a text is replaced by a mark `#0`, `#1`, … (`@2` for a pronoun), so that the
rest of a sentence is short enough for a pattern.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace

from regrasp.core.goal import VARIABLE_MARK, is_variable
from regrasp.core.goal_description import ANYTHING, Filter, Quantifier, Selection, Term
from regrasp.core.kinds_of_things import CATEGORIES
from regrasp.embedded.rules.words import COLOURS, SceneLexicon, phrases, singulars

__all__ = ["MarkedPhrase", "mark_noun_phrases"]


@dataclass(frozen=True, slots=True)
class MarkedPhrase:
    """The terms of a noun phrase, or a `pronoun`, or the words for what is `missing`.

    A phrase with none of these can mean several things.
    """

    terms: tuple[Term, ...] = ()
    pronoun: str = ""
    missing: str = ""


_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "a couple": 2}
_NUMBER = rf"(?:{'|'.join(_NUMBERS)}|[2-9])"
_THE = "(?:the|this|that|these|those|my|your|its)"
_DETERMINER = re.compile(
    rf"(?P<each>(?:all|every|each|both)(?: of)?(?: {_THE})?(?: {_NUMBER})?|{_THE} {_NUMBER}) "
    rf"|(?P<number>{_NUMBER})(?: of)?(?: {_THE})? "
    rf"|(?P<some>one of {_THE}|an?|any|some|one|another) |(?P<the>{_THE}) |(?P<bare>)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:it|them|they)(?![\w-])", re.IGNORECASE)
_THINGS = frozenset(("thing", "object", "item"))
_OTHERS = {"other": "", "remaining": "", "others": "ones", "rest": "ones"}
_MASS_NOUNS = {
    **{word: word for word in ("fruit", "food", "cutlery", "clothing", "furniture")},
    **{"silverware": "cutlery", "crockery": "dish", "laundry": "clothing", "groceries": "food"},
}
"""Words without a plural for several objects, and the group of kinds that they stand for."""

_FIREWOOD = frozenset(("stick", "log", "branch"))
_EXTREMES = {
    "leftmost": "leftmost", "left": "leftmost", "rightmost": "rightmost", "right": "rightmost",
    "nearest": "nearest", "closest": "nearest", "farthest": "farthest", "furthest": "farthest",
    "largest": "largest", "biggest": "largest", "smallest": "smallest", "middle": "middle",
}  # fmt: skip
_WHICH = r",? (?P<which>(?:that|which) (?:is|are) )?(?P<no>not )?"
_SEEN = "|".join((*sorted(COLOURS), "leftmost", "rightmost", "middle"))
_ATTRIBUTE = re.compile(rf"{_WHICH}(?:in )?(?P<word>{_SEEN})(?![\w-])")
_COMPARED = re.compile(
    rf"{_WHICH}(?P<word>on top of|on|inside|in|like|except) |(?P<more>,? and |, )"
)
_RELATIONS = {"on top of": "on", "inside": "in"}
_TOKEN = re.compile(r"~?[\w'-]+|\W")
_LISTED = re.compile(r"#\d+(?:,|,? and) $")


def mark_noun_phrases(
    text: str, words: SceneLexicon, verbs: frozenset[str]
) -> tuple[str, tuple[MarkedPhrase, ...]]:
    """`text` with a mark for every noun phrase, and the phrases.

    A name without an article counts, unless its first word is one of `verbs`.
    """
    reader = _PhraseReader(words, text, verbs)
    found: list[MarkedPhrase] = []
    marked, place = "", 0
    while place < len(text):
        read = reader.phrase_at(place, listed=_LISTED.search(marked) is not None)
        if read is None:
            token = _TOKEN.match(text, place)
            assert token is not None  # it matches any character
            marked, place = marked + token[0], token.end()
        else:
            marked += f"{'@' if read[0].pronoun else '#'}{len(found)}"
            found.append(read[0])
            place = read[1]
    return marked, tuple(found)


@dataclass(frozen=True, slots=True)
class _Noun:
    """The objects that a noun fits; `kind` is "" if they are of several kinds."""

    kind: str
    names: tuple[str, ...]
    filters: tuple[Filter, ...] = ()


@dataclass(slots=True)
class _PhraseReader:
    words: SceneLexicon
    text: str
    verbs: frozenset[str]
    mentioned: list[_Noun] = field(default_factory=list)
    """The nouns of all phrases so far; "one" and "other" refer to them."""

    def phrase_at(self, place: int, *, listed: bool = False) -> tuple[MarkedPhrase, int] | None:
        """The noun phrase that begins at `place` and where it ends; None if there is none."""
        determiner = _DETERMINER.match(self.text, place)
        assert determiner is not None  # there may be none
        start = determiner.end()
        run = next((words for words, at, _ in phrases(self.text[start:]) if at == 0), "")
        bare = start == place
        for end in [match.end() for match in re.finditer(r"\S+", run)][::-1]:
            if bare and not self._is_name(run[:end], listed):
                continue
            if read := self._phrase(run[:end].lower().split(), determiner, start + end):
                return read
        if run and not bare:
            return MarkedPhrase(missing=run), start + len(run)
        pronoun = _PRONOUN.match(self.text, place)
        return (MarkedPhrase(pronoun=pronoun[0].lower()), pronoun.end()) if pronoun else None

    def _is_name(self, noun: str, listed: bool) -> bool:
        """Whether a noun without article is the name of an object, or one more of a list."""
        if noun.lower().split()[0] in self.verbs:
            return False
        return self.words.names.find(noun) is not None or (
            listed and bool(self.words.meaning(noun))
        )

    def _phrase(
        self, words: list[str], determiner: re.Match[str], end: int
    ) -> tuple[MarkedPhrase, int] | None:
        """The phrase of a noun and what follows it; None if no object fits the noun."""
        quantifier, count = _quantity(determiner)
        before: list[Filter] = []
        name = self.words.names.find(" ".join(words))
        if name is not None:
            any_of_kind = quantifier is not Quantifier.THE and name == self._kind(name)
            names = tuple(self._alike(name)) if any_of_kind else (name,)
            noun: _Noun | None = _Noun(self._kind(name), names)
        else:
            while len(words) > 1 and words[0] in _EXTREMES:
                before.append(Filter(_EXTREMES[words.pop(0)]))
            others = words[0] in _OTHERS
            if others:
                words = words[1:] or [_OTHERS[words[0]] or "one"]
            noun = self._noun(words)
            if noun is not None and others:
                said = {n.names[0]: None for n in self.mentioned if len(n.names) == 1}
                before += [Filter("except", one) for one in said if one in noun.names]
        if noun is None or (determiner["some"] and _asks_for_state(words, noun)):
            return None
        if quantifier is Quantifier.THE and _is_plural(words[-1], noun):
            quantifier = Quantifier.EACH
        self.mentioned.append(noun)
        after, end = self._conditions(quantifier, end)
        known = len(noun.names) == 1 and quantifier is not Quantifier.EACH
        filters = (*(() if known else noun.filters), *before, *after)
        return MarkedPhrase(self._terms(noun, quantifier, count, filters)), end

    def _noun(self, words: list[str]) -> _Noun | None:
        """The objects that a noun with its adjectives fits; a colour may have to be seen."""
        head, colours = words[-1], [word for word in words[:-1] if word in COLOURS]
        if head in ("one", "ones"):
            kinds = (n.kind for n in self.mentioned[::-1] if len(self._alike(n.names[0])) > 1)
            words = [*words[:-1], *itertools.islice(kinds, 1)]
            return self._noun(words) if words else None
        objects = self.words.scene.objects
        if singulars(head) & _THINGS:
            everything = tuple(thing.name for thing in objects)
            return _Noun(ANYTHING, everything, tuple(map(Filter, colours)))
        if fitting := self.words.meaning(" ".join(words)):
            exact = tuple(name for name in fitting if self._kind(name) in singulars(head))
            return self._of_names(exact or fitting, words[:-1])
        if colours:
            plain = self._noun([word for word in words if word not in colours])
            unseen = [n for n in plain.names if not COLOURS & _words(n)] if plain else []
            filters = tuple(map(Filter, colours))
            return _Noun(plain.kind, tuple(unseen), filters) if plain and unseen else None
        group = next(iter(singulars(_MASS_NOUNS.get(head, head)) & set(CATEGORIES)), "")
        kinds_of_group = _FIREWOOD if head == "firewood" else CATEGORIES.get(group, frozenset())
        names = tuple(thing.name for thing in objects if thing.kind in kinds_of_group)
        if not names:
            return None
        return _Noun(group, names) if group else self._of_names(names, [])

    def _of_names(self, names: tuple[str, ...], adjectives: list[str]) -> _Noun:
        kinds = {self._kind(name) for name in names}
        own = {word for name in names for word in _words(name)}
        some = len(names) < len(self._alike(names[0]))
        told = [word for word in adjectives if (word in own if some else word in COLOURS - own)]
        return _Noun(kinds.pop() if len(kinds) == 1 else "", names, tuple(map(Filter, told)))

    def _conditions(self, quantifier: Quantifier, end: int) -> tuple[list[Filter], int]:
        """The conditions after a noun: "that is not red", "like the crate", "except the mug"."""
        found: list[Filter] = []
        while True:
            if match := _ATTRIBUTE.match(self.text, end):
                found.append(Filter(match["word"], positive=not match["no"]))
                end = match.end()
                continue
            match = _COMPARED.match(self.text, end)
            if match is None or not _belongs_to_noun(match, quantifier, found):
                return found, end
            word = "except" if match["more"] else _RELATIONS.get(match["word"], match["word"])
            read = self.phrase_at(match.end())
            compared = _compared(word, not match["no"], read[0].terms) if read else []
            if read is None or not compared:
                return found, end
            found, end = [*found, *compared], read[1]

    def _terms(
        self, noun: _Noun, quantifier: Quantifier, count: int, filters: tuple[Filter, ...]
    ) -> tuple[Term, ...]:
        if len(noun.names) == 1 and not filters:
            return noun.names
        if not noun.kind:
            return noun.names if quantifier is Quantifier.EACH else ()
        some = quantifier is Quantifier.SOME and count == 1
        if some and not filters and noun.kind == self._kind(noun.names[0]):
            return (VARIABLE_MARK + noun.kind,)
        return (Selection(quantifier, noun.kind, filters, count),)

    def _kind(self, name: str) -> str:
        thing = self.words.scene.owner(name)
        return thing.kind if thing else ""

    def _alike(self, name: str) -> list[str]:
        return [o.name for o in self.words.scene.objects if o.kind == self._kind(name)]


def _quantity(determiner: re.Match[str]) -> tuple[Quantifier, int]:
    if number := determiner["number"]:
        return Quantifier.SOME, _NUMBERS.get(number.lower()) or int(number)
    if determiner["each"] or determiner["some"]:
        return (Quantifier.EACH if determiner["each"] else Quantifier.SOME), 1
    return Quantifier.THE, 1


def _is_plural(head: str, noun: _Noun) -> bool:
    """Whether a noun means all objects that it fits."""
    own = {word for name in noun.names for word in (*_words(name), noun.kind)}
    plural = head.endswith("s") and not head.endswith("ss") and head not in own
    return plural or head in _MASS_NOUNS or head == "firewood"


def _asks_for_state(words: list[str], noun: _Noun) -> bool:
    """Whether an adjective is part of the wish: "a chilled bowl", unlike "the empty bottle"."""
    own = {word for name in noun.names for word in _words(name)} | COLOURS
    return any(word not in own for word in words[:-1])


def _belongs_to_noun(match: re.Match[str], quantifier: Quantifier, found: list[Filter]) -> bool:
    """Whether a comparison describes the noun; "put the mug on the tray" says where it goes."""
    if match["more"]:  # "except the mug and the cup"
        return bool(found) and found[-1].word == "except"
    if match["word"] == "except":
        return quantifier is Quantifier.EACH
    return bool(match["which"] or match["no"] or match["word"] == "like")


def _compared(word: str, positive: bool, terms: tuple[Term, ...]) -> list[Filter]:
    """Filters that compare with other objects; "except the red ones" is `not red`."""
    found: list[Filter] = []
    for term in terms:
        if isinstance(term, Selection):
            opposite = [replace(one, positive=not one.positive) for one in term.filters]
            found += opposite if word == "except" and len(opposite) == 1 else []
        elif not is_variable(term):
            found.append(Filter(word, term, positive))
    return found if len(found) == len(terms) else []


def _words(name: str) -> set[str]:
    return set(name.lower().split("_"))
