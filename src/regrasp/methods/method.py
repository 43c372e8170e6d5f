"""The interface of every method: an assignment in, a claim out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from regrasp.core.claim import Claim
from regrasp.core.event import EventSink
from regrasp.core.goal import Goal
from regrasp.core.grounded import PredicateGrounding
from regrasp.core.person import Nobody, Person
from regrasp.core.robot import Robot
from regrasp.domains.skill_domain import SkillDomain
from regrasp.models.language import LanguageModel
from regrasp.models.vision import VisionModel

__all__ = ["Assignment", "Method"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """All inputs of an agent: the instruction, a robot with its domain, and two models.

    `emit` takes the agent's events; it returns nothing. `person` gave the instruction and can be
    asked back. `goal` is the instruction as literals, where it has been read already
    (`methods.instructions`). `grounding` computes predicates from the robot's depth, joints and
    odometry; None for a robot without depth.
    """

    instruction: str
    robot: Robot
    domain: SkillDomain
    language: LanguageModel
    vision: VisionModel
    emit: EventSink
    person: Person = field(default_factory=Nobody)
    goal: Goal | None = None
    grounding: PredicateGrounding | None = None


Method: TypeAlias = Callable[[Assignment], Claim]
"""Carries out an assignment and claims success, or gives the reason for its failure."""
