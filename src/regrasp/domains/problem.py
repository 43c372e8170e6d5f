"""A planning problem from a robot's domain: its objects, what is believed, and the goal."""

from __future__ import annotations

from collections.abc import Iterable

from regrasp.core.fact import Literal, State
from regrasp.core.knowledge import KnownObject
from regrasp.domains.domain import Problem
from regrasp.domains.formula import And, Atom, Condition, Not
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["goal_condition", "problem_of"]


def problem_of(
    skills: SkillDomain, known: Iterable[KnownObject], state: State, goal: Condition
) -> Problem:
    """The problem to reach `goal` from `state` with the objects that the robot knows."""
    constants = set(skills.domain.constants)
    objects = tuple(one for one in skills.rules(known).objects if one not in constants)
    return Problem(f"{skills.domain.name}-problem", skills.domain.name, objects, state, goal)


def goal_condition(literals: Iterable[Literal]) -> Condition:
    """The condition that all literals hold."""
    atoms = ((Atom(one.fact.predicate, one.fact.args), one.positive) for one in literals)
    return And(tuple(atom if positive else Not(atom) for atom, positive in atoms))
