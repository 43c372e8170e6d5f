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
from regrasp.core.grounded import BasePose, HandPose
from regrasp.core.grounding import GraspTarget, Placement
from regrasp.core.put_poses import BACK_M, MOST_TARGETS, is_level, put_ways, taking_ways

__all__ = ["grasp", "lift", "place", "pull"]

_RAISE_M, _RISES_M = 0.06, (0.18, 0.12, 0.06)
_FAST_M = 0.05  # so far off its way, a hand holds something that is fixed
_CLEAR_M = 0.25  # driven back with a thing in the hand, so that it is clear of where it was
_OFF_M, _TOUCH_M = 0.03, 0.012  # off its way: it did not get there; it touched something
_CLOSE_S, _RELEASE_S = 0.8, 0.3
_GENTLE = 1.2  # rad/s² with something in the hand
_PULL_M, _LIFT_M = 0.27, 0.10
_CARRY = {"down": (0.42, 0.24, 0.60), "level": (0.40, 0.24, 0.72)}
"""Where the left palm carries things, with the lift at zero."""


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
        if (off := _held_back(arm)) > _FAST_M:
            arm.open()
            yield from hold_still(arm, _RELEASE_S, "release")
            yield from _try_line(arm, backed(arm.palm, BACK_M), "retreat")
            yield from _go_home(robot, arm)
            return _missed(what, off)
        yield from drive_straight(robot, -_CLEAR_M, "clear", until=lambda: not arm.gripped)
        yield from _carry(robot, arm)
    return None if arm.gripped else _lost(arm, thing, what)


def _held_back(arm: MobileArm) -> float:
    """How far (m) a hand is from where it was sent: it holds something that cannot be raised."""
    return float(np.linalg.norm(arm.palm.position - arm.tip(arm.commanded)))


def _first_grasp(
    robot: MobileManipulator, free: Sequence[MobileArm], targets: Sequence[GraspTarget]
) -> tuple[MobileArm, GraspTarget, JointPath, Array] | NoPathError | None:
    """The first grasp that can be planned: arm, target, way to it, straight way in."""
    nearest: NoPathError | None = None
    for target in targets[:MOST_TARGETS]:
        if target.width > 2 * robot.body.opening:
            continue
        goal = robot.to_base(target.position)
        for arm in sorted(free, key=lambda one: _sign(one) * -goal.position[1]):
            for back, at in taking_ways(target, BasePose(*robot.pose)):
                try:
                    q = solve_pose(arm, _lowered(arm, at))
                    reach = line_way(arm, q, _lowered(arm, back))[::-1]
                    arm.see()
                    return arm, target, joint_way(arm, arm.q, reach[0]), reach
                except NoPathError as error:
                    nearest = nearest or error
    return nearest


def _raise(robot: MobileManipulator, arm: MobileArm) -> Steps:
    """Straight up from where the thing was.

    A hand from above may be in a drawer: it rises over its front, with the lift where the arm
    cannot. A level hand may be under a board: it rises a little and comes back first.
    """
    start = arm.palm
    level = is_level(start.rotation)
    heights = (_RAISE_M,) if level else _RISES_M
    for height in heights:
        try:
            way = line_way(arm, arm.q, start.raised(height))
        except NoPathError:
            continue
        yield from follow(arm, way, "raise", _GENTLE)
        break
    missing = heights[0] - float(arm.palm.position[2] - start.position[2])
    if missing > _RAISE_M / 2:
        yield from raise_lift(robot, robot.lift_m + missing)
    if level:
        yield from _try_line(arm, backed(arm.palm, 2 * BACK_M), "raise")


def _carry(robot: MobileManipulator, arm: MobileArm) -> Steps:
    """Bring what is held close to the body, upright as it is."""
    now = arm.palm
    x, y, z = _CARRY["level" if is_level(now.rotation) else "down"]
    ahead = 0.0 if is_level(now.rotation) else _azimuth(now.rotation[:, 0])
    turn = ahead - _azimuth(now.rotation[:, 2 if is_level(now.rotation) else 0])
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
    for one in placements[:MOST_TARGETS]:
        for way in put_ways(arm.held, one, BasePose(*robot.pose)):
            before, over, put, below, out = (_lowered(arm, pose) for pose in way.poses)
            try:
                q = solve_pose(arm, put)
                down = line_way(arm, q, over)[::-1]
                enter = line_way(arm, down[0], before)[::-1]
                lower = np.concatenate([down, line_way(arm, q, below)[1:]])
                leave = line_way(arm, q, out)
                arm.see()
                return joint_way(arm, arm.q, enter[0]), enter, lower, leave
            except NoPathError as error:
                nearest = nearest or error
    return nearest


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
    yield from _try_line(arm, backed(arm.palm, BACK_M), "retreat")
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


def _lowered(arm: MobileArm, pose: HandPose) -> Pose:
    return arm.lowered(Pose(pose.position, pose.rotation))


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
