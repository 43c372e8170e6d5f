"""Which actions make a literal true, found without grounding the domain.

The effects of each action are matched with the literal. Objects that the match leaves open are
taken from the facts that the action needs (where the bottle stands), or from all objects of the
type in the caller's order of preference (where it could be put).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.domains.domain import ActionSchema
from regrasp.domains.formula import Atom, Condition, Effect, Exists, Parameter
from regrasp.domains.hands_and_doors import atoms
from regrasp.domains.partial_state import PartialState, equalities
from regrasp.domains.rules import Rules

__all__ = ["Achievers", "Preference"]

Preference = Callable[[Mapping[str, str], str], tuple[float, ...]]
"""How well an object completes a binding of variables; the least comes first."""

_MOST = 2
"""Of actions that differ only in a free choice of objects: the most that can be done, or cannot."""

_MOST_TRIED = 60
"""The most choices of objects that are tried for one effect."""


def _no_preference(binding: Mapping[str, str], name: str) -> tuple[float, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Achievers:
    """The actions of a domain by the facts that they change, for the objects of `rules`."""

    rules: Rules
    _effects: Mapping[tuple[str, bool], tuple[tuple[ActionSchema, Effect], ...]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        found: dict[tuple[str, bool], list[tuple[ActionSchema, Effect]]] = {}
        for schema in self.rules.domain.actions:
            for effect in schema.effects:
                key = effect.atom.predicate, effect.positive
                found.setdefault(key, []).append((schema, effect))
        object.__setattr__(self, "_effects", {key: tuple(all) for key, all in found.items()})

    def actions(
        self, literal: Literal, state: PartialState, prefer: Preference = _no_preference
    ) -> tuple[Action, ...]:
        """Actions that make the literal true, best choices first; their preconditions may be unmet.

        Of actions that differ only in a free choice, a few are given: first those that can be done
        in `state`.
        """
        found: dict[Action, None] = {}
        for schema, effect in self._effects.get((literal.fact.predicate, literal.positive), ()):
            binding = self._match(schema, effect, literal.fact)
            if binding is not None:
                left = tuple(one for one in effect.variables if one.name not in binding)
                when = Exists(left, effect.condition) if left else effect.condition
                found |= dict.fromkeys(self._completed(schema, when, binding, state, prefer))
        return tuple(found)

    def determined(
        self,
        schema: ActionSchema,
        binding: Mapping[str, str],
        parameter: Parameter,
        state: PartialState,
    ) -> tuple[str, ...]:
        """The objects for a parameter that the needed facts about the other objects name.

        For `get(gin, ?y)` in a state with `on(gin, shelf)` it is the shelf.
        """
        found: dict[str, None] = {}
        for atom, positive in atoms(schema.precondition):
            others = [t for t in atom.terms if t != parameter.name and t.startswith("?")]
            if (
                positive
                and parameter.name in atom.terms
                and others
                and all(t in binding for t in others)
            ):
                found |= dict.fromkeys(_matches(atom, binding, parameter.name, state))
        allowed = set(self.rules.objects_of(parameter.types))
        return tuple(name for name in found if name in allowed)

    def _match(self, schema: ActionSchema, effect: Effect, fact: Fact) -> dict[str, str] | None:
        """The variables for which the effect is about the fact; None if it never is."""
        typed = {one.name: one.types for one in (*schema.parameters, *effect.variables)}
        binding: dict[str, str] = {}
        for term, name in zip(effect.atom.terms, fact.args, strict=True):
            if binding.setdefault(term, name) != name:
                return None
            if term not in typed and term != name:  # a constant
                return None
        for left, right in equalities(effect.condition):
            for one, other in ((left, right), (right, left)):
                if one in typed and one not in binding and other in binding:
                    binding[one] = binding[other]
        fits = all(
            name in self.rules.objects_of(typed[term])
            for term, name in binding.items()
            if term in typed
        )
        return binding if fits else None

    def _completed(
        self,
        schema: ActionSchema,
        condition: Condition,
        binding: dict[str, str],
        state: PartialState,
        prefer: Preference,
    ) -> Iterator[Action]:
        """The actions of a schema with this binding whose effect happens in `state`."""
        counts = {True: 0, False: 0}
        completed = self._bindings(schema, condition, binding, state, prefer)
        for bound in itertools.islice(completed, _MOST_TRIED):
            ready = state.may_hold(self.rules, schema.precondition, bound)
            counts[ready] += 1
            if counts[ready] <= _MOST:
                yield Action(schema.name, tuple(bound[one.name] for one in schema.parameters))
            if counts[True] >= _MOST:
                return

    def _bindings(
        self,
        schema: ActionSchema,
        condition: Condition,
        binding: dict[str, str],
        state: PartialState,
        prefer: Preference,
    ) -> Iterator[dict[str, str]]:
        """The completed bindings under which the effect with this condition happens."""
        left = [one for one in schema.parameters if one.name not in binding]
        open_names = {one.name for one in left}.intersection(_terms(condition))
        if not open_names and not state.may_hold(self.rules, condition, binding):
            return
        if not left:
            yield binding
            return
        parameter = left[0]
        for name in self._choices(schema, condition, binding, parameter, state, prefer):
            bound = {**binding, parameter.name: name}
            yield from self._bindings(schema, condition, bound, state, prefer)

    def _choices(
        self,
        schema: ActionSchema,
        condition: Condition,
        binding: dict[str, str],
        parameter: Parameter,
        state: PartialState,
        prefer: Preference,
    ) -> tuple[str, ...]:
        named = self.determined(schema, binding, parameter, state)
        if named:
            return named
        every = self.rules.objects_of(parameter.types)
        needed: dict[str, None] = {}
        for part in (condition, schema.precondition):
            for atom, positive in atoms(part):
                if positive and parameter.name in atom.terms:
                    needed |= dict.fromkeys(_matches(atom, binding, parameter.name, state))
        ranked = sorted(every, key=lambda name: (name not in needed, prefer(binding, name)))
        return tuple(ranked)


def _terms(condition: Condition) -> Iterator[str]:
    """The terms of a condition."""
    for atom, _ in atoms(condition):
        yield from atom.terms
    for pair in equalities(condition):
        yield from pair


def _matches(
    atom: Atom, binding: Mapping[str, str], variable: str, state: PartialState
) -> Iterator[str]:
    """The values of a variable for which the atom is true, or unknown, in the state."""
    at = atom.terms.index(variable)
    terms = [binding.get(term, term) for term in atom.terms]
    for facts in (state.true, state.unknown):
        matching = (
            fact
            for fact in facts
            if fact.predicate == atom.predicate
            and all(t == a or t.startswith("?") for t, a in zip(terms, fact.args, strict=True))
        )
        yield from sorted(fact.args[at] for fact in matching)
