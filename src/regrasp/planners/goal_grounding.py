"""Which objects a goal description means, decided by what is seen.

Selections become objects, quantifiers conjunctions, arrangements and swaps facts. What fits nothing
is refused by name; what fits several objects where one is meant is ambiguous, and a person can be
asked which.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from regrasp.core.fact import Fact, Literal
from regrasp.core.goal import VARIABLE_MARK, Goal, is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    EXTREMES,
    Clause,
    ClauseMode,
    Filter,
    GoalDescription,
    Quantifier,
    Selection,
    Term,
)
from regrasp.core.kinds_of_things import CATEGORIES
from regrasp.core.object_description import is_of_kind

__all__ = [
    "Ambiguity",
    "GroundedGoal",
    "GroundedQuestion",
    "NothingFits",
    "SeenScene",
    "ground",
    "with_choice",
]


_PAIR = 2


class SeenScene(Protocol):
    """What is known of the objects; an answer is None where nobody can see it."""

    def kinds(self) -> dict[str, str]:
        """The kind of every object by name."""
        ...

    def movable(self) -> frozenset[str]:
        """The objects that can be moved: `thing` ranges over them."""
        ...

    def has(self, name: str, word: str) -> bool | None:
        """Whether an object is described by a word such as `red`."""
        ...

    def related(self, relation: str, name: str, other: str) -> bool | None:
        """Whether an object is `on`, `in`, or `like` (of the colour of) another."""
        ...

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        """The leftmost, nearest, … of `names`."""
        ...


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No object fits a description."""

    term: Selection


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Several objects fit where one is meant; `unseen` if it cannot be seen which fit."""

    term: Selection
    names: tuple[str, ...]
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class GroundedQuestion:
    """A question over objects: a literal, or `where`, `which`, `count`, `colour` of `names`."""

    kind: str
    names: tuple[str, ...]
    literals: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class GroundedGoal:
    """Goals to be reached one after the other, literals to keep, and questions to answer."""

    stages: tuple[Goal, ...]
    keep: tuple[Literal, ...] = ()
    questions: tuple[GroundedQuestion, ...] = ()


class _StopError(Exception):
    def __init__(self, why: NothingFits | Ambiguity) -> None:
        self.why = why


def ground(
    description: GoalDescription, scene: SeenScene, place_of: Callable[[str], Literal | None]
) -> GroundedGoal | NothingFits | Ambiguity:
    """The description over objects.

    `place_of` gives the literal that says where an object is now, e.g. `on(red_cube, table)`: a
    swap needs it.
    """
    grounder = _Grounder(scene, place_of)
    try:
        stages = tuple(
            Goal(tuple(dict.fromkeys(one for clause in stage for one in grounder.literals(clause))))
            for stage in description.stages
        )
        keep = tuple(one for c in description.of(ClauseMode.KEEP) for one in grounder.literals(c))
        questions = tuple(map(grounder.question, description.of(ClauseMode.ASK)))
    except _StopError as stop:
        return stop.why
    return GroundedGoal(tuple(s for s in stages if s.literals), keep, questions)


def with_choice(description: GoalDescription, term: Selection, name: str) -> GoalDescription:
    """The description with an object in the place of a term."""
    return GoalDescription(
        tuple(
            replace(clause, args=tuple(name if arg == term else arg for arg in clause.args))
            for clause in description.clauses
        )
    )


@dataclass(slots=True)
class _Grounder:
    scene: SeenScene
    place_of: Callable[[str], Literal | None]

    def literals(self, clause: Clause) -> Iterator[Literal]:
        """The literals of a clause."""
        match clause.predicate:
            case "tower":
                names = self._listed(clause.args)
                for lower, upper in itertools.pairwise(names):
                    yield Literal.of("on", upper, lower)
            case "row":
                names = self._listed(clause.args)
                for left, right in itertools.pairwise(names):
                    yield Literal.of("beside", right, left)
            case "swap":
                yield from self._swapped(clause.args)
            case _:
                yield from self._over_objects(clause)

    def _over_objects(self, clause: Clause) -> Iterator[Literal]:
        """Every choice of objects; what is to be false of nothing is false already."""
        choices = [
            self._fitting(arg, unseen_too=True)
            if not clause.positive and isinstance(arg, Selection) and _takes_each(arg)
            else self.objects(arg)
            for arg in clause.args
        ]
        for args in self._combinations(clause.args, choices):
            if len(set(args)) == len(args):
                yield Literal(Fact(clause.predicate, args), clause.positive)

    def _combinations(
        self, terms: Sequence[Term], choices: Sequence[tuple[str, ...]]
    ) -> Iterator[tuple[str, ...]]:
        """Every choice; objects that are counted are shared out, different ones for each place.

        Places that are counted are used again when none is left: "each toy into a box".
        """
        counted = [i for i, term in enumerate(terms) if _counts(term)]
        if not counted or len(terms) < 2:
            yield from itertools.product(*choices)
            return
        first = counted[0]
        term = terms[first]
        assert isinstance(term, Selection)
        rest = [c if i != first else ("",) for i, c in enumerate(choices)]
        fitting = [name for name in self._fitting(term) if all(name not in c for c in rest)]
        supply = itertools.cycle(fitting) if first and fitting else iter(fitting)
        for others in itertools.product(*rest):
            shared = tuple(itertools.islice(supply, term.count))
            if len(shared) < term.count:
                raise _StopError(NothingFits(term))
            for name in shared:
                yield tuple(name if i == first else o for i, o in enumerate(others))

    def _swapped(self, args: Sequence[Term]) -> Iterator[Literal]:
        """Two objects change places: `swap(a, b)`, or `swap(each cube, b)` where there are two."""
        names = self._listed(args)
        if len(names) != _PAIR:
            described = (arg for arg in args if isinstance(arg, Selection))
            term = next(described, Selection(Quantifier.THE, ANYTHING))
            several = len(names) > _PAIR
            raise _StopError(Ambiguity(term, names) if several else NothingFits(term))
        first, second = names
        places = {name: self.place_of(name) for name in (first, second)}
        for name, other in ((first, second), (second, first)):
            place = places[other]
            if place is None:
                term = Selection(Quantifier.THE, self.scene.kinds().get(other, other))
                raise _StopError(Ambiguity(term, (other,), unseen=True))
            args_there = tuple(name if arg == other else arg for arg in place.fact.args)
            yield Literal(Fact(place.fact.predicate, args_there))

    def _listed(self, terms: Iterable[Term]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for term in terms for name in self.objects(term)))

    def question(self, clause: Clause) -> GroundedQuestion:
        """The question of a clause."""
        if clause.predicate in ("which", "count"):
            term = clause.args[0]
            names = self._fitting(term) if isinstance(term, Selection) else (term,)
            return GroundedQuestion(clause.predicate, names)
        if clause.predicate in ("where", "colour"):
            return GroundedQuestion(clause.predicate, self.objects(clause.args[0]))
        return GroundedQuestion("whether", (), tuple(self._over_objects(clause)))

    def objects(self, term: Term) -> tuple[str, ...]:
        """The objects of a term; a variable stays, so that a planner chooses."""
        if not isinstance(term, Selection):
            return (self._variable(term) if is_variable(term) else term,)
        fitting = self._fitting(term)
        if not fitting:
            raise _StopError(NothingFits(term))
        if term.quantifier is Quantifier.EACH:
            return fitting
        if term.quantifier is Quantifier.SOME:
            if len(fitting) < term.count:
                raise _StopError(NothingFits(term))
            return fitting[: term.count]
        if len(fitting) > 1:
            raise _StopError(Ambiguity(term, fitting))
        return fitting

    def _variable(self, term: str) -> str:
        """A variable over a kind of the scene; `?brush` is `?scrub_brush` if no other fits."""
        kinds = self.scene.kinds()
        word = variable_kind(term)
        if word in kinds.values():
            return term
        fitting = self._fitting(Selection(Quantifier.SOME, word))
        if not fitting:
            raise _StopError(NothingFits(Selection(Quantifier.SOME, word)))
        found = {kinds[name] for name in fitting}
        every = [name for name, kind in kinds.items() if kind in found]
        whole = len(found) == 1 and len(every) == len(fitting)
        return f"{VARIABLE_MARK}{found.pop()}" if whole else fitting[0]

    def _fitting(self, term: Selection, unseen_too: bool = False) -> tuple[str, ...]:
        """The objects that fit; with `unseen_too`, also those of which nobody can see it."""
        kinds = self.scene.kinds()
        if term.kind == ANYTHING:
            names = [name for name in kinds if name in self.scene.movable()]
        else:
            wanted = CATEGORIES.get(term.kind, frozenset()) | {term.kind}
            names = [
                name
                for name, kind in kinds.items()
                if any(is_of_kind(name, kind, word) for word in wanted)
            ]
        unseen: list[str] = []
        for one in sorted(term.filters, key=lambda f: f.word in EXTREMES):
            if one.word in EXTREMES:
                found = self.scene.extreme(one.word, names)
                unseen += names if found is None else []
                names = [n for n in names if found and (n == found) is one.positive]
                continue
            answers = {name: self._passes(name, one) for name in names}
            unseen += [name for name, answer in answers.items() if answer is None]
            names = [
                n for n, answer in answers.items() if answer or (unseen_too and answer is None)
            ]
        if unseen and not unseen_too and (not names or _takes_each(term)):
            raise _StopError(Ambiguity(term, tuple(unseen), unseen=True))
        return tuple(names)

    def _passes(self, name: str, one: Filter) -> bool | None:
        if one.word == "except":
            return (name != one.of) is one.positive
        if one.of:
            if name == one.of:
                return False
            found = self.scene.related(one.word, name, one.of)
        else:
            found = self.scene.has(name, one.word)
        return None if found is None else found is one.positive


def _takes_each(term: Selection) -> bool:
    return term.quantifier is Quantifier.EACH


def _counts(term: Term) -> bool:
    return isinstance(term, Selection) and term.quantifier is Quantifier.SOME
