"""Skills of a humanoid that carries a box between its hands: pick it up, put it down.

A box is a cube. The robot takes it by its left and right faces. It squats for a box on the floor.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regrasp.control.gait import MAX_HEIGHT_M, MIN_HEIGHT_M
from regrasp.control.hand_motions import CARRY, SIDES, move_hands, raise_load
from regrasp.control.humanoid import DT, Humanoid, angle
from regrasp.control.locomotion import (
    BEFORE_M,
    align,
    approach,
    pose_in_front_of,
    stand_still,
    stop_walking,
)
from regrasp.control.staged_skill import Stages, Steps
from regrasp.core.arrays import Array
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.robot import Progress

__all__ = ["pick_up", "put_down"]

_READY = tuple(np.array([0.15, side * 0.30, 0.16]) for side in SIDES)
"""Where the hands are raised first, so that they come from above and do not hit a table."""
_WIDE_M, _SQUEEZE_M = 0.07, -0.02  # distance of the hand's centre from a face: open, and squeezing
_HAND_M = 0.035
_OVER_M, _UP_M = 0.12, 0.02  # height of the hands above the box's centre: approach, and grip
_MIDDLE_M = 0.15  # how far from the middle of a table a box may be put
_LOW_M = 0.30  # a box lower than this is on the floor
_TRIES = 2
_REFUSE_S = 0.2


def pick_up(body: Humanoid, thing: str, table: str = "") -> Stages:
    """Take a box between both hands, from a table or from the floor, and stand up with it."""
    yield from stop_walking(body)
    if body.holds:
        why = f"Could not pick up {thing}: the hands hold something already."
        return (yield from _refuse(body, FailureCode.NOT_GRASPED, why))
    if (body.pose_of(thing).position[2] < _LOW_M) == bool(table):
        why = f"Could not pick up {thing} from {table or 'the floor'}: it is out of reach."
        return (yield from _refuse(body, FailureCode.REFUSED, why))
    half, height = float(body.things[thing].extent[0]), MAX_HEIGHT_M if table else MIN_HEIGHT_M
    wide, tight = half + _HAND_M + _WIDE_M, half + _HAND_M + _SQUEEZE_M
    for _ in range(_TRIES):
        if not (yield from approach(body, _take_from(body, thing))):
            return _failed(FailureCode.UNREACHED, f"Could not get to {thing}.")
        yield from move_hands(body, lambda: _READY, 0.5, "raise", MAX_HEIGHT_M)
        yield from _sink(body, height)
        yield from move_hands(
            body, lambda: _beside(body, thing, wide, _OVER_M), 0.6, "reach", height
        )
        yield from move_hands(body, lambda: _beside(body, thing, wide, _UP_M), 0.5, "reach", height)
        body.grip = True
        yield from move_hands(body, lambda: _beside(body, thing, tight, _UP_M), 0.6, "grip", height)
        if body.holds:
            break
        body.grip = False
        yield from _open(body, height)
        yield from _rise(body, height)
        yield from _home(body)
    else:
        why = f"Could not pick up {thing}: the hands closed on nothing."
        return _failed(FailureCode.NOT_GRASPED, why)
    body.carrying = thing
    yield from move_hands(body, lambda: CARRY, 1.0, "lift", height)
    yield from _rise(body, height)
    yield from raise_load(body)
    return None if body.holds else _dropped(f"Could not pick up {thing}")


def put_down(body: Humanoid, thing: str, on: str) -> Stages:
    """Put the held box on the table in front of the robot."""
    yield from stop_walking(body)
    if not body.holds or body.carrying != thing:
        why = f"Could not put {thing} down on {on}: the hands hold nothing."
        return (yield from _refuse(body, FailureCode.NOT_GRASPED, why))
    goal = pose_in_front_of(body, on, BEFORE_M)
    if np.linalg.norm(goal[:2] - body.place[:2]) > 1.0:
        why = f"Could not put {thing} down: {on} is not near."
        return (yield from _refuse(body, FailureCode.UNREACHED, why))
    yield from align(body, goal)
    half = float(body.things[thing].extent[0])
    top = float(body.pose_of(on).position[2])
    spot = _spot(body, on)

    def over(height: float) -> Callable[[], list[Array]]:
        """The hand positions when the box's centre is over the spot, for the present grip."""
        trunk = body.trunk
        box = body.seen_from_trunk(body.pose_of(thing).position)
        held = [place - box for place in body.hands]
        held = [np.array([*place[:2], 0.5 * (held[0][2] + held[1][2])]) for place in held]
        inward = [np.array([0.0, side * _SQUEEZE_M, 0.0]) for side in SIDES]
        squeezed = [place + more for place, more in zip(held, inward, strict=True)]
        return lambda: [
            body.seen_from_trunk(np.array([*spot, height]) + trunk.rotation @ place)
            for place in squeezed
        ]

    yield from move_hands(body, over(top + half + 0.06), 0.8, "carry", MAX_HEIGHT_M)
    yield from move_hands(body, over(top + half + 0.005), 0.6, "lower", MAX_HEIGHT_M)
    kept, body.grip = body.holds, False
    yield from _open(body, MAX_HEIGHT_M, "release")
    body.carrying = ""
    yield from _home(body)
    return None if kept else _dropped(f"Could not put {thing} down on {on}")


# ---- parts of skills ---------------------------------------------------------------------------


def _take_from(body: Humanoid, thing: str) -> Array:
    """The pose (x, y, yaw) to stand at to take a box: square to the face with the smallest turn."""
    pose = body.pose_of(thing)
    upward = int(np.argmax(np.abs(pose.rotation[2])))
    level = pose.rotation[:, (upward + 1) % 3]
    yaw = float(np.arctan2(level[1], level[0]))
    at = pose.position[:2]
    bearing = float(np.arctan2(*(at - body.place[:2])[::-1]))
    turns = [angle(yaw + k * np.pi / 2) for k in range(4)]
    best = min(turns, key=lambda one: abs(angle(one - bearing)))
    return np.array([*(at - BEFORE_M * np.array([np.cos(best), np.sin(best)])), best])


def _beside(body: Humanoid, thing: str, gap: float, up: float) -> list[Array]:
    """Points to the left and right of a box, in the trunk's frame."""
    at = body.pose_of(thing).position + np.array([0.0, 0.0, up])
    yaw = _take_from(body, thing)[2]
    left = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
    return [body.seen_from_trunk(at + side * gap * left) for side in SIDES]


def _spot(body: Humanoid, table: str) -> Array:
    """The point (x, y) on a table's centre line in front of the robot, not too near the edge."""
    pose = body.pose_of(table)
    left = pose.rotation[:2, 1]
    aside = float(left @ (body.place[:2] - pose.position[:2]))
    return np.asarray(pose.position[:2] + np.clip(aside, -_MIDDLE_M, _MIDDLE_M) * left)


def _sink(body: Humanoid, height: float) -> Steps:
    """Squat to a height; does nothing at that height."""
    while body.trunk.position[2] > height + 0.02 and height < MAX_HEIGHT_M:
        body.command(height=height)
        yield Progress("squat", float(body.trunk.position[2] - height))


def _rise(body: Humanoid, height: float) -> Steps:
    """Stand up again."""
    if height < MAX_HEIGHT_M:
        for _ in range(round(1.2 / DT)):
            body.command()
            yield Progress("rise", float(MAX_HEIGHT_M - body.trunk.position[2]))


def _open(body: Humanoid, height: float, stage: str = "open") -> Steps:
    """Take the hands apart."""
    out = [np.array([0.0, 0.08 * side, 0.0]) for side in SIDES]
    apart = [one + away for one, away in zip(body.hands, out, strict=True)]
    yield from move_hands(body, lambda: apart, 0.4, stage, height)


def _home(body: Humanoid) -> Steps:
    """Draw the hands back, upwards, and let the arms hang."""
    yield from move_hands(body, lambda: _READY, 0.6, "retreat", MAX_HEIGHT_M)
    while float(np.abs(body.home - body.targets).max()) > 1e-6:
        body.bend(body.home)
        body.command()
        yield Progress("retreat", float(np.abs(body.home - body.targets).max()))


def _refuse(body: Humanoid, code: FailureCode, error: str) -> Stages:
    """Stand still for a moment, then fail: a refused skill also takes time."""
    yield from stand_still(body, _REFUSE_S, "refuse")
    return _failed(code, error)


# ---- reports -----------------------------------------------------------------------------------


def _failed(code: FailureCode, error: str) -> Feedback:
    return Feedback(FeedbackLevel.PHYSICAL, code, error)


def _dropped(what: str) -> Feedback:
    return _failed(FailureCode.DROPPED, f"{what}: the hands lost it.")
