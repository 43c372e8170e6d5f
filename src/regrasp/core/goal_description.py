"""The goal language: what an instruction asks for, before anyone has looked which objects it means.

A description is a list of clauses, one per line:

    on(each cube not red, crate)         every cube that is not red is on the crate in the end
    then closed(wooden_cabinet)          reached after the clauses before it
    keep not moved(bottle)               true all the time
    ask which(each thing in drawer)      a question, to be answered without moving anything

An argument is the name of an object, a variable (`?cup`: any cup, the same one in every clause), or
a selection: `the cube leftmost`, `each thing in drawer`, `2 cup on shelf`. What is seen decides
which objects a selection means (`planners.goal_grounding`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from regrasp.core.errors import RegraspError

__all__ = [
    "ANYTHING",
    "EXTREMES",
    "RELATIONS",
    "Clause",
    "ClauseMode",
    "Filter",
    "GoalDescription",
    "Quantifier",
    "Selection",
    "Term",
    "parse_clause",
    "parse_description",
    "parse_term",
]

ANYTHING = "thing"
"""The kind of a selection that takes objects of any kind."""

RELATIONS = ("on", "in", "like", "except")
"""The filters that compare with another object: `like` is the same colour, `except` another one."""

EXTREMES = ("leftmost", "rightmost", "nearest", "farthest", "largest", "smallest", "middle")
"""The filters that compare all objects of a selection; exactly one object passes."""


_PAIR = 2


class Quantifier(StrEnum):
    """How many of the objects that fit are meant."""

    THE = "the"
    EACH = "each"
    SOME = "some"


class ClauseMode(StrEnum):
    """What a clause is for."""

    REACH = "reach"
    KEEP = "keep"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on the objects of a selection: `not red`, `on crate`, `leftmost`."""

    word: str
    of: str = ""
    positive: bool = True

    def __str__(self) -> str:
        return " ".join(filter(None, ("" if self.positive else "not", self.word, self.of)))


@dataclass(frozen=True, slots=True)
class Selection:
    """Objects of a kind that pass every filter; `count` different ones if it is not 1."""

    quantifier: Quantifier
    kind: str
    filters: tuple[Filter, ...] = ()
    count: int = 1

    def __str__(self) -> str:
        first = str(self.count) if self.count > 1 else self.quantifier
        return " ".join((first, self.kind, *map(str, self.filters)))


Term: TypeAlias = str | Selection
"""An argument of a clause: the name of an object, a variable `?kind`, or a selection."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate of terms, and when it must be true; `later` starts a new stage."""

    predicate: str
    args: tuple[Term, ...] = ()
    positive: bool = True
    mode: ClauseMode = ClauseMode.REACH
    later: bool = False

    def without_repetition(self) -> Clause:
        """`not on(each thing on crate, crate)` as `not on(each thing, crate)`."""
        if len(self.args) != _PAIR or not isinstance(each := self.args[0], Selection):
            return self
        if each.quantifier is not Quantifier.EACH:
            return self
        place, repeats = self.args[1], self.predicate.startswith
        again = [f for f in each.filters if f.positive and f.of == place and repeats(f.word)]
        filters = tuple(f for f in each.filters if f not in again)
        return replace(self, args=(replace(each, filters=filters), place))

    @property
    def says_nothing(self) -> bool:
        """Whether it is true of itself: on(each thing on crate, crate)."""
        reached = self.mode is ClauseMode.REACH and self.positive
        return reached and self.without_repetition() != self

    def __str__(self) -> str:
        words = ["then"] if self.later else []
        words += [self.mode] if self.mode is not ClauseMode.REACH else []
        words += [] if self.positive else ["not"]
        return " ".join((*words, f"{self.predicate}({', '.join(map(str, self.args))})"))


@dataclass(frozen=True, slots=True)
class GoalDescription:
    """All clauses of an instruction, in its order."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))

    def same_as(self, other: GoalDescription) -> bool:
        """Whether it asks for the same: its clauses in any order, without what repeats them."""
        return self._plain() == other._plain()

    def _plain(self) -> frozenset[Clause]:
        return frozenset(clause.without_repetition() for clause in self.clauses)

    def of(self, mode: ClauseMode) -> tuple[Clause, ...]:
        """The clauses of one mode."""
        return tuple(clause for clause in self.clauses if clause.mode is mode)

    @property
    def stages(self) -> tuple[tuple[Clause, ...], ...]:
        """The clauses to reach, grouped by when: each group after the one before it."""
        groups: list[list[Clause]] = [[]]
        for clause in self.of(ClauseMode.REACH):
            if clause.later and groups[-1]:
                groups.append([])
            groups[-1].append(clause)
        return tuple(tuple(group) for group in groups if group)


_CLAUSE = re.compile(r"((?:(?:then|keep|ask|not)\s+)*)(\w+)\s*\(([^()]*)\)[.,;]?", re.IGNORECASE)


def parse_clause(text: str) -> Clause:
    """Read one clause, e.g. `then not closed(the box leftmost)`."""
    match = _CLAUSE.fullmatch(text.strip())
    if match is None:
        raise RegraspError(
            f"{text!r} is no clause; write one such as on(red_cube, crate), with then, keep, ask "
            "or not before it."
        )
    words = match[1].lower().split()
    if len(set(words)) < len(words) or {"keep", "ask"} <= set(words):
        raise RegraspError(f"{text!r}: then, keep, ask and not may each stand once, keep or ask.")
    mode = next((ClauseMode(w) for w in words if w in ("keep", "ask")), ClauseMode.REACH)
    args = tuple(parse_term(part) for part in match[3].split(",") if part.strip())
    return Clause(match[2].lower(), args, "not" not in words, mode, "then" in words)


def parse_term(text: str) -> Term:
    """Read one argument, e.g. `red_cube`, `?cup` or `each cube not on crate`."""
    words = text.split()
    if len(words) == 1:
        return words[0]
    number = bool(words) and words[0].isdecimal() and int(words[0]) > 0
    if not words or not (number or words[0].lower() in set(Quantifier)):
        raise RegraspError(f"{text!r}: an argument is a name, or begins with the, each, some or 2.")
    count = int(words[0]) if number else 1
    quantifier = Quantifier.SOME if number else Quantifier(words[0].lower())
    filters: list[Filter] = []
    rest = iter(words[2:])
    for first in rest:
        positive = first != "not"
        word = first if positive else next(rest, "")
        of = next(rest, "") if word in RELATIONS else ""
        if not word or (word in RELATIONS and not of):
            raise RegraspError(f"{text!r}: a word is missing at its end.")
        filters.append(Filter(word, of, positive))
    return Selection(quantifier, words[1], tuple(filters), count)


def parse_description(lines: Iterable[str]) -> GoalDescription:
    """Read one clause per line."""
    return GoalDescription(tuple(parse_clause(line) for line in lines if line.strip()))
