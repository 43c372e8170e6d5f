"""A state of which some facts are unknown: which conditions may hold, and which certainly do not.

What is unknown is not false. A condition is unmet only if it is false whatever the unknown facts
are (Kleene's three-valued logic); an action on unknown facts is tried, and what it needed counts as
true afterwards. An effect whose condition is unknown leaves its fact unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal, State
from regrasp.domains.formula import (
    ALWAYS,
    And,
    Atom,
    Condition,
    Effect,
    Equal,
    Exists,
    ForAll,
    Imply,
    Not,
    Or,
    Parameter,
    negated,
)
from regrasp.domains.rules import Binding, Rules, ground

__all__ = ["PartialState", "equalities"]


@dataclass(frozen=True, slots=True)
class PartialState:
    """The facts that are true and those that are unknown; any other fact is false."""

    true: State = frozenset()
    unknown: State = frozenset()

    @classmethod
    def of(cls, state: State | PartialState) -> PartialState:
        """The state itself; a plain state has no unknown facts."""
        return state if isinstance(state, PartialState) else cls(state)

    def may_hold(
        self, rules: Rules, condition: Condition, binding: Binding, wanted: bool = True
    ) -> bool:
        """Whether the condition (its negation, unless `wanted`) holds for some unknown facts."""
        match condition:
            case Atom():
                fact = ground(condition, binding)
                return (fact in self.true) is wanted or fact in self.unknown
            case Equal(left, right):
                return (binding.get(left, left) == binding.get(right, right)) is wanted
            case Not(part):
                return self.may_hold(rules, part, binding, not wanted)
            case And(parts) | Or(parts):
                each = (self.may_hold(rules, part, binding, wanted) for part in parts)
                return all(each) if isinstance(condition, And) is wanted else any(each)
            case Imply(premise, conclusion):
                vacuous = self.may_hold(rules, premise, binding, not wanted)
                if vacuous is wanted:
                    return wanted
                return self.may_hold(rules, conclusion, binding, wanted)
            case ForAll(variables, part) | Exists(variables, part):
                each = (
                    self.may_hold(rules, part, bound, wanted)
                    for bound in _bindings(rules, variables, _matters(condition), binding)
                )
                return all(each) if isinstance(condition, ForAll) is wanted else any(each)

    def unmet(
        self, rules: Rules, condition: Condition, binding: Binding, wanted: bool = True
    ) -> tuple[Literal, ...]:
        """The literals that would have to change for the condition to hold; () if it may hold.

        Of alternatives, all that a change of facts could make true are given.
        """
        found = self._unmet(rules, condition, binding, wanted)
        return tuple(dict.fromkeys(found or ()))

    def _unmet(
        self, rules: Rules, condition: Condition, binding: Binding, wanted: bool
    ) -> list[Literal] | None:
        """The literals to change; None if no change of facts makes the condition hold."""
        if self.may_hold(rules, condition, binding, wanted):
            return []
        match condition:
            case Atom():
                fact = ground(condition, binding)
                return [Literal(fact, wanted)] if rules.is_well_typed(fact) else None
            case Equal():
                return None
            case Not(part):
                return self._unmet(rules, part, binding, not wanted)
            case And(parts) | Or(parts):
                each = (self._unmet(rules, part, binding, wanted) for part in parts)
                every = isinstance(condition, And) is wanted
            case Imply(premise, conclusion):
                ways = Or((negated(premise), conclusion))
                return self._unmet(rules, ways, binding, wanted)
            case ForAll(variables, part) | Exists(variables, part):
                each = (
                    self._unmet(rules, part, bound, wanted)
                    for bound in _bindings(rules, variables, _matters(condition), binding)
                )
                every = isinstance(condition, ForAll) is wanted
        found = list(each)
        if every:
            return None if None in found else [one for part in found for one in part or ()]
        possible = [part for part in found if part is not None]
        return [one for part in possible for one in part] if possible else None

    def after(self, rules: Rules, action: Action) -> PartialState:
        """The state after an action whose precondition may hold."""
        schema, binding = rules.bind(action)
        before = self.assuming(self._assumed(rules, schema.precondition, binding, True))
        changes = tuple(before.changes(rules, schema.effects, binding))

        def facts(positive: bool, certain: bool) -> set[Fact]:
            return {c.fact for c, sure in changes if (c.positive, sure) == (positive, certain)}

        made, undone = facts(True, True), facts(False, True)
        lost = facts(False, False) & (before.true | before.unknown)
        gained = facts(True, False) - (before.true - undone - lost)
        doubtful = (gained | (lost - undone)) - made
        return PartialState(
            (before.true - undone - doubtful) | made,
            (before.unknown - made - undone) | doubtful,
        )

    def effects(
        self, rules: Rules, effects: tuple[Effect, ...], binding: Binding
    ) -> tuple[Literal, ...]:
        """The literals that some effects certainly make true here; adds win over deletes."""
        found = [change for change, certain in self.changes(rules, effects, binding) if certain]
        made = {one.fact for one in found if one.positive}
        return tuple(dict.fromkeys(one for one in found if one.positive or one.fact not in made))

    def changes(
        self, rules: Rules, effects: tuple[Effect, ...], binding: Binding
    ) -> Iterator[tuple[Literal, bool]]:
        """The effects that may happen in this state, and whether each certainly does."""
        for effect in effects:
            for bound in _bindings(rules, effect.variables, effect.condition, binding):
                if self.may_hold(rules, effect.condition, bound):
                    perhaps_not = bool(self.unknown) and self.may_hold(
                        rules, effect.condition, bound, False
                    )
                    yield Literal(ground(effect.atom, bound), effect.positive), not perhaps_not

    def assuming(self, literals: Iterator[Literal]) -> PartialState:
        """The state in which some unknown literals turned out to be true."""
        if not self.unknown:
            return self
        assumed = tuple(literals)
        made = {one.fact for one in assumed if one.positive}
        return PartialState(self.true | made, self.unknown - {one.fact for one in assumed})

    def _assumed(
        self, rules: Rules, condition: Condition, binding: Binding, wanted: bool
    ) -> Iterator[Literal]:
        """The unknown literals that must be true if the condition holds."""
        match condition:
            case Atom():
                fact = ground(condition, binding)
                if fact in self.unknown:
                    yield Literal(fact, wanted)
            case Not(part):
                yield from self._assumed(rules, part, binding, not wanted)
            case And(parts) | Or(parts):
                every = isinstance(condition, And) is wanted
                open_parts = [p for p in parts if self.may_hold(rules, p, binding, wanted)]
                if every or len(open_parts) == 1:
                    for part in open_parts:
                        yield from self._assumed(rules, part, binding, wanted)
            case Imply(premise, conclusion):
                ways = Or((negated(premise), conclusion))
                yield from self._assumed(rules, ways, binding, wanted)
            case ForAll(variables, part) if wanted:
                for bound in _bindings(rules, variables, _matters(condition), binding):
                    yield from self._assumed(rules, part, bound, wanted)
            case _:
                return


def equalities(condition: Condition) -> Iterator[tuple[str, str]]:
    """Pairs of terms that must be equal for a condition to hold."""
    match condition:
        case Equal(left, right):
            yield left, right
        case And(parts):
            for part in parts:
                yield from equalities(part)
        case Exists(_, part):
            yield from equalities(part)
        case _:
            return


def _matters(quantified: ForAll | Exists) -> Condition:
    """What must hold of the variables for the quantified part to decide anything."""
    part = quantified.part
    if isinstance(quantified, Exists):
        return part
    return part.premise if isinstance(part, Imply) else ALWAYS


def _bindings(
    rules: Rules, variables: tuple[Parameter, ...], matters: Condition, binding: Binding
) -> Iterator[dict[str, str]]:
    """`binding` with the values of the variables; those that break an equality are left out.

    `(forall (?c - container) (imply (= ?c ?y) …))` is about one container, not about all.
    """
    typed = {one.name: one.types for one in variables}
    fixed: dict[str, str] = {}
    for pair in equalities(matters) if typed else ():
        for one, other in (pair, pair[::-1]):
            value = binding.get(other, other)
            if one in typed and one not in fixed and not value.startswith("?"):
                fixed[one] = value
    if all(value in rules.objects_of(typed[one]) for one, value in fixed.items()):
        left = tuple(one for one in variables if one.name not in fixed)
        for more in rules.bindings(left):
            yield {**binding, **fixed, **more}
