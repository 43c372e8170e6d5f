"""REPLAN's low level: how one step of a plan in words is executed.

For a robot that follows rewards, the step becomes a reward program, as in the paper. For a robot
with named skills, the step becomes calls of them, planned by the same language model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from regrasp.core.action import Action
from regrasp.core.execution import run_skill
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.monitors.execution_state import ExecutionState
from regrasp.planners.reward_planner import RewardPlanner
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import Declined
from regrasp.prompts.scene import SceneDescription

__all__ = [
    "FOLLOW_REWARD", "CallLevel", "FeedbackStyle", "LowLevel", "RewardLevel", "robot_message",
]  # fmt: skip

FOLLOW_REWARD = "follow_reward"
"""The skill of a robot that follows reward programs."""

FeedbackStyle: TypeAlias = Literal["float", "evidence"]
"""The report of a failed motion for the planner: the paper's number, or all evidence."""


@dataclass(frozen=True, slots=True)
class RewardLevel:
    """Steps as reward programs that the robot's motion controller follows."""

    robot: Robot
    planner: RewardPlanner

    def carry_out(
        self,
        step: str,
        scene: SceneDescription,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> Feedback | None:
        """None if the step succeeded, else its feedback."""
        program = self.planner.rewards(step, scene, plan, observations)
        if program is None:
            return _no_plan("no motion was found for it")
        return _failure(run_skill(self.robot, Action(FOLLOW_REWARD, (str(program),))))


@dataclass(slots=True)
class CallLevel:
    """Steps as calls of the robot's skills; `state` is the belief between them."""

    state: ExecutionState

    def carry_out(
        self,
        step: str,
        scene: SceneDescription,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> Feedback | None:
        """See `RewardLevel.carry_out`."""
        state = self.state
        state.look_around()
        found = state.plan(step)
        if isinstance(found, Declined):
            return _no_plan(found.why)
        for action in found.calls:
            failure = _failure(state.run(action))
            if failure is not None:
                return failure
        return None


LowLevel: TypeAlias = RewardLevel | CallLevel
"""Executes one step."""


def robot_message(feedback: Feedback, style: FeedbackStyle) -> str:
    """A failure as text for the planner: all evidence, or only the remaining error."""
    if feedback.code is FailureCode.NO_PLAN:
        return feedback.error
    if style == "evidence":
        return str(feedback)
    return next((str(e.value) for e in feedback.evidence if isinstance(e.value, float)), "")


def _no_plan(why: str) -> Feedback:
    return Feedback(FeedbackLevel.LOGICAL, FailureCode.NO_PLAN, why)


def _failure(report: SkillReport) -> Feedback | None:
    if report.outcome is Outcome.SUCCEEDED:
        return None
    unexplained = Feedback(FeedbackLevel.RUNTIME, FailureCode.NOT_OBSERVED, str(report.outcome))
    return report.feedback or unexplained
