"""What every method is to whoever runs it: a goal, a robot and two models in, a claim out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from regrasp.core.claim import Claim
from regrasp.core.event import EventSink
from regrasp.core.robot import Robot
from regrasp.models.language import LanguageModel
from regrasp.models.vision import VisionModel

__all__ = ["Method"]

Method: TypeAlias = Callable[[str, Robot, LanguageModel, VisionModel, EventSink], Claim]
"""Called with the goal in words, the robot, what reasons, what sees, and where events go."""
