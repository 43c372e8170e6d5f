"""Conditions and effects of PDDL, over variables such as `?x` and names of objects.

A condition is a tree, kept as it was written. An effect is flat: any nesting of `and`, `forall` and
`when` becomes a list of single changes, each with its own variables and its own condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

__all__ = [
    "ALWAYS",
    "NEVER",
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
    "joined",
    "negated",
    "substitute",
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

NEVER = Or()
"""The condition that never holds."""


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


def negated(part: Condition) -> Condition:
    """The opposite of a condition, without a double `not`."""
    if part in (ALWAYS, NEVER):
        return NEVER if part == ALWAYS else ALWAYS
    return part.part if isinstance(part, Not) else Not(part)


def joined(condition: And | Or, parts: Iterable[Condition]) -> Condition:
    """`condition` with those of `parts` that matter; a single one is not wrapped."""
    idle, decisive = (ALWAYS, NEVER) if isinstance(condition, And) else (NEVER, ALWAYS)
    left = tuple(dict.fromkeys(part for part in parts if part != idle))
    if decisive in left:
        return decisive
    return left[0] if len(left) == 1 else replace(condition, parts=left)


def substitute(condition: Condition, names: Mapping[str, str]) -> Condition:
    """The condition with objects in place of variables; equalities of two objects are decided."""
    match condition:
        case Atom(predicate, terms):
            return Atom(predicate, tuple(names.get(term, term) for term in terms))
        case Equal(left, right):
            left, right = names.get(left, left), names.get(right, right)
            if left == right:
                return ALWAYS
            both_objects = not (left.startswith("?") or right.startswith("?"))
            return NEVER if both_objects else Equal(left, right)
        case Not(part):
            return negated(substitute(part, names))
        case And(parts) | Or(parts):
            return joined(condition, [substitute(part, names) for part in parts])
        case Imply(premise, conclusion):
            return Imply(substitute(premise, names), substitute(conclusion, names))
        case ForAll(variables, part) | Exists(variables, part):
            bound = {variable.name for variable in variables}
            outer = {name: value for name, value in names.items() if name not in bound}
            return replace(condition, part=substitute(part, outer))
