"""Rest and wait: both arms out of the way, with whatever they hold."""

from __future__ import annotations

import numpy as np

from regrasp.control.following import brake, follow_all, hold_still
from regrasp.control.hand_paths import carry_ways, free_ways, ready_pose
from regrasp.control.primitive_trial import Planning, PrimitiveTrial
from regrasp.control.staged_skill import Stages, Steps
from regrasp.control.trial_feedback import refuse_infeasible
from regrasp.control.trial_ranking import best_first
from regrasp.control.two_arms import GENTLE, HandArm, TwoArms

__all__ = ["at_rest", "rest", "settle", "wait"]

_RELEASE_S = 0.15
_AT_REST = 0.1  # rad: a posture this near to the rest posture is at rest
_READY_M = 0.03


def rest(robot: TwoArms) -> Stages:
    """Bring both arms to rest; a hand that holds something keeps it upright in front of it."""
    robot.begin()
    for arm in robot.arms.values():
        yield from brake(arm)
        if not at_rest(arm):
            trial = _rest_trial(robot, arm)
            if not trial.feasible:
                what = f"Could not bring the {arm.hand} to rest"
                return (yield from refuse_infeasible(robot, what, [trial]))
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
