"""Open and close a door by its handle: take the handle, follow its arc, let go.

The handle may turn between the fingers, so the hand need not turn with the door: how far it lags at
the start and at the end are the primitives' two angles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

import mujoco
import numpy as np

from regrasp.control.affordance import SceneObject
from regrasp.control.following import follow_all, hold_still
from regrasp.control.hand_paths import backed, free_ways
from regrasp.control.hand_skills import failed, no_free_hand, refuse, settle
from regrasp.control.ik import Pose
from regrasp.control.postures import level_rotation
from regrasp.control.primitive_trial import (
    Planning,
    PrimitiveTrial,
    UnreachedError,
    best_first,
)
from regrasp.control.staged_skill import Stages
from regrasp.control.trial_feedback import none_feasible
from regrasp.control.two_arms import CLOSED_M, OPEN_M, HandArm, TwoArms
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode

__all__ = ["move_door"]

_STEP = 0.1  # of the range between two knots
_ENOUGH = 0.75  # of the way: a door that far is open
_FIRST, _LAST = (-0.5, -0.25, 0.0, 0.25, 0.5), (-0.9, -0.45, 0.0, 0.45, 0.9)
"""Angles (rad) between the hand and the direction into the door, at the start and at the end."""
_BACK_M, _CLOSE_S, _RELEASE_S, _SLOW = 0.10, 0.5, 0.15, 2.0
_PITCH = 0.1
_MOVED = 0.15  # of the range: a door that comes to less than this near its goal resisted


def move_door(robot: TwoArms, thing: str, goal: float) -> Stages:
    """Move the door of a thing to a fraction of its range: 1 open, 0 closed."""
    robot.begin()
    what = f"Could not {'open' if goal > 0.5 else 'close'} the door of {thing}"
    handle = robot.part_of(thing, "handle")
    if handle is None:
        return (yield from refuse(robot, failed(FailureCode.REFUSED, f"{what}: it has no handle.")))
    if full := no_free_hand(robot, what):
        return (yield from refuse(robot, full))
    yield from settle(robot)
    trials = _primitives(robot, handle, goal)
    best = trials[0]
    if not best.feasible:
        return (yield from refuse(robot, none_feasible(robot, what, trials)))
    arm = best.arm
    arm.fingers = OPEN_M
    yield from follow_all(arm, best.parts["approach"], "approach")
    yield from follow_all(arm, best.parts["reach"], "reach")
    arm.fingers = CLOSED_M
    yield from hold_still(arm, _CLOSE_S, "grasp")
    yield from follow_all(arm, best.parts["swing"], "swing", _SLOW, until=lambda: not arm.gripped)
    slipped, arm.fingers = not arm.gripped, OPEN_M
    yield from hold_still(arm, _RELEASE_S, "release")
    yield from follow_all(arm, best.parts["retreat"] if not slipped else (), "retreat")
    yield from settle(robot)
    reached = robot.fraction(handle.joint)
    if abs(reached - goal) > max(_MOVED, 1.0 - _ENOUGH if goal > 0.5 else 0.0):
        return failed(
            FailureCode.RESISTED, f"{what}: the handle did not follow the {arm.hand}.",
            "It slipped out of the fingers under load: it is locked or blocked.", "",
            Evidence("door_open", round(reached, 2)), Evidence("hand", arm.hand),
        )  # fmt: skip
    return None


def _primitives(robot: TwoArms, handle: SceneObject, goal: float) -> list[PrimitiveTrial]:
    robot.see()
    trials = []
    for arm in robot.arms.values():
        if not arm.holds:
            for first, last in itertools.product(_FIRST, _LAST):
                plan = partial(_plan, handle=handle, goal=goal, angles=(first, last))
                trials.append(PrimitiveTrial(robot, arm, f"with the {arm.hand}", plan))
    return best_first(trials)


def _plan(
    trial: PrimitiveTrial, handle: SceneObject, goal: float, angles: tuple[float, float]
) -> Planning:
    robot, arm, joint = trial.robot, trial.arm, handle.joint
    start = robot.fraction(joint)
    fractions = np.linspace(start, goal, max(2, int(np.ceil(abs(goal - start) / _STEP)) + 1))
    sites = _handle_poses(robot, handle, fractions.tolist())
    turns = np.linspace(*angles, len(sites))
    choices = [
        [_hand(site, float(turn), rolled) for site, turn in zip(sites, turns, strict=True)]
        for rolled in (True, False)
    ]
    first, q = trial.solve_any([poses[0] for poses in choices])
    poses = next(one for one in choices if one[0] is first)
    door = str(robot.plant.planning.body(robot.plant.planning.joint(joint).bodyid[0]).name)
    reach = trial.line(q, backed(first, _BACK_M))[::-1]
    trial.use("reach", reach, gripped=(door,))
    yield
    knots = [q]
    for pose in poses[1:]:
        try:
            knots.append(trial.line(knots[-1], pose)[-1])
        except UnreachedError:
            if len(knots) - 1 < _ENOUGH * (len(poses) - 1) or goal < 0.5:
                raise
            break
    values = [robot.articulations[joint].position(float(f)) for f in fractions[: len(knots)]]
    swing = np.column_stack([np.array(knots), values])
    least = int(np.ceil(_ENOUGH * len(poses))) if goal > 0.5 else len(swing)
    count = _free_part(arm, swing, least, door, joint)
    end = trial.use("swing", swing[:count], gripped=(door,), driven=(joint,))
    yield
    away = trial.line(end, backed(poses[count - 1], _BACK_M))
    last = np.column_stack([away, np.full(len(away), values[count - 1])])
    trial.use("retreat", last, gripped=(door,), driven=(joint,))
    yield
    trial.use_best("approach", free_ways(trial, arm.q, reach[0]))


def _free_part(arm: HandArm, swing: Array, least: int, door: str, joint: str) -> int:
    """How many knots of a swing are free, from its whole length down to `least`."""
    for count in range(len(swing), least, -1):
        nears = arm.check.along(swing[:count], gripped=(door,), driven=(joint,))
        if not any(near.collides for near in nears):
            return count
    return min(least, len(swing))


def _hand(site: Pose, turn: float, rolled: bool) -> Pose:
    """A palm at a handle, turned by `turn` from the direction into the door."""
    inward = site.rotation[:, 2]
    azimuth = float(np.arctan2(inward[1], inward[0])) + turn
    return Pose(site.position, level_rotation(azimuth, rolled=rolled, pitch=_PITCH))


def _handle_poses(robot: TwoArms, handle: SceneObject, fractions: Sequence[float]) -> list[Pose]:
    """The poses of a handle at fractions of its joint's range."""
    model, data = robot.plant.planning, mujoco.MjData(robot.plant.planning)
    data.qpos[:] = robot.plant.data.qpos
    poses = []
    for fraction in fractions:
        data.joint(handle.joint).qpos[0] = robot.articulations[handle.joint].position(fraction)
        mujoco.mj_kinematics(model, data)
        poses.append(Pose.of(data.site(handle.site)))
    return poses
