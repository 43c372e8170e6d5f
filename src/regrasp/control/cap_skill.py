"""Screw a cap on or off: one hand holds the bottle up, the other one turns the cap from above."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.following import follow, follow_all, hold_still
from regrasp.control.hand_paths import backed, carry_ways, free_ways, is_from_side, turned
from regrasp.control.hand_skills import (
    GENTLE,
    change_grasp,
    failed,
    lost,
    no_free_hand,
    not_held,
    refuse,
    settle,
)
from regrasp.control.ik import Pose
from regrasp.control.placements import Patch
from regrasp.control.postures import yaw_rotation
from regrasp.control.primitive_trial import Planning, PrimitiveTrial, best_first
from regrasp.control.staged_skill import Stages
from regrasp.control.trial_feedback import none_feasible
from regrasp.control.two_arms import OPEN_M, HandArm, TwoArms
from regrasp.core.arrays import Array
from regrasp.core.feedback import FailureCode

__all__ = ["turn_cap"]

_MEET_M = ((0.45, 0.0, 1.02), (0.50, 0.12, 1.02), (0.50, -0.12, 1.02))  # where the hands meet
_AZIMUTHS = (0.0, 0.6, -0.6, 1.2, -1.2)
_YAWS = (0.0, 0.5, -0.5, np.pi / 2)  # of the turning hand, from across the holding one
_BACK_M, _BELOW_M, _AROUND_M, _SHUT_S = 0.10, 0.01, 0.02, 0.25
_TURN, _TURNS = 0.5, 3  # rad to either side, and how often
_MEETINGS = 6


def turn_cap(robot: TwoArms, bottle: str, table: Sequence[Patch] = (), *, on: bool) -> Stages:
    """Screw the cap of a held bottle on or off with the other hand.

    A bottle that is held so that its cap is out of reach is put on the `table` and taken anew.
    """
    robot.begin()
    what = f"Could not {'screw' if on else 'unscrew'} {bottle}"
    holder = robot.holder(bottle)
    if holder is None:
        return (yield from refuse(robot, not_held(robot, bottle, what)))
    turner = robot.other(holder)
    if full := no_free_hand(robot, what, turner.hand):
        return (yield from refuse(robot, full))
    yield from settle(robot, but=holder)
    held, turns = _primitives(robot, holder, turner, bottle, on)
    if table and not (held[0].feasible and turns[0].feasible):
        if (yield from change_grasp(robot, holder, bottle, table, holder)):
            held, turns = _primitives(robot, holder, turner, bottle, on)
        elif not holder.holds:
            return lost(holder, bottle, what)
    for trials in (held, turns):
        if not trials[0].feasible:
            return (yield from refuse(robot, none_feasible(robot, what, trials)))
    yield from follow_all(holder, held[0].parts["carry"], "carry", GENTLE)
    parts = turns[0].parts
    yield from follow_all(turner, parts["approach"], "approach")
    yield from follow_all(turner, parts["reach"], "reach")
    (aside,), (sweep,) = parts["aside"], parts["sweep"]
    yield from follow(turner, aside, "turn")
    for k in range(_TURNS):
        if k:
            yield from follow(turner, sweep[::-1], "turn")
        turner.fingers = _AROUND_M
        yield from hold_still(turner, _SHUT_S, "grasp")
        yield from follow(turner, sweep, "turn")
        turner.fingers = OPEN_M
        yield from hold_still(turner, _SHUT_S, "release")
    found = robot.plant.turn_cap(turner.side, bottle, on=on)
    yield from follow_all(turner, parts["retreat"], "retreat")
    yield from settle(robot)
    if not holder.holds:
        return lost(holder, bottle, what)
    if found:
        return None
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: no cap was between the fingers.",
        f"The {turner.hand} reached past it.", "Try again.",
    )  # fmt: skip


def _primitives(
    robot: TwoArms, holder: HandArm, turner: HandArm, bottle: str, on: bool
) -> tuple[list[PrimitiveTrial], list[PrimitiveTrial]]:
    """The trials of holding the bottle up and of turning its cap there, each the best first."""
    robot.see()
    carried = holder.carried()
    assert carried is not None
    held = []
    for place, azimuth in itertools.product(_MEET_M, _AZIMUTHS):
        plan = partial(_plan_hold, carried=carried, place=np.array(place), azimuth=azimuth)
        held.append(PrimitiveTrial(robot, holder, f"with the {holder.hand}", plan))
    held = best_first(held)
    tried: tuple[list[PrimitiveTrial], list[PrimitiveTrial]] | None = None
    for trial in held[:_MEETINGS]:
        trial.finish()
        if trial.feasible:
            turns = _turn_trials(robot, turner, trial, carried, on)
            if tried is None or turns[0].feasible:
                tried = ([trial], turns)
            if turns[0].feasible:
                break
    return tried or (held, [])


def _plan_hold(trial: PrimitiveTrial, carried: Carried, place: Array, azimuth: float) -> Planning:
    """Hold the bottle upright at a place, the hand turned to an azimuth."""
    upright = carried.offset.rotation.T
    ahead = upright[:, 2] if is_from_side(upright) else upright[:, 0]
    rotation = turned(upright, azimuth - float(np.arctan2(ahead[1], ahead[0])))
    pose = Pose(place - rotation @ carried.offset.position, rotation)
    trial.use_best("carry", carry_ways(trial, trial.arm.q, pose, carried), carried)
    yield


def _turn_trials(
    robot: TwoArms, turner: HandArm, held: PrimitiveTrial, carried: Carried, on: bool
) -> list[PrimitiveTrial]:
    """The trials of turning the cap, with the other arm where it would hold the bottle."""
    end = held.parts["carry"][-1][-1]
    bottle = carried.under(held.arm.kinematics.pose(end))
    turner.check.see(held.arm.imagined(robot.plant.data.qpos, end, carried))
    top = robot.shape(carried.name).top - _BELOW_M
    cap = bottle.position + bottle.rotation @ np.array([0.0, 0.0, top])
    ahead = held.arm.kinematics.pose(end).rotation[:, 2]
    across, trials = float(np.arctan2(ahead[1], ahead[0])), []
    for yaw in _YAWS:
        turn = -_TURN if on else _TURN
        plan = partial(_plan_turn, bottle=carried.name, cap=cap, yaw=across + yaw, turn=turn)
        trials.append(PrimitiveTrial(robot, turner, f"with the {turner.hand} from above", plan))
    return best_first(trials)


def _plan_turn(trial: PrimitiveTrial, bottle: str, cap: Array, yaw: float, turn: float) -> Planning:
    """Turn from one side to the other; counter-clockwise, seen from above, takes a cap off."""
    either = [Pose(cap, yaw_rotation(angle)) for angle in (yaw, yaw + np.pi)]
    middle, q = trial.solve_any(either, gripped=(bottle,))
    first, last = (Pose(cap, turned(middle.rotation, side * turn)) for side in (-1.0, 1.0))
    reach = trial.line(q, backed(middle, _BACK_M))[::-1]
    trial.use("reach", reach, gripped=(bottle,))
    aside = trial.line(q, first)
    trial.use("aside", aside, gripped=(bottle,))
    yield
    end = trial.use("sweep", trial.line(aside[-1], last), gripped=(bottle,))
    trial.use("retreat", trial.line(end, backed(last, _BACK_M)), gripped=(bottle,))
    yield
    trial.use_best("approach", free_ways(trial, trial.arm.q, reach[0]))
