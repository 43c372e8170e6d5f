"""Put: set a held thing down on a free spot of a place.

The candidate primitives are spot × angle of the hand. Where the thing was taken from the place, it
goes back the same way first. If no primitive can run with the present grasp, the robot looks for a
grasp with either hand with which one could; if there is one, it takes the thing anew (`hand_over`).
If there is none, nothing moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.following import follow_all, hold_still
from regrasp.control.hand_grasps import ABOVE, SIDE, azimuths_about
from regrasp.control.hand_paths import (
    backed,
    carry_ways,
    free_ways,
    is_from_side,
    straight_to,
    turned,
)
from regrasp.control.ik import Pose
from regrasp.control.palm_planner import UnreachedError
from regrasp.control.placements import Patch, covers, free_spots, in_the_way_again
from regrasp.control.primitive_trial import Planning, PrimitiveTrial
from regrasp.control.staged_skill import Attempt
from regrasp.control.trial_ranking import best_first
from regrasp.control.two_arms import GENTLE, OPEN_M, HandArm, Taken, TwoArms
from regrasp.core.arrays import Array

__all__ = ["put_primitives", "put_trials", "set_down"]

_NEAR_M, _LIFT_M, _CLEAR_M = 0.045, 0.03, 0.12
_GAP_M = 0.002  # height at which a thing is released
_RELEASE_S = 0.15
_SPOTS = 7
_SAME = 0.2  # rad: a thing that turned less in the hand is held as it was taken
_BACK = 2.0  # of the score, for where it was; twice as much off for where it was in the way


def set_down(trial: PrimitiveTrial) -> Attempt:
    """Put down what is held; whether it was held until then."""
    arm, parts = trial.arm, trial.parts
    yield from follow_all(arm, parts["carry"], "carry", GENTLE)
    yield from follow_all(arm, parts["lower"], "lower", GENTLE)
    kept = bool(arm.holds)
    arm.fingers = OPEN_M
    yield from hold_still(arm, _RELEASE_S, "release")
    yield from follow_all(arm, parts["retreat"], "retreat")
    yield from follow_all(arm, parts.get("return", ()), "return")
    return kept


def put_primitives(
    robot: TwoArms, arm: HandArm, thing: str, patches: Sequence[Patch]
) -> list[PrimitiveTrial]:
    """The trials of putting a held thing on spots of `patches` at several angles, best first."""
    robot.see()
    carried = arm.carried()
    assert carried is not None
    back = _back_trial(robot, arm, carried, patches)
    if back is not None:
        back.finish()
        if back.feasible:
            return [back]
    return best_first(put_trials(robot, arm, carried, patches))


def put_trials(
    robot: TwoArms,
    arm: HandArm,
    carried: Carried,
    patches: Sequence[Patch],
    *,
    room: float = 0.05,
    taker: HandArm | None = None,
    imagined: bool = False,
) -> list[PrimitiveTrial]:
    """The trials of putting down what is `carried`, in no order.

    Where it was taken from comes first, then spots with so much `room` (m) around them, then those
    that are handy for both hands. For a `taker` it is put on another spot, its grip towards it.
    `imagined` is a grasp that the hand does not have yet: the ways to the place and back are left
    out.
    """
    thing, trials = carried.name, []
    upright = carried.offset.rotation.T  # of the palm, when the thing stands and is not turned
    manner = SIDE if is_from_side(upright) else ABOVE
    name = f"with the {arm.hand} {manner}"
    spots = free_spots(robot, arm, thing, patches, _SPOTS, room)
    before = _taken_there(robot, thing, patches) if taker is None else None
    chosen = np.array([*([before.foot] if before else []), *spots])
    again = in_the_way_again(robot, thing, chosen)
    for k, spot in enumerate(chosen):
        for rotation in _rotations(robot, arm, spot, upright, manner, patches):
            plan = partial(
                _plan_put, carried=carried, spot=spot, rotation=rotation, manner=manner,
                imagined=imagined,
            )  # fmt: skip
            stands = Pose(spot, rotation @ carried.offset.rotation)
            away = 0.0 if taker is None else _turned_away(robot, taker, thing, stands)
            there = _BACK * (float(before is not None and k == 0) - 2.0 * float(again[k]))
            trials.append(PrimitiveTrial(robot, arm, name, plan, there - away))
    return trials


def _taken_there(robot: TwoArms, thing: str, patches: Sequence[Patch]) -> Taken | None:
    """How a thing was taken, if it stood on one of the patches and was not in the way there."""
    before = robot.taken.get(thing)
    if before is None or thing in robot.avoided:
        return None
    return before if any(covers(robot, patch, before.foot) for patch in patches) else None


def _back_trial(
    robot: TwoArms, arm: HandArm, carried: Carried, patches: Sequence[Patch]
) -> PrimitiveTrial | None:
    """Put a thing back the way it was taken; None if it is held in another way now."""
    before = _taken_there(robot, carried.name, patches)
    if before is None or before.hand != arm.hand:
        return None
    rotation = before.rotation @ carried.offset.rotation.T
    turn = rotation.T @ arm.kinematics.pose(before.q).rotation
    if float(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1.0, 1.0))) > _SAME:
        return None
    manner = SIDE if is_from_side(rotation) else ABOVE
    plan = partial(
        _plan_put,
        carried=carried,
        spot=before.foot,
        rotation=rotation,
        manner=manner,
        near=before.q,
    )
    name = f"with the {arm.hand} {manner}"
    return PrimitiveTrial(robot, arm, name, plan, thorough=True)


def _turned_away(robot: TwoArms, taker: HandArm, thing: str, stands: Pose) -> float:
    """The angle (rad) between the grip of a thing that `stands` somewhere and the taker's arm."""
    grip = robot.site(robot.things[thing].grasps[0].site).rotation[:, 2]
    if robot.shape(thing).round or robot.things[thing].grasps[0].above:
        return 0.0
    ahead = stands.rotation @ robot.pose_of(thing).rotation.T @ grip
    toward = stands.position - taker.shoulder
    turn = np.arctan2(ahead[1], ahead[0]) - np.arctan2(toward[1], toward[0])
    return abs(float((turn + np.pi) % (2 * np.pi) - np.pi))


def _rotations(
    robot: TwoArms,
    arm: HandArm,
    spot: Array,
    upright: Array,
    manner: str,
    patches: Sequence[Patch],
) -> list[Array]:
    """Rotations of the palm at a spot: square to a thing underneath, or at several angles."""
    if len(patches) == 1 and patches[0].body in robot.movable:
        under = robot.pose_of(patches[0].body).rotation
        yaw = float(np.arctan2(under[1, 0], under[0, 0]))
        return [turned(upright, yaw + k * np.pi / 2) for k in range(4)]
    away = spot - arm.shoulder
    palm = upright[:, 2] if manner == SIDE else upright[:, 0]
    azimuths = azimuths_about(float(np.arctan2(away[1], away[0])))
    turns = [azimuth - float(np.arctan2(palm[1], palm[0])) for azimuth in azimuths]
    return [turned(upright, turn) for turn in turns]


def _plan_put(
    trial: PrimitiveTrial,
    carried: Carried,
    spot: Array,
    rotation: Array,
    manner: str,
    near: Array | None = None,
    imagined: bool = False,
) -> Planning:
    """`near` (n,) is a posture at the spot that the arm has been in."""
    arm, thing = trial.arm, carried.name
    middle = spot + np.array([0.0, 0.0, _GAP_M - trial.robot.shape(thing).bottom])
    goal = Pose(middle - rotation @ carried.offset.position, rotation)
    q = trial.palm.solve(goal, carried) if near is None else trial.palm.solve_near(goal, near)
    away = [backed(goal, back) for back in (_CLEAR_M, _NEAR_M)]
    leave = [partial(straight_to, trial, q, end) for end in away]
    trial.use_best("retreat", leave, ignore=(thing,))
    yield
    lifted = goal.raised(_LIFT_M)
    overs = [goal.raised(_CLEAR_M), goal.raised(_NEAR_M)]
    if manner == SIDE:
        overs = [backed(lifted, _CLEAR_M), lifted.raised(_CLEAR_M), backed(lifted, _NEAR_M)]
    downs = [partial(_down, trial, q, lifted, over) for over in overs]
    trial.use_best("lower", downs, carried, arrives=True)
    yield
    if imagined:
        return
    first = trial.parts["lower"][0][0]
    over = arm.kinematics.pose(first)
    try:
        trial.use_best("carry", carry_ways(trial, arm.q, over, carried, first), carried)
    except UnreachedError as error:
        if not error.bends:
            raise
        # The arm cannot get into that posture from here: it arrives in the one that it can.
        trial.parts.clear()
        q = trial.use_best("carry", carry_ways(trial, arm.q, over, carried), carried)
        for pose in (lifted, goal):
            q = trial.use("lower", trial.palm.line(q, pose), carried)
        leave = [partial(straight_to, trial, q, end) for end in away]
        trial.use_best("retreat", leave, ignore=(thing,))
    yield
    trial.use_if_free("return", free_ways(trial, trial.parts["retreat"][-1][-1], arm.home))


def _down(trial: PrimitiveTrial, q: Array, lifted: Pose, over: Pose) -> list[Array]:
    """From over or beside a place to above it, then a little down to the posture there."""
    up = trial.palm.line(q, lifted)
    return [trial.palm.line(up[-1], over)[::-1], up[::-1]]
