"""Get: take a thing with the hand and the grasp that have the largest margins.

A command becomes candidate primitives (hand × grasp × angle). Each is tried in the robot's own
model of the scene on its whole way; the best one runs. If none can run, the failure of the best one
is reported: see `trial_feedback`. A motion is planned once and then carried out to its end. A
cancelled skill leaves the fingers as they are: what is held stays held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.controller import DT
from regrasp.control.following import follow_all, hold_still
from regrasp.control.hand_grasps import SIDE, HandGrasp, hand_grasps, same_grasp
from regrasp.control.hand_paths import backed, carry_ways, free_ways, ready_pose, straight_to
from regrasp.control.hand_reports import failed, lost, no_free_hand, refuse
from regrasp.control.hand_rest import settle
from regrasp.control.ik import Pose
from regrasp.control.palm_planner import UnreachedError
from regrasp.control.primitive_trial import Planning, PrimitiveTrial
from regrasp.control.staged_skill import Attempt, Stages, Steps
from regrasp.control.trial_feedback import refuse_infeasible
from regrasp.control.trial_ranking import best_first
from regrasp.control.two_arms import (
    CLOSED_M,
    GENTLE,
    OPEN_M,
    HandArm,
    Taken,
    TwoArms,
    carried_by,
)
from regrasp.core.arrays import Array
from regrasp.core.feedback import FailureCode

__all__ = ["close_fingers", "get", "grasp_primitives", "take"]

_BACK_M, _NEAR_M = 0.10, 0.045  # of an approach: the usual one, and where there is little room
_LIFT_M, _CLEAR_M, _LESS_CLEAR_M = 0.03, 0.12, 0.08
_CLOSE_S, _RELEASE_S = 0.5, 0.15
_WORSE = 2.0  # of the score: more than any margin. A bottle is poured from its side
_UNWANTED = 10.0  # of the score
_ACROSS = 4.0  # of the score, for each metre that a thing is on the side of the other hand


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
        return (yield from refuse_infeasible(robot, what, trials))
    choose(best.arm.hand)
    robot.taken[thing] = Taken(
        best.arm.hand, robot.foot_of(thing), robot.pose_of(thing).rotation,
        best.parts["reach"][-1][-1],
    )  # fmt: skip
    if not (yield from take(best, thing)):
        return failed(
            FailureCode.NOT_GRASPED, f"{what}: the fingers closed on nothing.",
            f"It is not where the {best.arm.hand} reached for it.", "Look for it, then try again.",
        )  # fmt: skip
    return None if best.arm.holds else lost(best.arm, thing, what)


def take(trial: PrimitiveTrial, thing: str) -> Attempt:
    """Run a grasp; whether the thing was between the fingers."""
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


def grasp_primitives(
    robot: TwoArms, thing: str, hand: str | None, wanted: Carried | None = None
) -> list[PrimitiveTrial]:
    """The trials of all grasps of a thing with the free hands (or the named one), best first.

    Grasps in another manner than the `wanted` one come last. Where none can run, more angles of the
    hand are tried.
    """
    robot.see()
    trials = best_first(_grasp_trials(robot, thing, hand, wanted))
    if trials[0].feasible:
        return trials
    return best_first([*trials, *_grasp_trials(robot, thing, hand, wanted, between=True)])


def _grasp_trials(
    robot: TwoArms,
    thing: str,
    hand: str | None,
    wanted: Carried | None,
    *,
    between: bool = False,
) -> Iterator[PrimitiveTrial]:
    for arm in robot.arms.values():
        if arm.holds or (hand is not None and arm.hand != hand):
            continue
        across = max(0.0, -float(np.sign(arm.shoulder[1]) * robot.pose_of(thing).position[1]))
        for grasp in hand_grasps(robot, arm, thing, between):
            name = f"with the {arm.hand} {grasp.manner}"
            worse = _WORSE * grasp.worse + _ACROSS * across
            poses = grasp.poses
            if wanted is not None:
                poses = _poses_alike(robot, thing, grasp, wanted) or poses
                worse += _UNWANTED * (poses is grasp.poses)
            plan = partial(_plan_get, poses=poses, manner=grasp.manner, thing=thing)
            yield PrimitiveTrial(robot, arm, name, plan, -worse)


def _poses_alike(robot: TwoArms, thing: str, grasp: HandGrasp, wanted: Carried) -> tuple[Pose, ...]:
    """The poses of a grasp at which a hand would hold the thing as wanted."""
    stands = robot.pose_of(thing)
    return tuple(p for p in grasp.poses if same_grasp(carried_by(thing, p, stands), wanted))


def _plan_get(trial: PrimitiveTrial, poses: Sequence[Pose], manner: str, thing: str) -> Planning:
    arm, robot = trial.arm, trial.robot
    pose, q = trial.palm.solve_any(poses, ignore=(thing,))
    reaches = [partial(_reach, trial, q, backed(pose, back)) for back in (_BACK_M, _NEAR_M)]
    trial.use_best("reach", reaches, ignore=(thing,))
    first = trial.parts["reach"][0][0]
    yield
    carried = carried_by(thing, pose, robot.pose_of(thing))
    support = [near.other for near in arm.check.along(q[None], carried) if near.collides]
    for other in support:
        if robot.stands_on(other, thing):
            trial.block(other, thing)
    rises = [_LIFT_M] if manner == SIDE else [_CLEAR_M, _LESS_CLEAR_M, _NEAR_M]
    lifted, up = _lifted(trial, q, pose, rises)
    end = trial.use("lift", up, carried, support=support)
    if manner == SIDE:
        away = [backed(lifted, _CLEAR_M), lifted.raised(_CLEAR_M)]
        ways = [partial(straight_to, trial, end, goal) for goal in away]
        end = trial.use_best("lift", ways, carried)
    yield
    trial.use_best("approach", free_ways(trial, arm.q, first))
    yield
    ready = ready_pose(arm, pose.rotation)
    trial.use_if_free("carry", carry_ways(trial, end, ready, carried), carried)


def _lifted(
    trial: PrimitiveTrial, q: Array, pose: Pose, rises: Sequence[float]
) -> tuple[Pose, Array]:
    """The first of several heights that can be reached straight up, and the way there."""
    *more, least = rises
    for rise in more:
        try:
            return pose.raised(rise), trial.palm.line(q, pose.raised(rise))
        except UnreachedError:
            continue
    return pose.raised(least), trial.palm.line(q, pose.raised(least))


def _reach(trial: PrimitiveTrial, q: Array, start: Pose) -> list[Array]:
    """The straight way of the palm from a pose to a posture."""
    return [trial.palm.line(q, start)[::-1]]
