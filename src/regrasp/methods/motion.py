"""A reward program on a robot, to its end, and what its failure is told as."""

from __future__ import annotations

from typing import Literal, TypeAlias

from regrasp.control.rewards import ImpossibleRewardError, RewardProgram
from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport

__all__ = ["FeedbackStyle", "follow", "told"]

FeedbackStyle: TypeAlias = Literal["float", "evidence"]
"""What a planner is told of a failed motion: the number that the paper gives, or all there is."""


def follow(robot: Robot, program: RewardProgram) -> SkillReport:
    """Let the motion controller satisfy `program`; its report.

    A program that no motion can satisfy (move the cabinet away) has failed, with the robot's words:
    language models write such, and nothing was done that could not be undone.
    """
    action = Action("follow_reward", (str(program),))
    try:
        run = robot.start(action)
    except ImpossibleRewardError as error:
        refused = Feedback(FeedbackLevel.SEMANTIC, FailureCode.REFUSED, str(error))
        return SkillReport(action, Outcome.FAILED, 0.0, refused)
    while run.step():
        pass
    if run.report is None:
        raise RegraspError(f"{robot.name} ended follow_reward without a report.")
    return run.report


def told(feedback: Feedback | None, style: FeedbackStyle) -> str:
    """A failure in words: only the error that is left, or code, sentence, reason and evidence."""
    if feedback is None:
        return ""
    if style == "evidence":
        return str(feedback)
    return next((str(e.value) for e in feedback.evidence if isinstance(e.value, float)), "")
