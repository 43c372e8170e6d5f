"""The meaning of a domain for given objects: which conditions hold, and how actions change a state.

This is the direct evaluation of the domain, fact by fact. `validate` and the executors of a plan
use it. Planners search a compiled form (`grounding`), so the two check each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact, Literal, State
from regrasp.domains.domain import ActionSchema, Domain, Object, Problem
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

__all__ = ["ActionError", "Binding", "Rules", "Validation", "ground", "validate"]

Binding = Mapping[str, str]
"""The object of each variable."""


class ActionError(RegraspError):
    """An action that the domain does not have, or not for these objects."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a plan is valid.

    If not, `step` is the first step that cannot be done (from 1), or 0 if the goal is not reached,
    and `unmet` has the conditions that are false.
    """

    valid: bool
    states: tuple[State, ...]
    step: int = 0
    unmet: tuple[str, ...] = ()
    message: str = ""

    def __str__(self) -> str:
        return self.message or f"valid in {len(self.states) - 1} steps"


@dataclass(frozen=True, slots=True)
class Rules:
    """A domain with its objects."""

    domain: Domain
    objects: tuple[Object, ...]
    _types: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _by_type: dict[tuple[str, ...], tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "_types", {one.name: one.type for one in self.objects})

    @property
    def named(self) -> tuple[Object, ...]:
        """The objects that a problem lists: the constants are declared by the domain."""
        return tuple(one for one in self.objects if one not in self.domain.constants)

    @classmethod
    def of(cls, domain: Domain, problem: Problem) -> Rules:
        """The rules of a domain for the objects of a problem."""
        return cls(domain, (*domain.constants, *problem.objects))

    def objects_of(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """The names of the objects that have one of the types."""
        if types not in self._by_type:  # quantifiers ask again and again
            fitting = {t for t in set(self._types.values()) if self.domain.is_a(t, types)}
            self._by_type[types] = tuple(one.name for one in self.objects if one.type in fitting)
        return self._by_type[types]

    def is_well_typed(self, fact: Fact) -> bool:
        """Whether the predicate takes these objects: only then is a question useful."""
        parameters = self.domain.predicate(fact.predicate).parameters
        return len(parameters) == len(fact.args) and all(
            name in self.objects_of(parameter.types)
            for name, parameter in zip(fact.args, parameters, strict=True)
        )

    def facts(self, predicate: str) -> Iterator[Fact]:
        """Every fact of a predicate over the objects."""
        for binding in self.bindings(self.domain.predicate(predicate).parameters):
            yield Fact(predicate, tuple(binding.values()))

    def bindings(self, variables: tuple[Parameter, ...]) -> Iterator[dict[str, str]]:
        """Every assignment of objects of the right types to the variables."""
        choices = [self.objects_of(variable.types) for variable in variables]
        names = [variable.name for variable in variables]
        for chosen in itertools.product(*choices):
            yield dict(zip(names, chosen, strict=True))

    def holds(self, condition: Condition, state: State, binding: Binding | None = None) -> bool:
        """Whether the condition holds in the state, its free variables bound."""
        bound = binding or {}
        match condition:
            case Atom():
                return ground(condition, bound) in state
            case Equal(left, right):
                return bound.get(left, left) == bound.get(right, right)
            case Not(part):
                return not self.holds(part, state, bound)
            case And(parts):
                return all(self.holds(part, state, bound) for part in parts)
            case Or(parts):
                return any(self.holds(part, state, bound) for part in parts)
            case Imply(premise, conclusion):
                return not self.holds(premise, state, bound) or self.holds(conclusion, state, bound)
            case ForAll(variables, part):
                return all(
                    self.holds(part, state, {**bound, **more}) for more in self.bindings(variables)
                )
            case Exists(variables, part):
                return any(
                    self.holds(part, state, {**bound, **more}) for more in self.bindings(variables)
                )

    def bind(self, action: Action) -> tuple[ActionSchema, dict[str, str]]:
        """The schema of an action and the values of its variables; ActionError if it fits none."""
        try:
            schema = self.domain.action(action.name)
        except UnknownNameError as error:
            raise ActionError(f"{action}: {error}") from error
        if len(action.args) != len(schema.parameters):
            raise ActionError(
                f"{action}: {action.name} takes {len(schema.parameters)} objects, "
                f"not {len(action.args)}."
            )
        for name, parameter in zip(action.args, schema.parameters, strict=True):
            if name not in self._types:
                raise ActionError(f"{action}: {UnknownNameError('object', name, self._types)}")
            if name not in self.objects_of(parameter.types):
                wanted = " or ".join(parameter.types)
                raise ActionError(
                    f"{action}: {name} is of type {self._types[name]}, but {parameter.name} "
                    f"must be {wanted}."
                )
        names = (parameter.name for parameter in schema.parameters)
        return schema, dict(zip(names, action.args, strict=True))

    def unmet_preconditions(self, action: Action, state: State) -> tuple[str, ...]:
        """The parts of the action's precondition that do not hold, as text."""
        schema, binding = self.bind(action)
        return self.missing(schema.precondition, state, binding)

    def missing(
        self, condition: Condition, state: State, binding: Binding | None = None
    ) -> tuple[str, ...]:
        """The parts of a condition that do not hold, e.g. `not closed(cabinet)`."""
        bound = binding or {}
        if self.holds(condition, state, bound):
            return ()
        if isinstance(condition, And):
            return tuple(m for part in condition.parts for m in self.missing(part, state, bound))
        if isinstance(condition, ForAll):
            wider = [{**bound, **more} for more in self.bindings(condition.variables)]
            return tuple(m for one in wider for m in self.missing(condition.part, state, one))
        return (_describe(condition, bound),)

    def unmet_literals(
        self, condition: Condition, state: State, binding: Binding | None = None
    ) -> tuple[Literal, ...]:
        """The facts for which a condition does not hold, as they would have to be.

        Of alternatives that are all false, every one counts. "For some" is left out: it is not
        known which object would have to change.
        """
        found = self._literals(condition, state, binding or {}, True, explain=True)
        return tuple(dict.fromkeys(one for one in found if (one.fact in state) != one.positive))

    def preconditions(self, action: Action, state: State) -> tuple[Literal, ...]:
        """The preconditions of the action, as single facts in the order they are written.

        Of alternatives, the first that holds in `state` counts (else the first). Quantified
        conditions are left out: they are not one fact that could be looked at.
        """
        schema, binding = self.bind(action)
        return tuple(dict.fromkeys(self._literals(schema.precondition, state, binding, True)))

    def effects(
        self, action: Action, state: State, quantified: bool = False
    ) -> tuple[Literal, ...]:
        """The effects of the action on the objects it names, applied in `state`.

        Changes over all objects (`forall`) are left out; `successor` includes them. With
        `quantified`, those count too that change something about an object that the action names:
        `put` makes its object be on the one place that it names.
        """
        schema, binding = self.bind(action)
        named = [e for e in schema.effects if not e.variables]
        fired = [e for e in named if self.holds(e.condition, state, binding)]
        made = {ground(e.atom, binding) for e in fired if e.positive}
        changes = [Literal(ground(e.atom, binding), e.positive) for e in fired]
        if quantified:
            wider = self.successor(state, action)
            about = set(action.args)
            found = [Literal(one, one in wider) for one in sorted(state ^ wider)]
            changes += [one for one in found if about.intersection(one.fact.args)]
        return tuple(
            one
            for one in dict.fromkeys(changes)
            if (one.positive or one.fact not in made) and self.is_well_typed(one.fact)
        )

    def successor(self, state: State, action: Action) -> State:
        """The state after an action whose precondition holds."""
        schema, binding = self.bind(action)
        return self.apply_effects(state, schema.effects, binding)

    def apply_effects(self, state: State, effects: tuple[Effect, ...], binding: Binding) -> State:
        """The state after some effects: conditions are evaluated first; adds win over deletes."""
        made: set[Fact] = set()
        undone: set[Fact] = set()
        for effect in effects:
            for more in self.bindings(effect.variables):
                bound = {**binding, **more}
                if self.holds(effect.condition, state, bound):
                    (made if effect.positive else undone).add(ground(effect.atom, bound))
        return (state - undone) | made

    def _literals(
        self,
        condition: Condition,
        state: State,
        bound: Binding,
        wanted: bool,
        explain: bool = False,
    ) -> Iterator[Literal]:
        """The facts that make the condition hold (or fail to, unless `wanted`).

        With `explain`, also those of a condition over all objects, and all alternatives that fail.
        """
        match condition:
            case Atom():
                fact = ground(condition, bound)
                if self.is_well_typed(fact):
                    yield Literal(fact, wanted)
            case Not(part):
                yield from self._literals(part, state, bound, not wanted, explain)
            case And(parts) | Or(parts):
                chosen = parts
                if isinstance(condition, And) is not wanted:  # one part is enough
                    good = [p for p in parts if self.holds(p, state, bound) is wanted]
                    chosen = tuple(good[:1]) or (parts if explain else parts[:1])
                for part in chosen:
                    yield from self._literals(part, state, bound, wanted, explain)
            case Imply(premise, conclusion):
                either = Or((Not(premise), conclusion))
                yield from self._literals(either, state, bound, wanted, explain)
            case ForAll(variables, part) | Exists(variables, part):
                if explain and isinstance(condition, ForAll) is wanted:
                    for more in self.bindings(variables):
                        yield from self._literals(part, state, {**bound, **more}, wanted, explain)
            case Equal():
                return


def validate(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Simulate the plan; `states` has the initial state and the state after each valid step."""
    rules, states = Rules.of(domain, problem), [problem.init]
    for number, action in enumerate(plan, 1):
        try:
            unmet = rules.unmet_preconditions(action, states[-1])
        except ActionError as error:
            return Validation(False, tuple(states), number, (), f"step {number}, {error}")
        if unmet:
            message = f"step {number}, {action}, needs {' and '.join(unmet)}, which does not hold."
            return Validation(False, tuple(states), number, unmet, message)
        states.append(rules.successor(states[-1], action))
    unmet = rules.missing(problem.goal, states[-1])
    if unmet:
        message = f"the goal needs {' and '.join(unmet)}, which does not hold at the end."
        return Validation(False, tuple(states), 0, unmet, message)
    return Validation(True, tuple(states))


def ground(atom: Atom, binding: Binding) -> Fact:
    """The fact of an atom, its variables bound."""
    return Fact(atom.predicate, tuple(binding.get(term, term) for term in atom.terms))


def _describe(condition: Condition, bound: Binding) -> str:
    match condition:
        case Atom():
            return str(ground(condition, bound))
        case Equal(left, right):
            return f"{bound.get(left, left)} = {bound.get(right, right)}"
        case Not(part):
            return f"not {_describe(part, bound)}"
        case And(parts) | Or(parts):
            word = " and " if isinstance(condition, And) else " or "
            return f"({word.join(_describe(part, bound) for part in parts)})"
        case Imply(premise, conclusion):
            return f"({_describe(premise, bound)} implies {_describe(conclusion, bound)})"
        case ForAll(variables, part) | Exists(variables, part):
            word = "all" if isinstance(condition, ForAll) else "some"
            names = ", ".join(v.name for v in variables)
            return f"for {word} {names}: {_describe(part, bound)}"
