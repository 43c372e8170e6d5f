"""Pour: hold the lip of a vessel over another one, tilt until the weight in the hand says enough.

The weight in the hand falls by 1 g for 1 ml. The hand tilts quickly until something flows, then
slowly, and tilts back when what has left and what will leave on the way back are what was wanted. A
pour that is cancelled tilts back at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.controller import DT
from regrasp.control.following import follow_all
from regrasp.control.hand_paths import carry_ways, is_from_side, ready_pose, turned
from regrasp.control.hand_reports import failed, lost, not_held, refuse
from regrasp.control.hand_rest import settle
from regrasp.control.ik import Pose
from regrasp.control.postures import axis_rotation
from regrasp.control.primitive_trial import Planning, PrimitiveTrial
from regrasp.control.staged_skill import Stages, Steps
from regrasp.control.trajectory import Setpoint
from regrasp.control.trial_feedback import refuse_infeasible
from regrasp.control.trial_ranking import best_first
from regrasp.control.two_arms import GENTLE, HandArm, TwoArms
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode, Feedback
from regrasp.core.robot import Progress

__all__ = ["pour", "pour_primitives"]

_CLEAR_M = (0.03, 0.12)  # between the lowest point of the tilted vessel and the rim below
_TILT_RAD, _LEAST_RAD, _STEP_RAD = 2.4, 1.5, 0.08  # wanted, needed, between two knots
_TOWARD = tuple(np.linspace(-np.pi, np.pi, 6, endpoint=False))  # azimuths of the flow
_FAST, _SLOW, _BACK, _JOLT = 1.0, 0.25, 2.0, 15.0  # rad/s, rad/s²
_FLOWS_G, _DRY_G, _DRY_S = 0.05, 0.02, 0.6  # g in a step; longest time without flow at the end
_UNSTEADY = 10.0  # of the score, for each radian by which a joint's step changes
_CLOSE_G = 1.0  # so near is enough
_LONGEST_S, _TOP_UPS, _LAG_S = 60.0, 3, 0.05


def pour(robot: TwoArms, vessel: str, into: str, ml: float) -> Stages:
    """Pour `ml` from a held vessel into another one."""
    robot.begin()
    what = f"Could not pour {ml:g} ml from {vessel} into {into}"
    arm = robot.holder(vessel)
    if arm is None:
        return (yield from refuse(robot, not_held(robot, vessel, what)))
    if why := _too_full(robot, into, ml, what):
        return (yield from refuse(robot, why))
    yield from settle(robot, but=arm)
    trials = pour_primitives(robot, arm, vessel, into)
    best = trials[0]
    if not best.feasible:
        return (yield from refuse_infeasible(robot, what, trials))
    yield from follow_all(arm, best.parts["carry"], "carry", GENTLE)
    poured = yield from _pour_out(arm, best.parts["tilt"][0], ml)
    if not arm.holds:
        return lost(arm, vessel, what)
    yield from follow_all(arm, best.parts.get("return", ()), "return", GENTLE)
    if not arm.holds:
        return lost(arm, vessel, what)
    if poured < ml - max(2 * _CLOSE_G, 0.05 * ml):
        return failed(
            FailureCode.EMPTY, f"{what}: {poured:.0f} ml came out, then the flow stopped.",
            f"The {vessel} is empty or closed.", f"{ml - poured:.0f} ml are missing: use another.",
            Evidence("poured", poured, "ml"), Evidence("load", arm.load_g, "g"),
        )  # fmt: skip
    return None


def _too_full(robot: TwoArms, into: str, ml: float, what: str) -> Feedback | None:
    room = robot.plant.room_ml(into)
    if room >= ml:
        return None
    return failed(
        FailureCode.OVERFLOW, f"{what}: {into} has room for {room:.0f} ml only.",
        f"The {into} would overflow.", f"Pour {room:.0f} ml at most, or use another vessel.",
        Evidence("room", room, "ml"),
    )  # fmt: skip


# ---- primitives --------------------------------------------------------------------------------


def pour_primitives(robot: TwoArms, arm: HandArm, vessel: str, into: str) -> list[PrimitiveTrial]:
    """The trials of pouring at several angles about the target, to both sides, best first."""
    robot.see()
    carried = arm.carried()
    assert carried is not None
    palm = carried.offset.rotation.T  # when the vessel is upright and not turned
    level = is_from_side(palm)
    ahead = float(np.arctan2(palm[1, 2], palm[0, 2])) if level else 0.0
    # A hand at the side turns about its own axis; one from above leans any way.
    turns = (np.pi / 2, -np.pi / 2) if level else (0.0, np.pi / 2, np.pi, -np.pi / 2)
    heights = _CLEAR_M if level else _CLEAR_M[-1:]
    trials = []
    for toward, turn, height in itertools.product(_TOWARD, turns, heights):
        lean = _Lean(into, toward, toward + turn - ahead, height)
        plan = partial(_plan_pour, carried=carried, lean=lean)
        trials.append(PrimitiveTrial(robot, arm, f"with the {arm.hand}", plan))
    return best_first(trials)


@dataclass(frozen=True, slots=True)
class _Lean:
    """A vessel leans over the target towards the azimuth `toward`, itself turned by `turn` (rad).

    `height` (m) is left between its lowest point and the rim of the target.
    """

    into: str
    toward: float
    turn: float
    height: float


def _plan_pour(trial: PrimitiveTrial, carried: Carried, lean: _Lean) -> Planning:
    arm, poses = trial.arm, list(_tilts(trial.robot, carried, lean))
    _, knots = trial.palm.solve_sequence([poses], 1 + int(np.ceil(_LEAST_RAD / _STEP_RAD)), carried)
    trial.use("tilt", knots, carried)
    trial.worsen(_UNSTEADY * _unsteadiness(knots))
    yield
    trial.use_best("carry", carry_ways(trial, arm.q, poses[0], carried, knots[0]), carried)
    yield
    ready = ready_pose(arm, carried.offset.rotation.T)
    trial.use_if_free("return", carry_ways(trial, knots[0], ready, carried), carried)


def _unsteadiness(knots: Array) -> float:
    """The largest change (rad) of a joint's step along knots (m, n): an arm cannot follow it.

    Where the elbow goes to and fro while the hand turns evenly, the lip leaves the vessel below.
    """
    return float(np.abs(np.diff(knots, n=2, axis=0)).max(initial=0.0))


def _tilts(robot: TwoArms, carried: Carried, lean: _Lean) -> Iterator[Pose]:
    """Poses of the palm from upright to tilted, with the lip over the middle of the target."""
    shape, target = robot.shape(carried.name), robot.shape(lean.into)
    pose = robot.pose_of(lean.into)
    rim = pose.position + pose.rotation @ np.array([0.0, 0.0, target.top])
    upright = turned(np.eye(3), lean.turn)
    toward = np.array([np.cos(lean.toward), np.sin(lean.toward), 0.0])
    axis = np.cross([0.0, 0.0, 1.0], toward)
    lip = np.array([0.0, 0.0, shape.top]) + shape.mouth * (upright.T @ toward)
    for angle in np.arange(0.0, _TILT_RAD + 1e-9, _STEP_RAD):
        rotation = axis_rotation(axis, float(angle)) @ upright
        height = lean.height + max(0.0, shape.height * float(np.cos(angle)))
        middle = rim + np.array([0.0, 0.0, height]) - rotation @ lip
        hand = rotation @ carried.offset.rotation.T
        yield Pose(middle - hand @ carried.offset.position, hand)


# ---- pouring -----------------------------------------------------------------------------------


def _pour_out(arm: HandArm, knots: Array, ml: float) -> Generator[Progress, None, float]:
    """Tilt along `knots` until `ml` have left or nothing flows, and back; returns what has left."""
    tilt = _Tilt(arm, knots)
    full, poured = arm.load_g, 0.0
    try:
        for _ in range(_TOP_UPS):
            yield from _tilt_until(tilt, full, ml)
            yield from tilt.back()
            before, poured = poured, full - arm.load_g
            if poured >= ml - _CLOSE_G or poured - before < _CLOSE_G or not arm.holds:
                break
    except GeneratorExit:
        for _ in tilt.back():  # a reflex: nothing more is spilt than on the way back
            pass
        raise
    return poured


def _tilt_until(tilt: _Tilt, full: float, ml: float) -> Steps:
    """Tilt forward until tilting back now would leave `ml` poured, or until nothing flows."""
    last, began, dry, flow = tilt.arm.load_g, -1.0, 0.0, 0.0
    for _ in range(round(_LONGEST_S / DT)):
        tilt.step(_SLOW if began >= 0.0 else _FAST)
        now = tilt.arm.load_g
        left, last = last - now, now
        flow = 0.8 * flow + 0.2 * left / DT  # g/s, smoothed
        poured = full - now
        yield Progress("pour", max(0.0, ml - poured) / ml)
        if left > _FLOWS_G * DT and began < 0.0:
            began = tilt.angle
        still_to_come = flow * tilt.seconds_back_to(began) if began >= 0.0 else 0.0
        dry = dry + DT if tilt.at_end and left <= _DRY_G * DT else 0.0
        if poured + still_to_come >= ml or dry > _DRY_S or not tilt.arm.holds:
            return


class _Tilt:
    """A way back and forth along knots (m, n) that are `_STEP_RAD` of tilt apart."""

    def __init__(self, arm: HandArm, knots: Array) -> None:
        self.arm, self._knots, self.angle = arm, knots, 0.0
        self._speed = 0.0
        steepest = float(np.abs(np.diff(knots, axis=0)).max()) / _STEP_RAD
        self._most = min(_BACK, arm.speed / max(steepest, 1e-6))

    @property
    def at_end(self) -> bool:
        """Whether it is tilted as far as it goes."""
        return self.angle >= self._last - 1e-6

    @property
    def _last(self) -> float:
        return (len(self._knots) - 1) * _STEP_RAD

    def seconds_back_to(self, angle: float) -> float:
        """Seconds that its flow would go on if it tilted back to `angle` now: on average at half.

        It turns round first, and the arm lags behind its commands.
        """
        turns_round = (self._speed + self._most) / _JOLT
        return turns_round / 2 + _LAG_S + 0.5 * max(0.0, self.angle - angle) / self._most

    def step(self, speed: float) -> None:
        """One control step at a speed (rad/s), back if it is negative."""
        wanted = float(np.clip(speed, -self._most, self._most))
        self._speed += float(np.clip(wanted - self._speed, -_JOLT * DT, _JOLT * DT))
        self.angle = float(np.clip(self.angle + self._speed * DT, 0.0, self._last))
        s = self.angle / _STEP_RAD
        i = min(int(s), len(self._knots) - 2)
        slope = self._knots[i + 1] - self._knots[i]
        moving = 0.0 < self.angle < self._last
        v = slope * (self._speed / _STEP_RAD if moving else 0.0)
        self.arm.command(Setpoint(self._knots[i] + slope * (s - i), v, np.zeros_like(v)))

    def back(self) -> Steps:
        """Tilt back until upright."""
        while self.angle > 0.0:
            self.step(-_BACK)
            yield Progress("tilt back", self.angle)
        self._speed = 0.0
