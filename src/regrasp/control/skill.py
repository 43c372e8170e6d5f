"""Execution of a reward program, one control step at a time, to an outcome with reasons.

A stage ends when it is done, when the object slips, when it makes no progress, or when its time is
over. At the end, the terms that `RewardProgram.success` selects decide success. A failure holds the
measurements of the stage that stopped the motion, and only those that a real robot could take.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from regrasp.control.controller import Controller
from regrasp.control.failure_report import StageFailure, failure
from regrasp.control.guard import GuardTrip
from regrasp.control.motion import Motion, RewardAbandoned, furthest, measures, motion
from regrasp.control.reward_terms import RewardProgram, Success
from regrasp.control.stages import MotionStage
from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Progress, SkillReport

__all__ = ["RewardSkill"]

_COST_STALL_S = 1.5  # no better plan for this long: start again from here, with more noise
_PATIENCE_S = 4.0  # no progress for this long: end the stage
_FORCE_WINDOW = 200  # control steps over which the peak force is reported
_LOST = 0.06  # m from the palm: farther away, an object is no longer held


@dataclass
class _StageProgress:
    """The progress of the present stage."""

    stage: MotionStage
    begun: float
    first_error: float
    best_error: float
    progress_at: float
    better_at: float
    best_cost: float = np.inf
    nearest: float = np.inf
    neared: float = np.inf


class RewardSkill:
    """A reward program under execution; a `SkillRun`."""

    def __init__(self, action: Action, program: RewardProgram, controller: Controller) -> None:
        self._action, self._program, self._c = action, program, controller
        self._measures = measures(program, controller.stages)
        self._reached = False
        self._motion: Motion = motion(program, controller.stages)
        self._begun = controller.plant.seconds
        self._course: _StageProgress | None = None
        self._attempt: StageFailure | None = None
        self._step_in_plan = 0
        self._cancelled: str | None = None
        self._forces: deque[float] = deque(maxlen=_FORCE_WINDOW)
        self.report: SkillReport | None = None

    @property
    def progress(self) -> Progress:
        """The stage and its error now.

        A stage name leaves out the first argument of the action: while `place(cube, crate)` runs,
        "release" releases the cube, and "release kettle" empties the hand before it.
        """
        now = self._c.now
        if self._course is None:
            return Progress("start", furthest(self._measures, now).error(now))
        stage = self._course.stage
        words = (word for word in stage.name.split() if word not in self._action.args[:1])
        return Progress(" ".join(words), stage.error(now))

    def cancel(self, why: str) -> None:
        """Stop at the next step, whatever the reason is."""
        self._cancelled = str(why) or "no reason was given"

    def step(self) -> bool:
        """One control step; True while running."""
        if self.report is not None:
            return False
        if self._cancelled is not None:
            self._c.hold()
            self._stop(Outcome.ABORTED, FailureCode.CANCELLED, f"cancelled: {self._cancelled}")
            return False
        try:
            if self._course is None:
                self._enter(next(self._motion, None))
            if self._course is not None:
                self._drive(self._course)
        except GuardTrip as trip:
            self._stop(Outcome.FAILED, FailureCode.GUARD, f"the guard stopped the robot: {trip}")
        return self.report is None

    # ---- inside --------------------------------------------------------------------------------

    def _drive(self, course: _StageProgress) -> None:
        c, seconds = self._c, self._c.plant.seconds
        planner = c.planner
        if self._step_in_plan == 0:
            cost = planner.plan(c.plant.data, course.stage.cost)
            if cost < course.best_cost - 0.01:
                course.best_cost, course.better_at, planner.noise = cost, seconds, 1.0
            elif seconds - course.better_at > _COST_STALL_S:
                c.hold()
                planner.noise = 2.0
                course.best_cost, course.better_at = np.inf, seconds
        c.command(planner.control(self._step_in_plan))
        self._forces.append(c.now.force)
        self._step_in_plan += 1
        if self._step_in_plan == planner.config.replan:
            planner.shift(self._step_in_plan)
            self._step_in_plan = 0
            self._check(course)

    def _check(self, course: _StageProgress) -> None:
        """Between two plans: is the stage done, stuck, or out of time?"""
        now, seconds, stage = self._c.now, self._c.plant.seconds, course.stage
        error = stage.error(now)
        self._reached |= self._program.success is Success.ONCE and self._met()
        if stage.touches:
            away = now.distance("palm", stage.touches)
            course.nearest = min(course.nearest, away)
            if away < course.neared - 0.01:  # still approaching: its target cannot move yet
                course.neared, course.progress_at = away, seconds
        if error < course.best_error - max(0.004, 0.02 * course.first_error):
            course.best_error, course.progress_at = error, seconds
        if stage.done(now):
            self._next(done=True)
            return
        dropped = bool(stage.held) and now.distance("palm", stage.held) > _LOST
        stuck = seconds - course.progress_at > _PATIENCE_S
        late = stage.needed and seconds - self._begun > self._program.duration
        if not (dropped or stuck or late or seconds - course.begun > stage.limit):
            return
        if stage.needed:
            self._attempt = StageFailure(
                stage=stage,
                error=error,
                first_error=course.first_error,
                nearest=course.nearest,
                force=max(self._forces),
                fingers=now.fingers,
                dropped=dropped,
                late=late and seconds - course.progress_at < 1.0,
                at_limit=tuple(self._c.joints_at_limit()),
            )
        self._next(done=False, late=late)

    def _next(self, *, done: bool, late: bool = False) -> None:
        """Send the result of the stage to the motion, and go to the next stage."""
        try:
            stage = self._motion.throw(RewardAbandoned()) if late else self._motion.send(done)
        except StopIteration:
            stage = None
        self._enter(stage)

    def _enter(self, stage: MotionStage | None) -> None:
        if stage is None:
            self._course = None
            self._conclude()
            return
        c, seconds = self._c, self._c.plant.seconds
        error = stage.error(c.now)
        self._course = _StageProgress(stage, seconds, error, error, seconds, seconds)
        self._step_in_plan = 0
        c.hold()

    def _met(self) -> bool:
        return all(one.met(self._c.now) for one in self._measures)

    def _conclude(self) -> None:
        now, seconds = self._c.now, self._c.plant.seconds - self._begun
        if self._reached or self._met():
            self.report = SkillReport(self._action, Outcome.SUCCEEDED, seconds)
            return
        feedback = failure(furthest(self._measures, now), now, self._attempt)
        timed_out = feedback.code is FailureCode.TIMED_OUT
        outcome = Outcome.TIMED_OUT if timed_out else Outcome.FAILED
        self.report = SkillReport(self._action, outcome, seconds, feedback)

    def _stop(self, outcome: Outcome, code: FailureCode, error: str) -> None:
        level = FeedbackLevel.PHYSICAL if code is FailureCode.GUARD else FeedbackLevel.RUNTIME
        seconds = self._c.plant.seconds - self._begun
        self.report = SkillReport(self._action, outcome, seconds, Feedback(level, code, error))
