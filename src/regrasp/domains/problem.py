"""A planning problem from a robot's domain: its objects, the believed state, and the goal."""

from __future__ import annotations

from collections.abc import Iterable

from regrasp.core.fact import State
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.domain import Problem
from regrasp.domains.formula import Condition
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["problem_of"]


def problem_of(
    skills: SkillDomain, known: Iterable[ObjectDescription], state: State, goal: Condition
) -> Problem:
    """The problem to reach `goal` from `state` with the objects that the robot knows."""
    constants = set(skills.domain.constants)
    objects = tuple(one for one in skills.rules(known).objects if one not in constants)
    return Problem(f"{skills.domain.name}-problem", skills.domain.name, objects, state, goal)
