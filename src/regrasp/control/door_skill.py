"""Open and close a door by its handle: take the handle, follow its arc, let go.

The fingers close across the hinge's axis, to which the handle is parallel: level at a door that
swings to the side, upright at one that folds down. The handle may turn between them, so the hand
need not turn with the door. At an angle q of the door its turn from the direction into the door is

    (1 - q / q_open) · first - lag · q,

and the primitives differ in `first`, `lag` and, at a door that swings to the side, in the pitch.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import mujoco
import numpy as np

from regrasp.control.affordance import SceneObject
from regrasp.control.following import follow_all, hold_still
from regrasp.control.hand_paths import backed, free_ways
from regrasp.control.hand_skills import close_fingers, failed, no_free_hand, refuse, settle
from regrasp.control.ik import Pose
from regrasp.control.postures import axis_rotation, hand_rotation
from regrasp.control.primitive_trial import Planning, PrimitiveTrial, best_first
from regrasp.control.staged_skill import Stages
from regrasp.control.trial_feedback import none_feasible
from regrasp.control.two_arms import OPEN_M, HandArm, TwoArms
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode

__all__ = ["move_door"]

_STEP = 0.05  # of the range between two knots
_ENOUGH, _SHORT = 0.8, 2.0  # of the way: a door that far is open; cost of the whole way
_FIRST, _LAG = (0.0, 0.45, -0.45), (0.0, 0.35, 0.7, 1.0)
_PITCHES, _STEEP = (0.1, 0.45), 0.7  # of a hand at an upright axis; how upright that is
_AROUND_M = 0.018  # of each finger from the middle: around a handle, clear of the door behind it
_BACK_M, _RELEASE_S, _SLOW = 0.10, 0.15, 2.0
_MOVED = 0.15  # of the range: a door that stays further from where the hand went resisted


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
    arm.fingers = _AROUND_M
    yield from follow_all(arm, best.parts["approach"], "approach")
    yield from follow_all(arm, best.parts["reach"], "reach")
    yield from close_fingers(arm)
    yield from follow_all(arm, best.parts["swing"], "swing", _SLOW, until=lambda: not arm.gripped)
    slipped, arm.fingers = not arm.gripped, _AROUND_M if goal > 0.5 else OPEN_M
    yield from hold_still(arm, _RELEASE_S, "release")
    for stage in () if slipped else ("retreat", "return"):
        yield from follow_all(arm, best.parts.get(stage, ()), stage)
    yield from settle(robot)
    reached = robot.fraction(handle.joint)
    if abs(reached - goal) > _MOVED + (1.0 - _ENOUGH if goal > 0.5 else 0.0):
        return failed(
            FailureCode.RESISTED, f"{what}: the handle did not follow the {arm.hand}.",
            "It slipped out of the fingers under load: it is locked or blocked.", "",
            Evidence("door_open", round(reached, 2)), Evidence("hand", arm.hand),
        )  # fmt: skip
    return None


def _primitives(robot: TwoArms, handle: SceneObject, goal: float) -> list[PrimitiveTrial]:
    robot.see()
    (door,) = _door_poses(robot, handle, [robot.fraction(handle.joint)])
    upright, trials = abs(door.axis[2]) > _STEEP, []
    for arm in robot.arms.values():
        if not arm.holds:
            for first, lag, pitch in itertools.product(
                _FIRST, _LAG, _PITCHES if upright else (0.0,)
            ):
                manner = _Manner(first, lag, pitch)
                plan = partial(_plan, handle=handle, goal=goal, manner=manner)
                trials.append(PrimitiveTrial(robot, arm, f"with the {arm.hand}", plan))
    return best_first(trials)


def _plan(trial: PrimitiveTrial, handle: SceneObject, goal: float, manner: _Manner) -> Planning:
    robot, arm, joint = trial.robot, trial.arm, handle.joint
    start = robot.fraction(joint)
    fractions = np.linspace(start, goal, max(2, int(np.ceil(abs(goal - start) / _STEP)) + 1))
    doors = _door_poses(robot, handle, fractions.tolist())
    choices = [
        [_hand(*one, manner, rolled) for one in zip(doors, fractions, strict=True)]
        for rolled in (True, False)
    ]
    leaf = str(robot.plant.planning.body(robot.plant.planning.joint(joint).bodyid[0]).name)
    least = int(np.ceil(_ENOUGH * (len(doors) - 1))) + 1 if goal > 0.5 else len(doors)
    values = np.array([[robot.articulations[joint].position(float(f))] for f in fractions])
    poses, knots = trial.solve_sequence(
        choices, least, gripped=(leaf,), driven=(joint,), values=values, fingers=_AROUND_M
    )
    reach = trial.line(knots[0], backed(poses[0], _BACK_M))[::-1]
    trial.use("reach", reach, gripped=(leaf,), fingers=_AROUND_M)
    yield
    swing = np.column_stack([knots, values[: len(knots)]])
    count = _free_part(arm, swing, least, leaf, joint)
    trial.worsen(_SHORT * (1 - count / len(doors)))
    end = trial.use("swing", swing[:count], gripped=(leaf,), fingers=_AROUND_M, driven=(joint,))
    yield
    away = trial.line(end, backed(poses[count - 1], _BACK_M))
    last = np.column_stack([away, np.full(len(away), values[count - 1, 0])])
    trial.use("retreat", last, gripped=(leaf,), fingers=_AROUND_M, driven=(joint,))
    yield
    with arm.check.moved(joint, float(values[count - 1, 0])):
        trial.use_if_free("return", free_ways(trial, away[-1], arm.home))
    yield
    trial.use_best("approach", free_ways(trial, arm.q, reach[0]))


def _free_part(arm: HandArm, swing: Array, least: int, leaf: str, joint: str) -> int:
    """How many knots of a swing are free, from its whole length down to `least`."""
    for count in range(len(swing), least, -1):
        nears = arm.check.along(swing[:count], gripped=(leaf,), fingers=_AROUND_M, driven=(joint,))
        if not any(near.collides for near in nears):
            return count
    return min(least, len(swing))


@dataclass(frozen=True, slots=True, eq=False)
class _DoorPose:
    """A door at one `angle` (rad, from closed): its handle's position, the direction into the door
    and the hinge's axis, each (3,)."""

    angle: float
    handle: Array
    inward: Array
    axis: Array


@dataclass(frozen=True, slots=True)
class _Manner:
    """How the hand is turned about the hinge (see above), and its pitch downwards, in rad."""

    first: float
    lag: float
    pitch: float


def _hand(door: _DoorPose, part: float, manner: _Manner, rolled: bool) -> Pose:
    """A palm at the handle of a door that is open to a `part` of its range."""
    turn = (1 - part) * manner.first - manner.lag * door.angle
    ahead = axis_rotation(door.axis, turn) @ door.inward
    across = np.cross(door.axis, ahead) * (-1.0 if rolled else 1.0)
    ahead = np.cos(manner.pitch) * ahead - np.array([0.0, 0.0, np.sin(manner.pitch)])
    return Pose(door.handle, hand_rotation(ahead, across))


def _door_poses(robot: TwoArms, handle: SceneObject, fractions: Sequence[float]) -> list[_DoorPose]:
    """A door at fractions of its joint's range."""
    model, data = robot.plant.planning, mujoco.MjData(robot.plant.planning)
    data.qpos[:] = robot.plant.data.qpos
    moved, joint = robot.articulations[handle.joint], data.joint(handle.joint)
    poses = []
    for fraction in fractions:
        joint.qpos[0] = moved.position(fraction)
        mujoco.mj_kinematics(model, data)
        axis, site = data.xaxis[joint.id].copy(), Pose.of(data.site(handle.site))
        inward = site.rotation[:, 2] - (site.rotation[:, 2] @ axis) * axis
        inward /= np.linalg.norm(inward)
        poses.append(_DoorPose(float(joint.qpos[0]) - moved.closed, site.position, inward, axis))
    return poses
