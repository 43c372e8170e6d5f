"""A robot with an oracle controller: every motion that nothing prevents succeeds.

It is called `oracle` in every trace and table, and is an upper bound for controllers. A door that
is neither locked nor barred opens by itself. An object with a free path to its target is moved
along that path. Obstacles stay obstacles: if one is in the way, and for every motion that needs a
hand (hold, lift, rest), the real controller tries and gives its own report.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from regrasp.control.affordance import SceneObject
from regrasp.control.controller import Controller
from regrasp.control.failure_report import failure
from regrasp.control.free_space import PlacementProbe
from regrasp.control.motion import destination, furthest, measures
from regrasp.control.reward_terms import (
    PALM,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    Reward,
    RewardProgram,
)
from regrasp.control.sampler import OPEN
from regrasp.control.skill import RewardSkill
from regrasp.core.action import Action
from regrasp.core.arrays import Array
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Progress, SkillReport, SkillRun
from regrasp.worlds.blocking import obstructs
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import World

__all__ = ["ORACLE_CONTROLLER", "OracleRobot"]

ORACLE_CONTROLLER = "oracle controller"
"""The suffix of the name of a robot with such a controller."""

_SWING = 100  # control steps (1 s) in which a joint is moved to its target
_SETTLE = 50  # control steps (0.5 s) in which a moved object comes to rest
_OVERLAP = 0.006  # m of overlap that counts as a collision; less is contact
_STRIDE = 0.02  # m between two tested points of a path
_OUT, _OVER = 0.40, 0.60  # m: out of a place to the front, above everything


class OracleRobot(SimRobot):
    """A `SimRobot` with an oracle for a controller."""

    name = f"panda, {ORACLE_CONTROLLER}"

    def _skill(self, action: Action, program: RewardProgram) -> SkillRun:
        real = RewardSkill(action, program, self._controller)
        return _OracleSkill(self._world, self._controller, action, program, real)


class _OracleSkill:
    """A reward program run by the oracle; a `SkillRun`. If the oracle cannot, `real` takes over."""

    def __init__(
        self,
        world: World,
        controller: Controller,
        action: Action,
        program: RewardProgram,
        real: RewardSkill,
    ) -> None:
        self._world, self._c, self._action, self._program = world, controller, action, program
        self._real, self._try = real, False
        self._measures = measures(program, controller.stages)
        self._begun, self._steps = world.seconds, self._satisfy_terms()
        self._report: SkillReport | None = None

    @property
    def report(self) -> SkillReport | None:
        """How it ended, or None while it runs."""
        return self._real.report if self._try else self._report

    @property
    def progress(self) -> Progress:
        """The error of the term that is furthest from being met."""
        if self._try:
            return self._real.progress
        return Progress("oracle", furthest(self._measures, self._c.now).error(self._c.now))

    def cancel(self, why: str) -> None:
        """Stop at the next step."""
        if self._try:
            self._real.cancel(why)
            return
        feedback = Feedback(FeedbackLevel.RUNTIME, FailureCode.CANCELLED, f"cancelled: {why}")
        self._end(Outcome.ABORTED, feedback)

    def step(self) -> bool:
        """One control step; True while running."""
        if self._try:
            return self._real.step()
        if self._report is not None:
            return False
        if next(self._steps, None) is None and not self._try:
            now = self._c.now
            met = all(one.met(now) for one in self._measures)
            feedback = None if met else failure(furthest(self._measures, now), now, None)
            self._end(Outcome.SUCCEEDED if met else Outcome.FAILED, feedback)
        return self._try or self._report is None

    def _end(self, outcome: Outcome, feedback: Feedback | None) -> None:
        seconds = self._world.seconds - self._begun
        self._report = SkillReport(self._action, outcome, seconds, feedback)

    # ---- the oracle's motions ------------------------------------------------------------------

    def _satisfy_terms(self) -> Iterator[bool]:
        """One item per control step; ends early, and the real skill takes over, if it cannot."""
        terms = [t for t in self._program.terms if t.weight > 0 and PALM not in t.names]
        if PALM in self._program.primary.names:
            terms = []
        for term in terms:
            motion = self._motion(term)
            if motion is None:
                break
            yield from motion
        else:
            if terms:
                return
        self._try = True

    def _motion(self, term: Reward) -> Iterator[bool] | None:
        """The steps that satisfy a term; None if an obstacle is in the way or a hand is needed."""
        match term:
            case JointFraction(joint=joint, fraction=fraction):
                return self._swing(joint, fraction) if self._opens(joint, fraction) else None
            case MinimizeDistance() | MaximizeDistance():
                thing, at = destination(term, self._c.stages)
                if at is None or not _free_path(self._world, thing, at):
                    return None
                return self._carry(thing, at)
        return None

    def _opens(self, joint: str, fraction: float) -> bool:
        world = self._world
        if fraction < world.fraction(joint):
            return False  # the real controller shuts it
        if world.locked(joint):
            return False
        movable = (thing.name for thing in world.scene.things.values() if thing.movable)
        return not any(obstructs(world, thing, joint) for thing in movable)

    def _swing(self, joint: str, fraction: float) -> Iterator[bool]:
        world, sensor = self._world, f"{joint}.q"
        how = world.scene.joints[joint]
        goal = how.closed + fraction * (how.open - how.closed)
        address = int(world.model.joint(joint).qposadr[0])
        dof = int(world.model.joint(joint).dofadr[0])
        self._c.stages.kept_joints.pop(sensor, None)
        for q in np.linspace(float(world.data.qpos[address]), goal, _SWING):
            world.data.qpos[address], world.data.qvel[dof] = q, 0.0
            yield self._hold()
        yield from self._settle()
        self._c.stages.kept_joints[sensor] = float(self._c.now[sensor][0])

    def _carry(self, thing: SceneObject, at: Array) -> Iterator[bool]:
        world = self._world
        probe = PlacementProbe(world.planning, world.data, thing)
        joint = int(world.model.body_jntadr[probe.body])
        start, dof = int(world.model.jnt_qposadr[joint]), int(world.model.jnt_dofadr[joint])
        if any(self._c.stages.holds(self._c.now, grasp.site) for grasp in thing.grasps):
            world.data.ctrl[6] = OPEN  # open the hand when its object leaves
        world.data.qpos[start : start + 3] = at
        world.data.qpos[start + 3 : start + 7] = probe.level
        world.data.qvel[dof : dof + 6] = 0.0
        yield from self._settle()
        self._c.stages.kept_things[thing.site] = self._c.now[thing.site]

    def _settle(self) -> Iterator[bool]:
        for _ in range(_SETTLE):
            yield self._hold()

    def _hold(self) -> bool:
        self._world.advance(np.array(self._world.data.ctrl))
        return True


def _free_path(world: World, thing: SceneObject, at: Array) -> bool:
    """Whether `thing` can move from its position to `at` without a collision, except the arm.

    It tries the straight path, and every path that leaves its place upwards or to the front, passes
    above everything, and enters the other place from above or from the front.
    """
    probe = PlacementProbe(world.planning, world.data, thing)

    def free(points: list[Array]) -> bool:
        for a, b in pairwise(points):
            tries = max(2, int(np.linalg.norm(b - a) / _STRIDE))
            if any(probe.depth(a + t * (b - a)) > _OVERLAP for t in np.linspace(0.0, 1.0, tries)):
                return False
        return True

    def exits(place: Array) -> list[list[Array]]:
        """Paths out of a place, up to above everything."""
        towards_arm = -place[:2] / max(float(np.linalg.norm(place[:2])), 1e-9)
        front = place + np.append(_OUT * towards_arm, 0.0)
        high = [np.append(place[:2], _OVER), np.append(front[:2], _OVER)]
        return [[place, high[0]], [place, front, high[1]]]

    if probe.depth(at) > _OVERLAP:
        return False
    if probe.straight(at):
        return True
    out = [path for path in exits(probe.here) if free(path)]
    into = [path for path in exits(at) if free(path)]
    return any(free([a[-1], b[-1]]) for a in out for b in into)
