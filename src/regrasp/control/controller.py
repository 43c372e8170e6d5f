"""The controller: turns a reward program into motion, one control step at a time, and says why not.

It works on the simulator's state, which stands for the robot's own state estimator. What leaves it
is a `SkillReport`, whose evidence is only what a real robot could sense of itself.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Affordances
from regrasp.control.guard import Guard, GuardTrip
from regrasp.control.motion import GaveUp, Motion, measure, motion
from regrasp.control.mpc import Planner, PlannerConfig
from regrasp.control.report import Attempt, failure
from regrasp.control.reward_terms import RewardProgram
from regrasp.control.sampler import OPEN, PredictiveSampling, Sampler
from regrasp.control.stages import Estimate, Stage, Stages
from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback, FeedbackKind
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Progress, SkillReport

__all__ = ["Controller", "Plant", "RewardSkill"]

Array = npt.NDArray[np.float64]
_DT = 0.01
_COST_STALL_S = 1.5  # no better plan for this long: start over from here, with more noise
_PATIENCE_S = 4.0  # no progress for this long: give the stage up
_FORCE_WINDOW = 200  # control steps over which the peak force is reported


class Plant(Protocol):
    """What the controller moves: a model and its state, a lighter model to plan on, and a clock."""

    model: mujoco.MjModel
    data: mujoco.MjData
    planning: mujoco.MjModel

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        ...

    def advance(self, control: Array) -> None:
        """One control period (10 ms) under actuator commands (7,)."""
        ...


class Controller:
    """Planner, guard and the memory of what was achieved, for one plant."""

    def __init__(
        self,
        plant: Plant,
        affordances: Affordances,
        rng: np.random.Generator,
        *,
        sampler: Sampler | None = None,
        config: PlannerConfig | None = None,
        guard: Guard | None = None,
    ) -> None:
        self.plant = plant
        self.now = Estimate(plant.model, plant.data)
        self.stages = Stages(affordances, plant.planning)
        self.planner = Planner(
            plant.planning, rng, sampler or PredictiveSampling(), config or PlannerConfig()
        )
        self.guard = guard or Guard()
        self.planner.recentre(plant.data, OPEN)
        self.last = self.planner.control(0)
        arm = [plant.model.joint(f"joint{i}").id for i in range(1, 8)]
        self._arm = range(min(arm), max(arm) + 1)

    def command(self, wanted: Array) -> None:
        """Send one command (7,) in plan coordinates through the guard; may raise `GuardTrip`."""
        self.last = self.guard.command(wanted, self.last, _DT)
        self.plant.advance(self.planner.command(self.last))
        self.guard.watch(self.plant.model, self.plant.data, self._arm)

    def hold(self) -> None:
        """Plan to stay here."""
        self.planner.recentre(self.plant.data)
        self.planner.noise = 1.0

    def joints_at_limit(self) -> list[str]:
        """Arm joints within 0.03 rad of a stop."""
        model, data = self.plant.model, self.plant.data
        close = []
        for joint in self._arm:
            q = data.qpos[model.jnt_qposadr[joint]]
            if np.min(np.abs(model.jnt_range[joint] - q)) < 0.03:
                close.append(model.joint(joint).name)
        return close


class RewardSkill:
    """A reward program being followed; a `SkillRun`."""

    def __init__(self, action: Action, program: RewardProgram, controller: Controller) -> None:
        self._action, self._program, self._c = action, program, controller
        now, stages = controller.now, controller.stages
        self._measure = measure(program, stages, now)
        self._motion: Motion = motion(program, stages, now)
        self._begun = controller.plant.seconds
        self._attempt: Attempt | None = None
        self._stage: Stage | None = None
        self._step_in_plan = 0
        self._cancelled: str | None = None
        self._late = False
        self.report: SkillReport | None = None
        self._forces: deque[float] = deque(maxlen=_FORCE_WINDOW)

    @property
    def progress(self) -> Progress:
        """The stage and its error now."""
        if self._stage is None:
            return Progress("start", self._measure.error(self._c.now))
        return Progress(self._stage.name, self._stage.error(self._c.now))

    def cancel(self, why: str) -> None:
        """Stop at the next step."""
        self._cancelled = why

    def step(self) -> bool:
        """One control step; True while running."""
        if self.report is not None:
            return False
        if self._cancelled is not None:
            self._c.hold()
            self._finish(
                Outcome.ABORTED, FailureCode.CANCELLED, f"cancelled: {self._cancelled}"
            )
            return False
        try:
            if self._stage is None and not self._next(None):
                return False
            self._drive()
        except GuardTrip as trip:
            self._finish(Outcome.FAILED, FailureCode.GUARD, f"the guard stopped the robot: {trip}")
            return False
        return True

    # ---- inside --------------------------------------------------------------------------------

    def _drive(self) -> None:
        c, stage = self._c, self._stage
        assert stage is not None
        planner, seconds = c.planner, c.plant.seconds
        if self._step_in_plan == 0:
            cost = planner.plan(c.plant.data, stage.cost)
            if cost < self._best_cost - 0.01:
                self._best_cost, self._better_at, planner.noise = cost, seconds, 1.0
            elif seconds - self._better_at > _COST_STALL_S:
                c.hold()
                planner.noise = 2.0
                self._best_cost, self._better_at = np.inf, seconds
        c.command(planner.control(self._step_in_plan))
        self._forces.append(c.now.force)
        self._step_in_plan += 1
        if self._step_in_plan == planner.config.replan:
            planner.shift(self._step_in_plan)
            self._step_in_plan = 0
            self._check(stage)

    def _check(self, stage: Stage) -> None:
        """Between two plans: is the stage done, stuck, or out of time?"""
        now, seconds = self._c.now, self._c.plant.seconds
        error = stage.error(now)
        if stage.touches:
            self._nearest = min(self._nearest, now.distance("palm", stage.touches))
        if error < self._best_error - max(0.004, 0.02 * self._first_error):
            self._best_error, self._progress_at = error, seconds
        if stage.done(now):
            self._next(True)
            return
        dropped = bool(stage.held) and now.distance("palm", stage.held) > 0.06
        stuck = seconds - self._progress_at > _PATIENCE_S
        late = stage.needed and seconds - self._begun > self._program.duration
        if dropped or stuck or late or seconds - self._stage_begun > stage.limit:
            if stage.needed:
                self._attempt = Attempt(
                    stage, error, self._first_error, self._nearest, max(self._forces, default=0.0),
                    now.fingers, dropped, late and not stuck,
                    tuple(self._c.joints_at_limit()),
                )  # fmt: skip
            self._late = self._late or late
            self._next(False)

    def _next(self, done: bool | None) -> bool:
        """Go to the next stage of the motion; False when there is none and the skill has ended."""
        try:
            if done is None:
                make = next(self._motion)
            elif self._late and not done:
                self._late = False
                make = self._motion.throw(GaveUp())
            else:
                make = self._motion.send(done)
        except StopIteration:
            self._conclude()
            return False
        c = self._c
        self._stage = make(c.now)
        c.hold()
        self._step_in_plan = 0
        self._best_cost, self._better_at = np.inf, c.plant.seconds
        self._stage_begun = self._progress_at = c.plant.seconds
        self._first_error = self._best_error = self._stage.error(c.now)
        self._nearest = np.inf
        return True

    def _conclude(self) -> None:
        now, seconds = self._c.now, self._c.plant.seconds - self._begun
        if self._measure.met(now):
            self.report = SkillReport(self._action, Outcome.SUCCEEDED, seconds)
            return
        feedback = failure(self._measure, now, self._attempt)
        late = feedback.code is FailureCode.TIMED_OUT
        outcome = Outcome.TIMED_OUT if late else Outcome.FAILED
        self.report = SkillReport(self._action, outcome, seconds, feedback)

    def _finish(self, outcome: Outcome, code: FailureCode, error: str) -> None:
        kind = FeedbackKind.PHYSICAL if code is FailureCode.GUARD else FeedbackKind.RUNTIME
        self.report = SkillReport(
            self._action, outcome, self._c.plant.seconds - self._begun, Feedback(kind, code, error)
        )
