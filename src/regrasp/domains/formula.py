"""Conditions and effects of PDDL, over variables such as `?x` and names of objects.

A condition is a tree, kept as it was written. An effect is flat: any nesting of `and`, `forall` and
`when` becomes a list of single changes, each with its own variables and its own condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "ALWAYS",
    "And",
    "Atom",
    "Condition",
    "Effect",
    "Equal",
    "Exists",
    "ForAll",
    "Imply",
    "Not",
    "Or",
    "Parameter",
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A variable and the types its object may have, e.g. `?c - (either receptacle basket)`."""

    name: str
    types: tuple[str, ...] = ("object",)


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of variables and objects, e.g. `(inside ?x cabinet)`."""

    predicate: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Equal:
    """Whether two terms are the same object."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Condition


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds; of no parts, always."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds; of no parts, never."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Imply:
    """The second holds wherever the first does."""

    premise: Condition
    conclusion: Condition


@dataclass(frozen=True, slots=True)
class ForAll:
    """The part holds of all objects of the variables' types."""

    variables: tuple[Parameter, ...]
    part: Condition


@dataclass(frozen=True, slots=True)
class Exists:
    """The part holds of some objects of the variables' types."""

    variables: tuple[Parameter, ...]
    part: Condition


Condition: TypeAlias = "Atom | Equal | Not | And | Or | Imply | ForAll | Exists"

ALWAYS = And()
"""The condition that always holds."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The atom becomes true, or false, for all objects of `variables` that meet the condition.

    Conditions are read before anything changes. Where one action makes a fact both true and false,
    it becomes true.
    """

    atom: Atom
    positive: bool = True
    variables: tuple[Parameter, ...] = ()
    condition: Condition = ALWAYS
