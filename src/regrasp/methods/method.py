"""What every method is: what an agent is given goes in, its claim comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.claim import Claim
from regrasp.core.event import EventSink
from regrasp.core.robot import Robot
from regrasp.domains.skill_domain import SkillDomain
from regrasp.models.language import LanguageModel
from regrasp.models.vision import VisionModel

__all__ = ["Assignment", "Method"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """All that an agent is given: what a person asked, a robot with its domain, and two models.

    `emit` takes the agent's events; nothing comes back from it.
    """

    instruction: str
    robot: Robot
    domain: SkillDomain
    language: LanguageModel
    vision: VisionModel
    emit: EventSink


Method: TypeAlias = Callable[[Assignment], Claim]
"""Carries out an assignment and claims to have done it, or says why not."""
