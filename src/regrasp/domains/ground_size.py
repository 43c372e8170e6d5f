"""How large the ground form of a problem would be, counted before it is built.

Ten objects under nine nested quantifiers are 10^9 facts, and six parameters over forty objects are
4·10^9 actions. Building them until a limit is reached takes minutes; counting takes none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from regrasp.core.errors import RegraspError
from regrasp.core.fact import State
from regrasp.domains.deadline import Deadline
from regrasp.domains.domain import ActionSchema
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
from regrasp.domains.rules import Rules

__all__ = ["MAX_FACTS", "StaticBindings", "TooLargeError", "check_condition", "check_effects"]

MAX_FACTS = 50_000
"""The largest number of facts that one condition or effect may speak of."""


class TooLargeError(RegraspError):
    """A problem that has no ground form of a reasonable size."""


def check_condition(rules: Rules, condition: Condition, where: str) -> None:
    """Raise TooLargeError if the condition speaks of too many facts."""
    _check(_size(rules, condition), f"the condition of {where}")


def check_effects(rules: Rules, effects: Sequence[Effect], where: str) -> None:
    """Raise TooLargeError if the effects speak of too many facts."""
    sizes = (_bindings(rules, e.variables) * max(1, _size(rules, e.condition)) for e in effects)
    _check(sum(sizes), f"the effect of {where}")


def _check(size: int, what: str) -> None:
    if size > MAX_FACTS:
        raise TooLargeError(
            f"{what} speaks of {_number(size)} facts; at most {MAX_FACTS} are grounded. Use fewer "
            "objects, narrower types or fewer nested quantifiers."
        )


def _number(size: int) -> str:
    return str(size) if size < 10**7 else f"10^{len(str(size)) - 1}"


def _size(rules: Rules, condition: Condition) -> int:
    """How many facts the condition speaks of; each is looked at when it is grounded."""
    match condition:
        case Atom() | Equal():
            return 1
        case Not(part):
            return _size(rules, part)
        case And(parts) | Or(parts):
            return sum(_size(rules, part) for part in parts)
        case Imply(premise, conclusion):
            return _size(rules, premise) + _size(rules, conclusion)
        case ForAll(variables, part) | Exists(variables, part):
            return _bindings(rules, variables) * max(1, _size(rules, part))


def _bindings(rules: Rules, variables: tuple[Parameter, ...]) -> int:
    return math.prod(len(rules.objects_of(variable.types)) for variable in variables)


@dataclass(frozen=True, slots=True)
class StaticBindings:
    """The objects for which the static conditions of an action hold: those that nothing changes.

    `fluent` has the predicates that actions change, `init` the facts that are true at first.
    """

    rules: Rules
    init: State
    fluent: frozenset[str]
    deadline: Deadline

    def of(self, schema: ActionSchema) -> Iterator[dict[str, str]]:
        """Each binding of the parameters, rejected as soon as a static condition fails."""
        yield from self._extend(schema.parameters, self._static(schema))

    def at_least(self, schema: ActionSchema, most: int) -> int:
        """A lower bound on the number of bindings; counting stops once it is over `most`.

        Parameters that are only required to differ from others are counted and not enumerated.
        """
        static = self._static(schema)
        unequal = [p.part for p in static if isinstance(p, Not) and isinstance(p.part, Equal)]
        related = {t for p in static for t in _terms(p) if _inner(p) not in unequal}
        free = 1
        for one in schema.parameters:
            if one.name not in related:
                taken = sum(one.name in (pair.left, pair.right) for pair in unequal)
                free *= max(0, len(self.rules.objects_of(one.types)) - taken)
        named = tuple(one for one in schema.parameters if one.name in related)
        within = {one.name for one in named}
        relevant = [p for p in static if all(t in within for t in _terms(p) if t.startswith("?"))]
        found, tried = 0, 0

        def count_try() -> bool:
            nonlocal tried
            tried += 1
            return tried <= most

        for _ in self._extend(named, relevant, count_try):
            found += 1
            if found * free > most:
                break
        return found * free

    def _static(self, schema: ActionSchema) -> list[Condition]:
        whole = schema.precondition
        parts = whole.parts if isinstance(whole, And) else (whole,)
        return [part for part in parts if self._is_static(part)]

    def _is_static(self, condition: Condition) -> bool:
        """Whether it is a static literal: a fact that no action changes, or an equality."""
        inner = _inner(condition)
        return isinstance(inner, Equal) or (
            isinstance(inner, Atom) and inner.predicate not in self.fluent
        )

    def _extend(
        self,
        parameters: tuple[Parameter, ...],
        static: Sequence[Condition],
        go_on: Callable[[], bool] = lambda: True,
    ) -> Iterator[dict[str, str]]:
        order = [parameter.name for parameter in parameters]
        due = [[p for p in static if _last(p, order) == i] for i in range(-1, len(order))]
        choices = [self.rules.objects_of(parameter.types) for parameter in parameters]

        def extend(binding: dict[str, str]) -> Iterator[dict[str, str]]:
            self.deadline.step()
            if not go_on():
                return
            if not all(self.rules.holds(p, self.init, binding) for p in due[len(binding)]):
                return
            if len(binding) == len(order):
                yield binding
                return
            for thing in choices[len(binding)]:
                yield from extend({**binding, order[len(binding)]: thing})

        yield from extend({})


def _inner(condition: Condition) -> Condition:
    return condition.part if isinstance(condition, Not) else condition


def _terms(condition: Condition) -> tuple[str, ...]:
    inner = _inner(condition)
    if isinstance(inner, Equal):
        return (inner.left, inner.right)
    return inner.terms if isinstance(inner, Atom) else ()


def _last(condition: Condition, order: list[str]) -> int:
    """The largest index in `order` of a variable of a literal; -1 if it has no variable."""
    return max((order.index(term) for term in _terms(condition) if term in order), default=-1)
