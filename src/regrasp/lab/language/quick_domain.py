"""The conditions and effects of a domain as Python functions: what the lessons evaluate most.

The logical checker walks through formulas, also over unknown facts. A lesson knows every fact and
needs thousands of evaluations, so each formula is turned into a function once for each domain. The
results are those of `domains.rules.Rules` (a test compares them).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from regrasp.core.fact import Fact, State
from regrasp.domains.domain import ActionSchema, Domain
from regrasp.domains.formula import (
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
)
from regrasp.domains.partial_state import equalities
from regrasp.domains.rules import Binding, Rules, ground

__all__ = ["QuickDomain"]

_Test: TypeAlias = Callable[[State, Binding, Rules], bool]
_Bindings: TypeAlias = Callable[[Binding, Rules], Iterator[Binding]]


@dataclass(frozen=True, slots=True)
class _QuickEffect:
    """One effect: for which bindings, under which condition, and the change."""

    bindings: _Bindings
    applies: _Test
    atom: Atom
    positive: bool


@dataclass(frozen=True, slots=True)
class _QuickAction:
    """The names of the parameters, the precondition and the effects."""

    parameters: tuple[str, ...]
    is_possible: _Test
    effects: tuple[_QuickEffect, ...]


@dataclass(frozen=True, slots=True)
class QuickDomain:
    """The actions of a domain in states of which every fact is known."""

    domain: Domain
    _actions: Mapping[str, _QuickAction] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = {one.name: _quick_action(one) for one in self.domain.actions}
        object.__setattr__(self, "_actions", made)

    def is_possible(self, name: str, args: tuple[str, ...], state: State, rules: Rules) -> bool:
        """Whether the precondition of an action with all its objects holds."""
        quick = self._actions[name]
        return quick.is_possible(state, dict(zip(quick.parameters, args, strict=True)), rules)

    def successor(self, name: str, args: tuple[str, ...], state: State, rules: Rules) -> State:
        """The state after an action with all its objects; adds win over deletes."""
        quick = self._actions[name]
        binding = dict(zip(quick.parameters, args, strict=True))
        made: set[Fact] = set()
        undone: set[Fact] = set()
        for effect in quick.effects:
            for bound in effect.bindings(binding, rules):
                if effect.applies(state, bound, rules):
                    (made if effect.positive else undone).add(ground(effect.atom, bound))
        return (state - undone) | made


def _quick_action(schema: ActionSchema) -> _QuickAction:
    names = tuple(one.name for one in schema.parameters)
    effects = tuple(map(_quick_effect, schema.effects))
    return _QuickAction(names, _test(schema.precondition), effects)


def _quick_effect(effect: Effect) -> _QuickEffect:
    bindings = _bindings(effect.variables, effect.condition)
    return _QuickEffect(bindings, _test(effect.condition), effect.atom, effect.positive)


def _test(condition: Condition) -> _Test:
    """A condition as a function of state, binding and objects."""
    match condition:
        case Atom():
            return lambda state, bound, _: ground(condition, bound) in state
        case Equal(left, right):
            return lambda _, bound, __: bound.get(left, left) == bound.get(right, right)
        case Not(part):
            inner = _test(part)
            return lambda *given: not inner(*given)
        case And(parts):
            return _every(tuple(map(_test, parts)))
        case Or(parts):
            return _some(tuple(map(_test, parts)))
        case Imply(premise, conclusion):
            if_, then = _test(premise), _test(conclusion)
            return lambda *given: not if_(*given) or then(*given)
        case ForAll(variables, part):
            decides = part.premise if isinstance(part, Imply) else And(())
            return _quantified(_bindings(variables, decides), _test(part), every=True)
        case Exists(variables, part):
            return _quantified(_bindings(variables, part), _test(part), every=False)


def _every(parts: tuple[_Test, ...]) -> _Test:
    def test(state: State, bound: Binding, rules: Rules) -> bool:
        for part in parts:  # noqa: SIM110  -- faster than all()
            if not part(state, bound, rules):
                return False
        return True

    return test


def _some(parts: tuple[_Test, ...]) -> _Test:
    def test(state: State, bound: Binding, rules: Rules) -> bool:
        for part in parts:  # noqa: SIM110  -- faster than any()
            if part(state, bound, rules):
                return True
        return False

    return test


def _quantified(bindings: _Bindings, part: _Test, *, every: bool) -> _Test:
    def test(state: State, bound: Binding, rules: Rules) -> bool:
        for one in bindings(bound, rules):
            if part(state, one, rules) is not every:
                return not every
        return every

    return test


def _bindings(variables: tuple[Parameter, ...], decides: Condition) -> _Bindings:
    """The values of quantified variables for which `decides` can hold.

    `(forall (?c - container) (imply (= ?c ?y) …))` is about one container, not about all.
    """
    if not variables:
        return lambda bound, _: iter((bound,))
    typed = {one.name: one.types for one in variables}
    pairs = [p for pair in equalities(decides) for p in (pair, pair[::-1]) if p[0] in typed]
    equal = {one: other for one, other in reversed(pairs) if other not in typed}
    free = tuple(one for one in variables if one.name not in equal)
    names = tuple(one.name for one in free)

    def found(bound: Binding, rules: Rules) -> Iterator[Binding]:
        fixed = {one: bound.get(other, other) for one, other in equal.items()}
        for one, value in fixed.items():
            if value not in rules.objects_of(typed[one]):
                return
        for chosen in itertools.product(*(rules.objects_of(one.types) for one in free)):
            yield {**bound, **fixed, **dict(zip(names, chosen, strict=True))}

    return found
