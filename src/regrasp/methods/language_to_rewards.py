"""Language to Rewards (Yu et al. 2023) as REPLAN's paper uses it: one translation, one motion.

It has no plan, no eyes while it acts and no second try; it is given the objects that REPLAN's
perceiver identifies at the start.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, StepStarted
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot
from regrasp.methods.motion import follow
from regrasp.perception.observer import Observer
from regrasp.perception.scan import scan
from regrasp.planners.rewards import RewardPlanner

__all__ = ["LanguageToRewards"]


@dataclass(frozen=True, slots=True)
class LanguageToRewards:
    """One run: the goal itself is the action that is turned into rewards."""

    robot: Robot
    eyes: Observer
    translator: RewardPlanner
    emit: EventSink

    def run(self, goal: str) -> Claim:
        """Translate `goal` and follow the rewards once."""
        scene = scan(self.eyes)
        program = self.translator.rewards(goal, scene)
        if program is None:
            return Claim(False, "the goal could not be turned into rewards")
        self.emit(StepStarted(goal, "arm"))
        report = follow(self.robot, program)
        done = report.outcome is Outcome.SUCCEEDED
        return Claim(done, "" if report.feedback is None else report.feedback.error)
