"""Domains and problems of classical planning, as typed values. `pddl_read` makes them from text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import State
from regrasp.domains.formula import ALWAYS, Condition, Effect, Parameter

__all__ = ["ROOT", "ActionSchema", "Domain", "Object", "Predicate", "Problem", "Type"]

ROOT = "object"
"""The type that every object has."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type and its supertype."""

    name: str
    parent: str = ROOT


@dataclass(frozen=True, slots=True)
class Object:
    """A named object and its type."""

    name: str
    type: str = ROOT


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate over objects of certain types."""

    name: str
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionSchema:
    """An action for any objects of its parameters' types: its precondition and its effects."""

    name: str
    parameters: tuple[Parameter, ...]
    precondition: Condition = ALWAYS
    effects: tuple[Effect, ...] = ()


Named = TypeVar("Named", ActionSchema, Predicate)


@dataclass(frozen=True, slots=True)
class Domain:
    """Types, predicates and actions; constants are objects that every problem has."""

    name: str
    types: tuple[Type, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    actions: tuple[ActionSchema, ...] = ()
    constants: tuple[Object, ...] = ()
    requirements: tuple[str, ...] = ()
    _parents: Mapping[str, str] = field(init=False, repr=False, compare=False)
    _ancestry: dict[str, tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "_parents", {one.name: one.parent for one in self.types})

    def action(self, name: str) -> ActionSchema:
        """The action of that name; UnknownNameError if there is none."""
        return _named("action", name, self.actions)

    def predicate(self, name: str) -> Predicate:
        """The predicate of that name; UnknownNameError if there is none."""
        return _named("predicate", name, self.predicates)

    def ancestry(self, type_name: str) -> tuple[str, ...]:
        """The type and all its supertypes, up to `object`."""
        if type_name not in self._ancestry:  # asked for every object and type
            line = [type_name]
            while line[-1] != ROOT:
                line.append(self._parents[line[-1]])
            self._ancestry[type_name] = tuple(line)
        return self._ancestry[type_name]

    def is_a(self, type_name: str, types: Iterable[str]) -> bool:
        """Whether every object of the type is of one of `types`."""
        line = self.ancestry(type_name)
        return any(wanted in line for wanted in types)


@dataclass(frozen=True, slots=True)
class Problem:
    """The objects, the facts that are true at first, and the goal."""

    name: str
    domain: str
    objects: tuple[Object, ...] = ()
    init: State = frozenset()
    goal: Condition = ALWAYS


def _named(what: str, name: str, among: tuple[Named, ...]) -> Named:
    for one in among:
        if one.name == name:
            return one
    raise UnknownNameError(what, name, (one.name for one in among))
