"""A skill that is a sequence of stages: a generator that moves the robot step by step.

It yields its progress after each step, and returns the feedback of a failure, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from regrasp.control.guard import GuardTrip
from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Progress, SkillReport

__all__ = ["Attempt", "StagedSkill", "Stages", "Steps", "refuse_unseen"]

Stages: TypeAlias = Generator[Progress, None, Feedback | None]
Steps: TypeAlias = Generator[Progress, None, None]
"""A part of a skill."""
Attempt: TypeAlias = Generator[Progress, None, bool]
"""A part of a skill that returns whether it succeeded."""


class StagedSkill:
    """A `SkillRun` over `stages`; `clock` gives the robot's seconds.

    `action` is the one that the report carries; a robot that chose an argument itself completes it.
    """

    def __init__(self, action: Action, stages: Stages, clock: Callable[[], float]) -> None:
        self.action, self._stages, self._clock = action, stages, clock
        self._begun, self._cancelled = clock(), ""
        self._progress = Progress("start", 1.0)
        self.report: SkillReport | None = None

    @property
    def progress(self) -> Progress:
        """The stage and how far (m) it is from its end."""
        return self._progress

    def cancel(self, why: str) -> None:
        """Stop at the next step, whatever the reason is."""
        self._cancelled = str(why) or "no reason was given"

    def step(self) -> bool:
        """One control step; True while running."""
        if self.report is not None:
            return False
        if self._cancelled:
            why = f"cancelled: {self._cancelled}"
            stopped = Feedback(FeedbackLevel.RUNTIME, FailureCode.CANCELLED, why)
            return self._end(Outcome.ABORTED, stopped)
        try:
            self._progress = next(self._stages)
        except StopIteration as ended:
            failure: Feedback | None = ended.value
            return self._end(Outcome.FAILED if failure else Outcome.SUCCEEDED, failure)
        except GuardTrip as trip:
            why = f"the guard stopped the robot: {trip}"
            return self._end(
                Outcome.FAILED, Feedback(FeedbackLevel.PHYSICAL, FailureCode.GUARD, why)
            )
        return True

    def _end(self, outcome: Outcome, feedback: Feedback | None) -> bool:
        self._stages.close()
        spent = round(self._clock() - self._begun, 6)
        self.report = SkillReport(self.action, outcome, spent, feedback)
        return False


def refuse_unseen(thing: str) -> Stages:
    """Fail: nothing can be done with a thing that was never seen."""
    yield Progress("look", 1.0)
    error = f"The robot has not seen {thing}, so it cannot act on it."
    return Feedback(FeedbackLevel.PHYSICAL, FailureCode.UNREACHED, error)
