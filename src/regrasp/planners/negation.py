"""Whether a goal reflects a `not` of its instruction.

It does so by a clause that is kept or false, by a filter that leaves out, or by an opposite that is
wanted. A `not` that only sets something aside needs none of these: "the cup, not the bowl", "not a
small one but the largest", "don't put it behind the box, put it on top".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from regrasp.core.goal_description import ClauseMode
from regrasp.planners.goal_meaning import GoalMeaning
from regrasp.prompts.goal import MOVED
from regrasp.prompts.known_nouns import KNOWN_NOUNS, singular
from regrasp.prompts.noun_table import noun_table
from regrasp.prompts.operator_words import OperatorWord

__all__ = ["STATES", "Negation"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STATES = _words(
    "open opened close closed shut lock locked unlock unlocked on off empty full filled hot cold "
    "clean dirty frozen"
)
"""Words of states that have an opposite."""

_DETERMINERS = _words("the a an my your his her its our their this that these those")
_PLAIN = _words("not nicht pas no 不是")
_PRONOUNS = _words("it they he she es sie er il elle ils elles ello ellos ellas 它")
_OTHERS = _words("one ones others other all any them of")
_NO_VERBS = frozenset({"says", "state", "names", "other", "every"})
_ENDS = _words("and und et y 和 , ， ; ； : ： 、")
_WHY = _words("why warum pourquoi 为 什")
_NEAR = 5
"""A thing that is left out is named within so many words."""
_LONGEST_PART = 40
"""A part of a sentence has no more words than this."""


@dataclass(frozen=True)
class Negation:
    """The tokens and operators of a sentence beside the goal."""

    tokens: Sequence[str]
    language: str
    operators: tuple[OperatorWord, ...]
    meant: GoalMeaning

    def is_reflected(self, one: OperatorWord, words: set[str]) -> bool:
        """Whether the goal reflects one `not`; `words` are the words of the sentence in English."""
        meant = self.meant
        if meant.asks or meant.goal.of(ClauseMode.KEEP) or self._sets_aside(one):
            return True
        if any(not f.positive or f.word == "except" for f in meant.filters):
            return True
        if words & _WHY or "empty" in meant.words:
            return True
        reach = meant.goal.of(ClauseMode.REACH)
        if any(clause.predicate == MOVED for clause in reach):
            return True  # it must not stay there
        false = [clause for clause in reach if not clause.positive]
        if false and one.start and self.tokens[one.start - 1] in _PRONOUNS:
            return True  # take them apart, they should not touch
        spare = any(not meant.verb_is_named(clause, words) for clause in false)
        return spare or bool(meant.opposite_words & words & STATES)

    def denies(self, other: OperatorWord) -> bool:
        """Whether an operator stands in what some `not` denies."""
        return any(start <= other.start < stop for start, stop in self._denied)

    @cached_property
    def _denied(self) -> tuple[tuple[int, int], ...]:
        ours = (one for one in self.operators if one.role in ("not", "contrast"))
        return tuple((one.stop, self._end(one)) for one in ours)

    @cached_property
    def _turns(self) -> frozenset[int]:
        """Where a `but` stands."""
        return frozenset(one.start for one in self.operators if one.role == "but")

    def _end(self, one: OperatorWord) -> int:
        """Where the part of the sentence that a `not` denies ends."""
        last = min(len(self.tokens), one.stop + _LONGEST_PART)
        for place in range(one.stop, last):
            if place in self._turns or self.tokens[place] in _ENDS:
                return place
        return last

    def _sets_aside(self, one: OperatorWord) -> bool:
        """Whether it only says what is not meant, and the goal has something else."""
        end = self._end(one)
        if {end, end + 1} & self._turns:
            return self._has_nothing_of(one.stop, end)
        if not any(o.role == "contrast" and o.start == one.start for o in self.operators):
            return self._says_otherwise(one.stop, end)
        colours = [o for o in self.operators if o.role == "names" and 0 <= o.start - one.stop < 2]
        if colours and not colours[0].explained_by & self.meant.picked_by:
            return True  # the cup that isn't red, not the red cup
        start = max(0, one.start - _LONGEST_PART)
        instead = self.meant.scene.phrases(self._text(start, one.start))[-1:]
        if instead and not self.meant.scene.objects(instead[0]) & self.meant.used:
            return False
        if self._is_aside(one, end):
            return self._has_nothing_of(one.stop, end)
        phrases = self.meant.scene.phrases(self._text(one.stop, one.stop + _NEAR))
        meant = self.meant.scene.narrowed(phrases[0]) if phrases else self._like(one.stop, end)
        if not meant:
            return one.text not in _PLAIN
        if one.text in _PLAIN and not self._determiners & set(self.tokens[one.stop : one.stop + 2]):
            return False
        return not meant <= self.meant.used

    def _is_aside(self, one: OperatorWord, end: int) -> bool:
        """Whether it stands alone and has no verb: `…, not the others`, `hot and not cold`."""
        before = self.tokens[one.start - 1] if one.start else ","
        part = self.tokens[one.stop : end]
        places = {p for o in self.operators if o.role in _NO_VERBS for p in range(o.start, o.stop)}
        return (
            (before in _ENDS or before in ("but", "or"))
            and bool(part)
            and all(
                place in places or self._is_no_verb(word)
                for place, word in enumerate(part, one.stop)
            )
        )

    def _is_no_verb(self, word: str) -> bool:
        """Whether a word can stand before a noun or be one."""
        words = noun_table().languages.get(self.language)
        roles = ("determiners", "places", "sources", "directions", "numbers", "pronouns")
        return (
            word in _DETERMINERS | _PRONOUNS | _OTHERS
            or (words is not None and any(word in words.role(role) for role in roles))
            or word in noun_table().sections["adjectives"]
            or singular(word) in KNOWN_NOUNS
            or any(word in name.split("_") for name in self.meant.scene.words)
        )

    def _has_nothing_of(self, start: int, stop: int) -> bool:
        """Whether the goal has none of the objects, colours and places that these tokens name."""
        said = [one for one in self.operators if start <= one.start < stop]
        if any(one.explained_by & self.meant.picked_by for one in said if one.role == "names"):
            return False
        told = [one for one in said if one.role in ("says", "state")]
        if any(one.explained_by & self.meant.words for one in told):
            return False
        named = self.meant.objects(self._text(start, stop))
        return not named or not named <= self.meant.used

    def _says_otherwise(self, start: int, stop: int) -> bool:
        """Whether these tokens name a place that the goal has not, and the others one that it has.

        "Don't put it behind the box, put it on top."
        """
        places = [one for one in self.operators if one.role == "says"]
        shown = [bool(one.explained_by & self.meant.words) for one in places]
        inside = [start <= one.start < stop for one in places]
        pairs = list(zip(shown, inside, strict=True))
        return (True, False) in pairs and (False, True) in pairs and (True, True) not in pairs

    def _like(self, start: int, stop: int) -> frozenset[str]:
        """The objects whose names have the most of these tokens: coined names, and colours."""
        said = set(self.tokens[start : min(stop, start + _NEAR)])
        for one in self.operators:
            if one.role == "names" and start <= one.start < stop:
                said |= one.explained_by
        shared = {name: len(said & set(name.split("_"))) for name in self.meant.scene.words}
        most = max(shared.values(), default=0)
        return frozenset(name for name, count in shared.items() if most and count == most)

    def _text(self, start: int, stop: int) -> str:
        return ("" if self.language == "zh" else " ").join(self.tokens[start:stop])

    @property
    def _determiners(self) -> frozenset[str]:
        words = noun_table().languages.get(self.language)
        return _DETERMINERS | (words.role("determiners") if words else frozenset())
