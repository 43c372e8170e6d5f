"""A domain without `(either …)`, which Fast Downward's own translator does not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from regrasp.domains.domain import ActionSchema, Domain, Predicate, Problem
from regrasp.domains.formula import (
    And,
    Condition,
    Effect,
    Exists,
    ForAll,
    Imply,
    Not,
    Or,
    Parameter,
)


def portable_domain(domain: Domain) -> Domain:
    """The same domain: an action of a choice of types becomes an action for each of them."""
    predicates = tuple(
        Predicate(one.name, tuple(Parameter(p.name) for p in one.parameters))
        for one in domain.predicates
    )
    return replace(
        domain,
        predicates=predicates,
        actions=tuple(each for schema in domain.actions for each in _schemas(schema)),
    )


def portable_problem(problem: Problem) -> Problem:
    """The same problem."""
    return replace(problem, goal=_single(problem.goal))


def _schemas(schema: ActionSchema) -> Iterator[ActionSchema]:
    effects = tuple(
        Effect(e.atom, e.positive, variables, _single(e.condition))
        for e in schema.effects
        for variables in _choices(e.variables)
    )
    for number, parameters in enumerate(_choices(schema.parameters)):
        name = f"{schema.name}-{number}"
        yield ActionSchema(name, parameters, _single(schema.precondition), effects)


def _choices(parameters: tuple[Parameter, ...]) -> Iterator[tuple[Parameter, ...]]:
    for types in product(*(p.types for p in parameters)):
        yield tuple(Parameter(p.name, (t,)) for p, t in zip(parameters, types, strict=True))


def _single(condition: Condition) -> Condition:
    match condition:
        case Not(part):
            return Not(_single(part))
        case And(parts):
            return And(tuple(map(_single, parts)))
        case Or(parts):
            return Or(tuple(map(_single, parts)))
        case Imply(premise, conclusion):
            return Imply(_single(premise), _single(conclusion))
        case ForAll(variables, part):
            return And(tuple(ForAll(v, _single(part)) for v in _choices(variables)))
        case Exists(variables, part):
            return Or(tuple(Exists(v, _single(part)) for v in _choices(variables)))
        case _:
            return condition
