"""Get, put, rest and wait: skills of a robot with two arms.

A command becomes candidate primitives (hand × grasp × angle, or spot × angle). Each is tried in the
robot's own model of the scene on its whole way; the one with the largest margins runs. If none can
run, the failure of the best one is reported: see `trial_feedback`. A motion is planned once and
then carried out to its end. A cancelled skill leaves the fingers as they are: what is held stays
held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.controller import DT
from regrasp.control.following import brake, follow_all, hold_still
from regrasp.control.hand_grasps import ABOVE, SIDE, HandGrasp, azimuths_about, hand_grasps
from regrasp.control.hand_paths import (
    backed,
    carry_ways,
    free_ways,
    is_from_side,
    ready_pose,
    turned,
)
from regrasp.control.ik import Pose
from regrasp.control.placements import Patch, free_spots
from regrasp.control.primitive_trial import (
    Planning,
    PrimitiveTrial,
    UnreachedError,
    best_first,
)
from regrasp.control.staged_skill import Attempt, Stages, Steps
from regrasp.control.trial_feedback import none_feasible
from regrasp.control.two_arms import CLOSED_M, OPEN_M, HandArm, TwoArms, carried_by
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel

__all__ = [
    "GENTLE", "at_rest", "change_grasp", "close_fingers", "failed", "get", "grasp_primitives",
    "lost", "no_free_hand", "not_held", "put", "put_primitives", "refuse", "rest", "settle", "wait",
]  # fmt: skip

GENTLE = 3.0
"""Acceleration of the joints with something in the hand, rad/s²."""
_BACK_M, _NEAR_M = 0.10, 0.045  # of an approach: the usual one, and where there is little room
_LIFT_M, _CLEAR_M = 0.03, 0.12
_GAP_M = 0.002  # height at which a thing is released
_CLOSE_S, _RELEASE_S, _REFUSE_S = 0.5, 0.15, 0.2
_WORSE = 2.0  # of the score: more than any margin. A bottle is poured from its side
_ACROSS = 4.0  # of the score, for each metre that a thing is on the side of the other hand
_SPOTS = 7
_REGRASP_M = 0.08  # room around a thing that is taken again
_AT_REST = 0.1  # rad: a posture this near to the rest posture is at rest
_READY_M = 0.03


# ---- get ---------------------------------------------------------------------------------------


def get(
    robot: TwoArms,
    thing: str,
    place: str,
    hand: str | None = None,
    choose: Callable[[str], None] = lambda hand: None,
) -> Stages:
    """Take a thing from a place, with a given hand or the one that has the better grasp.

    `choose` is called with the hand that takes it.
    """
    robot.begin()
    what = f"Could not get {thing} from {place}"
    if full := no_free_hand(robot, what, hand):
        return (yield from refuse(robot, full))
    yield from settle(robot)
    trials = grasp_primitives(robot, thing, hand)
    best = trials[0]
    if not best.feasible:
        return (yield from refuse(robot, none_feasible(robot, what, trials)))
    choose(best.arm.hand)
    robot.taken_from[thing] = Pose(
        robot.foot_of(thing), best.arm.kinematics.pose(best.parts["reach"][-1][-1]).rotation
    )
    if not (yield from _take(best, thing)):
        return failed(
            FailureCode.NOT_GRASPED, f"{what}: the fingers closed on nothing.",
            f"It is not where the {best.arm.hand} reached for it.", "Look for it, then try again.",
        )  # fmt: skip
    return None if best.arm.holds else lost(best.arm, thing, what)


def _take(trial: PrimitiveTrial, thing: str) -> Attempt:
    """Run a grasp; whether something was between the fingers."""
    arm, parts = trial.arm, trial.parts
    arm.fingers = OPEN_M
    yield from follow_all(arm, parts["approach"], "approach")
    yield from follow_all(arm, parts["reach"], "reach")
    yield from close_fingers(arm)
    if arm.holds != thing:
        arm.fingers = OPEN_M
        yield from hold_still(arm, _RELEASE_S, "release")
        yield from follow_all(arm, [part[::-1] for part in parts["reach"]], "retreat")
        return False
    yield from hold_still(arm, _RELEASE_S, "grasp")
    yield from follow_all(arm, parts["lift"], "lift", GENTLE)
    yield from follow_all(arm, parts.get("carry", ()), "carry", GENTLE)
    return True


def close_fingers(arm: HandArm) -> Steps:
    """Close the fingers until something is gripped, gently: a thing that is knocked would tilt."""
    step = (arm.fingers - CLOSED_M) * DT / _CLOSE_S
    while arm.fingers > CLOSED_M and not arm.gripped:
        arm.fingers = max(CLOSED_M, arm.fingers - step)
        yield from hold_still(arm, DT, "grasp")
    yield from hold_still(arm, _RELEASE_S, "grasp", until=lambda: bool(arm.gripped))


def grasp_primitives(robot: TwoArms, thing: str, hand: str | None) -> list[PrimitiveTrial]:
    """The trials of all grasps of a thing with the free hands (or the named one), best first."""
    robot.see()
    trials = []
    for arm in robot.arms.values():
        if arm.holds or (hand is not None and arm.hand != hand):
            continue
        across = max(0.0, -float(np.sign(arm.shoulder[1]) * robot.pose_of(thing).position[1]))
        for grasp in hand_grasps(robot, arm, thing):
            name = f"with the {arm.hand} {grasp.manner}"
            plan = partial(_plan_get, grasp=grasp, thing=thing)
            worse = _WORSE * grasp.worse + _ACROSS * across
            trials.append(PrimitiveTrial(robot, arm, name, plan, -worse))
    return best_first(trials)


def _plan_get(trial: PrimitiveTrial, grasp: HandGrasp, thing: str) -> Planning:
    arm, robot = trial.arm, trial.robot
    pose, q = trial.solve_any(grasp.poses, ignore=(thing,))
    reaches = [partial(_reach, trial, q, backed(pose, back)) for back in (_BACK_M, _NEAR_M)]
    trial.use_best("reach", reaches, ignore=(thing,))
    first = trial.parts["reach"][0][0]
    yield
    carried = carried_by(thing, pose, robot.pose_of(thing))
    support = [near.other for near in arm.check.along(q[None], carried) if near.collides]
    for other in support:
        if robot.stands_on(other, thing):
            trial.block(other, thing)
    lifted = pose.raised(_LIFT_M if grasp.manner == SIDE else _CLEAR_M)
    end = trial.use("lift", trial.line(q, lifted), carried, support=support)
    if grasp.manner == SIDE:
        away = [backed(lifted, _CLEAR_M), lifted.raised(_CLEAR_M)]
        ways = [partial(_lines, trial, end, goal) for goal in away]
        end = trial.use_best("lift", ways, carried)
    yield
    trial.use_best("approach", free_ways(trial, arm.q, first))
    yield
    ready = ready_pose(arm, pose.rotation)
    trial.use_if_free("carry", carry_ways(trial, end, ready, carried), carried)


def _reach(trial: PrimitiveTrial, q: Array, start: Pose) -> list[Array]:
    """The straight way of the palm from a pose to a posture."""
    return [trial.line(q, start)[::-1]]


def _lines(trial: PrimitiveTrial, q: Array, end: Pose) -> list[Array]:
    """The straight way of the palm from a posture to a pose."""
    return [trial.line(q, end)]


# ---- put ---------------------------------------------------------------------------------------


def put(
    robot: TwoArms, thing: str, place: str, patches: Sequence[Patch], table: Sequence[Patch] = ()
) -> Stages:
    """Put a held thing down on a free spot of a place, and bring the arm to rest.

    What the holding hand cannot reach, the other one puts there: it takes the thing from the
    `table` in between.
    """
    robot.begin()
    what = f"Could not put {thing} on {place}"
    if not (arm := robot.holder(thing)):
        return (yield from refuse(robot, not_held(robot, thing, what)))
    yield from settle(robot, but=arm)
    trials = put_primitives(robot, arm, thing, patches)
    other = robot.other(arm)
    short = trials[0].unreached
    beyond = short is not None and not short.bends and not other.holds and bool(table)
    if beyond and (yield from change_grasp(robot, arm, thing, table, other)):
        arm = other
        trials = put_primitives(robot, arm, thing, patches)
    if not trials[0].feasible:
        return (yield from refuse(robot, none_feasible(robot, what, trials)))
    kept = yield from _place(trials[0])
    return None if kept else lost(arm, thing, what)


def _place(trial: PrimitiveTrial) -> Attempt:
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


def change_grasp(
    robot: TwoArms, arm: HandArm, thing: str, table: Sequence[Patch], taker: HandArm
) -> Attempt:
    """Put a held thing on a `table` and take it again with the hand of `taker`, maybe the same.

    Whether that hand holds it now. Nothing moves if there is no way to put it down within reach.
    """
    placings = put_primitives(robot, arm, thing, table, room=_REGRASP_M, taker=taker)
    if not placings[0].feasible or not (yield from _place(placings[0])):
        return False
    yield from settle(robot)
    takings = grasp_primitives(robot, thing, taker.hand)
    return takings[0].feasible and (yield from _take(takings[0], thing))


def put_primitives(
    robot: TwoArms,
    arm: HandArm,
    thing: str,
    patches: Sequence[Patch],
    *,
    room: float = 0.05,
    taker: HandArm | None = None,
) -> list[PrimitiveTrial]:
    """The trials of putting a held thing on spots of `patches` at several angles, best first.

    Where it was taken from comes first, then spots with so much `room` (m) around them, then those
    that are handy for both hands. For a `taker` it is put on another spot, its grip towards it.
    """
    robot.see()
    carried = arm.carried()
    assert carried is not None
    upright = carried.offset.rotation.T  # of the palm, when the thing stands and is not turned
    manner = SIDE if is_from_side(upright) else ABOVE
    name, trials = f"with the {arm.hand} {manner}", []
    for spot in free_spots(robot, arm, thing, patches, _SPOTS, room, back=taker is None):
        for rotation in _rotations(robot, arm, thing, spot, upright, manner, patches):
            plan = partial(_plan_put, carried=carried, spot=spot, rotation=rotation, manner=manner)
            stands = Pose(spot, rotation @ carried.offset.rotation)
            away = 0.0 if taker is None else _turned_away(robot, taker, thing, stands)
            trials.append(PrimitiveTrial(robot, arm, name, plan, -away))
    return best_first(trials)


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
    thing: str,
    spot: Array,
    upright: Array,
    manner: str,
    patches: Sequence[Patch],
) -> list[Array]:
    """Rotations of the palm at a spot: as it was taken there, square to a thing underneath, or
    at several angles."""
    before = robot.taken_from.get(thing)
    again = [before.rotation] if before is not None and before.position is spot else []
    if len(patches) == 1 and patches[0].body in robot.movable:
        under = robot.pose_of(patches[0].body).rotation
        yaw = float(np.arctan2(under[1, 0], under[0, 0]))
        return [turned(upright, yaw + k * np.pi / 2) for k in range(4)]
    away = spot - arm.shoulder
    palm = upright[:, 2] if manner == SIDE else upright[:, 0]
    azimuths = azimuths_about(float(np.arctan2(away[1], away[0])))
    turns = [azimuth - float(np.arctan2(palm[1], palm[0])) for azimuth in azimuths]
    return again + [turned(upright, turn) for turn in turns]


def _plan_put(
    trial: PrimitiveTrial, carried: Carried, spot: Array, rotation: Array, manner: str
) -> Planning:
    arm, thing = trial.arm, carried.name
    middle = spot + np.array([0.0, 0.0, _GAP_M - trial.robot.shape(thing).bottom])
    goal = Pose(middle - rotation @ carried.offset.position, rotation)
    q = trial.solve(goal, carried)
    backs = (_CLEAR_M, _NEAR_M) if manner == SIDE else (_CLEAR_M,)
    away = [backed(goal, back) for back in backs]
    trial.use_best("retreat", [partial(_lines, trial, q, end) for end in away], ignore=(thing,))
    yield
    lifted = goal.raised(_LIFT_M)
    overs = [lifted.raised(_CLEAR_M - _LIFT_M)]
    if manner == SIDE:
        overs = [backed(lifted, _CLEAR_M), lifted.raised(_CLEAR_M)]
    trial.use_best("lower", [partial(_down, trial, q, lifted, over) for over in overs], carried)
    yield
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
            q = trial.use("lower", trial.line(q, pose), carried)
        trial.use_best("retreat", [partial(_lines, trial, q, end) for end in away], ignore=(thing,))
    yield
    trial.use_if_free("return", free_ways(trial, trial.parts["retreat"][-1][-1], arm.home))


def _down(trial: PrimitiveTrial, q: Array, lifted: Pose, over: Pose) -> list[Array]:
    """From over or beside a place to above it, then a little down to the posture there."""
    up = trial.line(q, lifted)
    return [trial.line(up[-1], over)[::-1], up[::-1]]


# ---- rest and wait -----------------------------------------------------------------------------


def rest(robot: TwoArms) -> Stages:
    """Bring both arms to rest; a hand that holds something keeps it upright in front of it."""
    robot.begin()
    for arm in robot.arms.values():
        yield from brake(arm)
        if not at_rest(arm):
            trial = _rest_trial(robot, arm)
            if not trial.feasible:
                what = f"Could not bring the {arm.hand} to rest"
                return (yield from refuse(robot, none_feasible(robot, what, [trial])))
            yield from follow_all(arm, trial.parts["return"], "return", GENTLE)
    yield from hold_still(arm, _RELEASE_S, "return")
    return None


def settle(robot: TwoArms, but: HandArm | None = None) -> Steps:
    """Stop both arms, and bring those to rest that a skill has left elsewhere, except `but`.

    An arm that finds no way stays: the primitives then have to do with it.
    """
    for arm in robot.arms.values():
        yield from brake(arm)
    for arm in robot.arms.values():
        if arm is not but and not at_rest(arm):
            trial = _rest_trial(robot, arm)
            if trial.feasible:
                yield from follow_all(arm, trial.parts["return"], "settle", GENTLE)


def at_rest(arm: HandArm) -> bool:
    """Whether an arm is at its rest posture, or at its ready pose with what it holds."""
    carried = arm.carried()
    if carried is None:
        return float(np.abs(arm.q - arm.home).max()) < _AT_REST
    ready = ready_pose(arm, carried.offset.rotation.T)
    return float(np.linalg.norm(ready.position - arm.palm.position)) < _READY_M


def _rest_trial(robot: TwoArms, arm: HandArm) -> PrimitiveTrial:
    robot.see()
    return best_first([PrimitiveTrial(robot, arm, f"with the {arm.hand}", _plan_rest)])[0]


def _plan_rest(trial: PrimitiveTrial) -> Planning:
    arm, carried = trial.arm, trial.arm.carried()
    if carried is None:
        trial.use_best("return", free_ways(trial, arm.q, arm.home))
    else:
        ready = ready_pose(arm, carried.offset.rotation.T)
        trial.use_best("return", carry_ways(trial, arm.q, ready, carried), carried)
    yield


def wait(robot: TwoArms, seconds: float) -> Stages:
    """Hold still for a time."""
    robot.begin()
    for arm in robot.arms.values():
        yield from brake(arm)
    yield from hold_still(next(iter(robot.arms.values())), seconds, "wait")
    return None


# ---- reports -----------------------------------------------------------------------------------


def refuse(robot: TwoArms, why: Feedback) -> Stages:
    """Stand still for a moment, then fail: a refused skill also takes time."""
    yield from hold_still(next(iter(robot.arms.values())), _REFUSE_S, "refuse")
    return why


def failed(
    code: FailureCode, error: str, reason: str = "", suggestion: str = "", *evidence: Evidence
) -> Feedback:
    """A failure that the robot itself has sensed."""
    return Feedback(FeedbackLevel.PHYSICAL, code, error, reason, suggestion, evidence)


def lost(arm: HandArm, thing: str, what: str) -> Feedback:
    """The hand had the thing and lost it."""
    arm.fingers = OPEN_M
    return failed(
        FailureCode.DROPPED, f"{what}: the {arm.hand} lost it.",
        "The fingers of the gripper closed on the way.", f"Get {thing} again.",
        Evidence("hand", arm.hand), Evidence("load", arm.load_g, "g"),
    )  # fmt: skip


def not_held(robot: TwoArms, thing: str, what: str) -> Feedback:
    """No hand holds the thing."""
    held = [f"the {arm.hand} holds {arm.holds or 'nothing'}" for arm in robot.arms.values()]
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: no hand holds it.",
        f"{' and '.join(held)}.".capitalize(), f"Get {thing} first.",
    )  # fmt: skip


def no_free_hand(robot: TwoArms, what: str, hand: str | None = None) -> Feedback | None:
    """The failure if the named hand, or both, hold something; None if one is free."""
    arms = [arm for arm in robot.arms.values() if hand in (None, arm.hand)]
    if any(not arm.holds for arm in arms):
        return None
    held = [f"the {arm.hand} holds {arm.holds}" for arm in arms]
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: {' and '.join(held)}.",
        "A hand holds one thing at a time.", f"Put {arms[0].holds} down first.",
        *(Evidence(arm.hand, arm.holds) for arm in arms),
    )  # fmt: skip
