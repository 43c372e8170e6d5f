"""Run a skill to its end: the one loop that every caller uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Progress, Robot, SkillReport, SkillRun

__all__ = ["RefusedRun", "run_skill", "run_to_end", "start_skill"]


@dataclass(frozen=True, slots=True)
class RefusedRun:
    """A `SkillRun` of a skill that the robot refused to start: it has ended, and nothing moved."""

    report: SkillReport

    @property
    def progress(self) -> Progress:
        """Always at its end: the skill never started."""
        return Progress("refused", 1.0)

    def step(self) -> bool:
        """False: the skill does not run."""
        return False

    def cancel(self, why: str) -> None:
        """Does nothing: there is no skill to cancel."""


def start_skill(robot: Robot, action: Action) -> SkillRun:
    """Start a skill; a skill that the robot refuses counts as failed, with the robot's message.

    Models plan skills on objects that do not allow them. A refused skill has changed nothing, so it
    is a failure of that step and not an error of the run.
    """
    try:
        return robot.start(action)
    except RegraspError as error:
        refused = Feedback(FeedbackLevel.SEMANTIC, FailureCode.REFUSED, str(error))
        return RefusedRun(SkillReport(action, Outcome.FAILED, 0.0, refused))


def run_to_end(run: SkillRun, stop_asked: Callable[[], str] | None = None) -> SkillReport:
    """Step a skill until it ends; its report.

    Before every step `stop_asked` may give a reason to cancel it.
    """
    while stop_asked is None or not (why := stop_asked()):
        if not run.step():
            break
    else:
        run.cancel(why)
        run.step()
    if run.report is None:
        raise RegraspError("the skill stopped and has no report: the robot's `step` is wrong.")
    return run.report


def run_skill(
    robot: Robot, action: Action, stop_asked: Callable[[], str] | None = None
) -> SkillReport:
    """Start a skill and step it until it ends, or until a stop is asked for; its report."""
    return run_to_end(start_skill(robot, action), stop_asked)
