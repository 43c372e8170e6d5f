"""Skills of the arms on a mobile base: grasp, lift, place, insert, pull.

Targets come from perception (`core.grounding`). A motion is planned in the robot's model of itself:
joint limits, and collisions with itself and the floor. The robot has no model of the scene, so the
last centimetres are felt: a hand that is pushed off its way has touched something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from regrasp.control.base_skills import drive_straight, raise_lift
from regrasp.control.following import follow, follow_all, hold_still
from regrasp.control.hand_paths import backed, turned
from regrasp.control.hand_reports import failed
from regrasp.control.ik import Pose
from regrasp.control.mobile_manipulator import CLOSED_M, MobileArm, MobileManipulator
from regrasp.control.mobile_paths import joint_way, line_way
from regrasp.control.paths import JointPath, NoPathError, solve_pose
from regrasp.control.staged_skill import Stages, Steps
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode, Feedback
from regrasp.core.grounding import GraspTarget, Placement

__all__ = ["grasp", "lift", "place", "pull"]

_BACK_M, _RAISE_M, _OVER_M, _INTO_M = 0.10, 0.06, 0.10, 0.22
_OFF_M, _TOUCH_M = 0.03, 0.012  # off its way: it did not get there; it touched something
_CLOSE_S, _RELEASE_S = 0.8, 0.3
_TARGETS = 12  # so many grasps or places are tried
_GENTLE = 1.2  # rad/s² with something in the hand
_PULL_M, _LIFT_M = 0.27, 0.10
_CARRY = {"down": (0.42, 0.24, 0.60), "level": (0.40, 0.24, 0.72)}
"""Where the left palm carries things, with the lift at zero."""
_HALF_TURN = np.diag([-1.0, -1.0, 1.0])


# ---- grasp -------------------------------------------------------------------------------------


def grasp(
    robot: MobileManipulator, thing: str, targets: Sequence[GraspTarget], *, fixed: bool
) -> Stages:
    """Grasp a thing by the best of `targets` that a free hand can get to.

    What is `fixed` to furniture (a handle) is held where it is; other things are raised and carried
    close to the body.
    """
    robot.begin()
    what = f"Could not grasp {thing}"
    free = [arm for arm in robot.arms.values() if not arm.gripped]
    if not free:
        yield from hold_still(robot.arms["left"], _RELEASE_S, "refuse")
        held = [Evidence(arm.hand, arm.thing) for arm in robot.arms.values()]
        return failed(
            FailureCode.NOT_GRASPED, f"{what}: both hands are full.", "",
            f"Place {held[0].value} first.", *held,
        )  # fmt: skip
    planned = _first_grasp(robot, free, targets)
    if isinstance(planned, NoPathError | None):
        yield from hold_still(free[0], _RELEASE_S, "refuse")
        return _unreachable(what, thing, len(targets), planned)
    arm, target, approach, reach = planned
    arm.open()
    yield from follow_all(arm, approach, "approach")
    yield from follow(arm, reach, "reach")
    off = float(np.linalg.norm(arm.tip(reach[-1]) - arm.palm.position))
    if off < _OFF_M:
        arm.fingers = CLOSED_M
        yield from hold_still(arm, _CLOSE_S, "grasp", until=lambda: arm.gripped)
    if not arm.gripped:
        arm.open()
        yield from hold_still(arm, _RELEASE_S, "release")
        yield from follow(arm, reach[::-1], "retreat")
        yield from _go_home(robot, arm)
        return _missed(what, off)
    arm.thing, arm.above = thing, target.above
    yield from hold_still(arm, _RELEASE_S, "grasp")
    if not fixed:
        yield from _raise(robot, arm)
        yield from _carry(robot, arm)
    return None if arm.gripped else _lost(arm, thing, what)


def _first_grasp(
    robot: MobileManipulator, free: Sequence[MobileArm], targets: Sequence[GraspTarget]
) -> tuple[MobileArm, GraspTarget, JointPath, Array] | NoPathError | None:
    """The first grasp that can be planned: arm, target, way to it, straight way in."""
    nearest: NoPathError | None = None
    for target in targets[:_TARGETS]:
        if target.width > 2 * robot.body.opening:
            continue
        goal = robot.to_base(target.position, target.rotation)
        for arm in sorted(free, key=lambda one: _sign(one) * -goal.position[1]):
            for flip in (np.eye(3), _HALF_TURN):
                pose = arm.lowered(Pose(goal.position, goal.rotation @ flip))
                try:
                    q = solve_pose(arm, pose)
                    reach = line_way(arm, q, backed(pose, _BACK_M))[::-1]
                    arm.see()
                    return arm, target, joint_way(arm, arm.q, reach[0]), reach
                except NoPathError as error:
                    nearest = nearest or error
    return nearest


def _raise(robot: MobileManipulator, arm: MobileArm) -> Steps:
    """Straight up from where the thing was, and back if the hand came level."""
    up = arm.palm.raised(_RAISE_M)
    yield from _try_line(arm, up, "raise")
    if _is_level(up):
        yield from _try_line(arm, backed(up, 2 * _BACK_M), "raise")
    if float(arm.palm.position[2]) < up.position[2] - _RAISE_M / 2:  # the arm could not: lift
        yield from raise_lift(robot, robot.lift_m + _LIFT_M)


def _carry(robot: MobileManipulator, arm: MobileArm) -> Steps:
    """Bring what is held close to the body, upright as it is."""
    now = arm.palm
    x, y, z = _CARRY["level" if _is_level(now) else "down"]
    ahead = 0.0 if _is_level(now) else _azimuth(now.rotation[:, 0])
    turn = ahead - _azimuth(now.rotation[:, 2 if _is_level(now) else 0])
    goal = Pose(np.array([x, _sign(arm) * y, z]), turned(now.rotation, turn))
    try:
        arm.see()
        way: JointPath = [line_way(arm, arm.q, goal)]
    except NoPathError:
        try:
            way = joint_way(arm, arm.q, solve_pose(arm, goal))
        except NoPathError:
            return
    yield from follow_all(arm, way, "carry", _GENTLE)


def lift(robot: MobileManipulator, thing: str) -> Stages:
    """Raise what is held with the lift of the robot, and bring it close to the body."""
    robot.begin()
    what = f"Could not lift {thing}"
    if (arm := robot.holder(thing)) is None:
        yield from hold_still(robot.arms["left"], _RELEASE_S, "refuse")
        return _not_held(robot, thing, what)
    yield from raise_lift(robot, robot.lift_m + _LIFT_M)
    yield from _carry(robot, arm)
    return None if arm.gripped else _lost(arm, thing, what)


# ---- place and insert --------------------------------------------------------------------------


def place(
    robot: MobileManipulator, thing: str, where: str, placements: Sequence[Placement]
) -> Stages:
    """Put what is held on the best of `placements`; into a shelf where the place has a front."""
    robot.begin()
    what = f"Could not put {thing} on {where}"
    if (arm := robot.holder(thing)) is None:
        yield from hold_still(robot.arms["left"], _RELEASE_S, "refuse")
        return _not_held(robot, thing, what)
    planned = _first_place(robot, arm, placements)
    if isinstance(planned, NoPathError | None):
        yield from hold_still(arm, _RELEASE_S, "refuse")
        return _unreachable(what, where, len(placements), planned)
    carry, enter, lower, leave = planned
    yield from follow_all(arm, carry, "carry", _GENTLE)
    yield from follow(arm, enter, "enter", _GENTLE)
    yield from follow(arm, lower, "lower", _GENTLE, until=lambda: _pushed_up(arm))
    off = float(np.linalg.norm((arm.palm.position - arm.tip(lower[-1]))[:2]))
    if arm.gripped and off > _OFF_M:
        yield from _try_line(arm, arm.palm.raised(_RAISE_M / 2), "retreat")
        yield from follow(arm, enter[::-1], "retreat", _GENTLE)
        return _missed(what, off)
    kept = arm.gripped
    evidence = Evidence("palm_height", float(arm.palm.position[2]) + robot.lift_m, "m")
    arm.open()
    yield from hold_still(arm, _RELEASE_S, "release")
    yield from follow(arm, leave, "retreat")
    yield from _go_home(robot, arm)
    if kept:
        return None
    return failed(
        FailureCode.DROPPED, f"{what}: the {arm.hand} lost it on the way.", "",
        f"Look for {thing} and grasp it again.", evidence,
    )  # fmt: skip


def _first_place(
    robot: MobileManipulator, arm: MobileArm, placements: Sequence[Placement]
) -> tuple[JointPath, Array, Array, Array] | NoPathError | None:
    """The first place that can be planned: ways to it, in, down, and out with an empty hand."""
    nearest: NoPathError | None = None
    for one in placements[:_TARGETS]:
        at = robot.to_base(one.position).position + np.array([0.0, 0.0, arm.above])
        for rotation in _rotations_at(robot, arm, at, one):
            pose = arm.lowered(Pose(at, rotation))
            over = pose.raised(0.03 if one.inward is not None else _OVER_M)
            before = backed(over, _INTO_M) if one.inward is not None else over.raised(0.02)
            try:
                q = solve_pose(arm, pose)
                down = line_way(arm, q, over)[::-1]
                enter = line_way(arm, down[0], before)[::-1]
                below = line_way(arm, q, pose.raised(-0.02))
                leave = line_way(arm, q, backed(pose, _INTO_M if _is_level(pose) else _OVER_M))
                arm.see()
                way = joint_way(arm, arm.q, enter[0])
                return way, enter, np.concatenate([down, below[1:]]), leave
            except NoPathError as error:
                nearest = nearest or error
    return nearest


def _rotations_at(
    robot: MobileManipulator, arm: MobileArm, at: Array, one: Placement
) -> list[Array]:
    """Rotations of the palm that keep what it holds upright, in the base's frame."""
    now = arm.palm.rotation
    axis = 2 if _is_level(arm.palm) else 0
    ahead = math.atan2(at[1], at[0] + 0.1)
    if one.inward is not None:
        yaw = robot.pose[2]
        ahead = math.atan2(one.inward[1], one.inward[0]) - yaw
    turns = (0.0, 0.3, -0.3, 0.6, -0.6) if axis == 2 else (0.0, 0.8, -0.8, math.pi / 2)
    return [turned(now, ahead + turn - _azimuth(now[:, axis])) for turn in turns]


def _pushed_up(arm: MobileArm) -> bool:
    """Whether what it holds stands on something: the hand is higher than it was sent."""
    return float(arm.palm.position[2] - arm.tip(arm.commanded)[2]) > _TOUCH_M


# ---- pull --------------------------------------------------------------------------------------


def pull(robot: MobileManipulator, thing: str) -> Stages:
    """Drive straight back with the handle in the hand, then let go of it."""
    robot.begin()
    what = f"Could not pull {thing} open"
    if (arm := robot.holder(thing)) is None:
        yield from hold_still(robot.arms["left"], _RELEASE_S, "refuse")
        return _not_held(robot, thing, what)
    start = robot.pose
    yield from drive_straight(robot, -_PULL_M, "pull", until=lambda: not arm.gripped)
    kept, moved = arm.gripped, math.dist(start[:2], robot.pose[:2])
    arm.open()
    yield from hold_still(arm, _RELEASE_S, "release")
    yield from _try_line(arm, backed(arm.palm, _BACK_M), "retreat")
    yield from _go_home(robot, arm)
    if kept:
        return None
    return failed(
        FailureCode.RESISTED, f"{what}: the handle slipped out of the hand.",
        "It jams, or the hand held it badly.", f"Grasp {thing} and pull again.",
        Evidence("pulled", moved, "m"),
    )  # fmt: skip


# ---- parts -------------------------------------------------------------------------------------


def _try_line(arm: MobileArm, pose: Pose, stage: str) -> Steps:
    """Move the palm straight to a pose, as far as the arm can."""
    try:
        way = line_way(arm, arm.q, pose)
    except NoPathError:
        return
    yield from follow(arm, way, stage, _GENTLE)


def _go_home(robot: MobileManipulator, arm: MobileArm) -> Steps:
    """Bring an empty arm to rest."""
    arm.see()
    try:
        way = joint_way(arm, arm.q, arm.home)
    except NoPathError:
        return
    yield from follow_all(arm, way, "return")


def _is_level(pose: Pose) -> bool:
    return float(pose.rotation[2, 2]) > -0.6


def _azimuth(direction: Array) -> float:
    return math.atan2(direction[1], direction[0])


def _sign(arm: MobileArm) -> float:
    return 1.0 if arm.side == "left" else -1.0


# ---- reports -----------------------------------------------------------------------------------


def _unreachable(what: str, thing: str, known: int, error: NoPathError | None) -> Feedback:
    if not known:
        return failed(
            FailureCode.NOT_OBSERVED, f"{what}: perception gives no pose for it.", "",
            f"Scan for {thing}, or adjust the base.",
        )  # fmt: skip
    limits = [Evidence("at_limit", name) for name in (error.at_limit if error else ())]
    reason = error.reason if error else "All are wider than the hand opens"
    return failed(
        FailureCode.OUT_OF_REACH, f"{what}: none of {known} poses can be reached.",
        f"{reason[:1].upper()}{reason[1:]}.", f"Adjust to {thing}, then try again.", *limits,
    )  # fmt: skip


def _missed(what: str, off: float) -> Feedback:
    if off >= _OFF_M:
        return failed(
            FailureCode.UNREACHED, f"{what}: the hand was pushed off its way.",
            "It touched something before it was there.", "Look again from another place.",
            Evidence("palm_distance", off, "m"),
        )  # fmt: skip
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: the fingers closed on nothing.",
        "It is not where it was seen.", "Scan for it, then try again.",
        Evidence("palm_distance", off, "m"),
    )  # fmt: skip


def _lost(arm: MobileArm, thing: str, what: str) -> Feedback:
    arm.open()
    return failed(
        FailureCode.DROPPED, f"{what}: the {arm.hand} lost it.", "The fingers closed on the way.",
        f"Look for {thing} and grasp it again.", Evidence("hand", arm.hand),
    )  # fmt: skip


def _not_held(robot: MobileManipulator, thing: str, what: str) -> Feedback:
    held = [Evidence(arm.hand, arm.thing or "nothing") for arm in robot.arms.values()]
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: no hand holds it.", "", f"Grasp {thing} first.", *held
    )
