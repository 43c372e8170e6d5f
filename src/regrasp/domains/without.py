"""A domain with fewer predicates: IALP's ablation without feasibility feedback.

An atom of a dropped predicate counts as met wherever a condition names it, and no action changes
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from regrasp.core.fact import State
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.formula import (
    ALWAYS,
    And,
    Atom,
    Condition,
    Equal,
    Exists,
    ForAll,
    Imply,
    Not,
    Or,
    joined,
)

__all__ = ["domain_without", "problem_without"]


def domain_without(domain: Domain, dropped: Iterable[str]) -> Domain:
    """The domain without some predicates."""
    names = frozenset(dropped)
    return replace(
        domain,
        predicates=tuple(one for one in domain.predicates if one.name not in names),
        actions=tuple(
            replace(
                schema,
                precondition=_without(schema.precondition, names),
                effects=tuple(
                    replace(effect, condition=_without(effect.condition, names))
                    for effect in schema.effects
                    if effect.atom.predicate not in names
                ),
            )
            for schema in domain.actions
        ),
    )


def problem_without(problem: Problem, dropped: Iterable[str]) -> Problem:
    """The problem without some predicates, in its facts and in its goal."""
    names = frozenset(dropped)
    init: State = frozenset(fact for fact in problem.init if fact.predicate not in names)
    return replace(problem, init=init, goal=_without(problem.goal, names))


def _without(condition: Condition, names: frozenset[str]) -> Condition:
    match condition:
        case Atom(predicate) | Not(Atom(predicate)):
            return ALWAYS if predicate in names else condition
        case Equal():
            return condition
        case Not(part):
            inner = _without(part, names)
            return ALWAYS if inner == ALWAYS else Not(inner)
        case And(parts) | Or(parts):
            return joined(condition, [_without(part, names) for part in parts])
        case Imply(premise, conclusion):
            then = _without(conclusion, names)
            return ALWAYS if then == ALWAYS else Imply(_without(premise, names), then)
        case ForAll(_, part) | Exists(_, part):
            inner = _without(part, names)
            return ALWAYS if inner == ALWAYS else replace(condition, part=inner)
