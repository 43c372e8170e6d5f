"""What a hand holds, and the ways of that hand to take a thing and to put it down.

The predicate `reachable` and the skills `grasp`, `place` and `insert` share these poses: what is
computed to be in reach is what the arm then does. All of them are in the frame of the robot's base.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import BasePose, HandPose
from regrasp.core.grounding import GraspTarget, HeldThing, Placement

__all__ = [
    "BACK_M", "MOST_TARGETS", "PutWay", "heading", "is_level", "put_ways", "taking_ways",
]  # fmt: skip

MOST_TARGETS = 12
"""So many grasps or places are tried, the best first."""
BACK_M = 0.10
"""How far before a grasp the hand begins its straight way."""
_OVER_M, _INTO_M, _SHELF_OVER_M, _BELOW_M = 0.10, 0.22, 0.05, 0.02
_LEVEL_TURNS = (0.0, 0.3, -0.3, 0.6, -0.6)
_DOWN_TURNS = (0.0, math.pi, 0.8, -0.8, math.pi / 2, -math.pi / 2)
_LEANING = 0.25  # sine of the angle to the vertical
_HALF_TURN = np.diag([-1.0, -1.0, 1.0])  # the fingers of a hand are alike


@dataclass(frozen=True, slots=True, eq=False)
class PutWay:
    """The palm's poses when it puts a thing down: before the place, over it, there, lower, out."""

    before: HandPose
    over: HandPose
    put: HandPose
    below: HandPose
    out: HandPose

    @property
    def poses(self) -> tuple[HandPose, ...]:
        """All of them, in their order."""
        return self.before, self.over, self.put, self.below, self.out


def is_level(rotation: Array) -> bool:
    """Whether a palm with this rotation (3, 3) is level or oblique, not pointing down."""
    return float(rotation[2, 2]) > -0.6


def taking_ways(target: GraspTarget, base: BasePose) -> Iterator[tuple[HandPose, HandPose]]:
    """For a grasp, both ways to hold the hand: where it begins its straight way, and the grasp."""
    position = (target.position - base.position) @ base.rotation
    for turn in (np.eye(3), _HALF_TURN):
        rotation = base.rotation.T @ target.rotation @ turn
        back = position - BACK_M * rotation[:, 2]
        yield HandPose(back, rotation), HandPose(position, rotation)


def put_ways(held: HeldThing, place: Placement, base: BasePose) -> Iterator[PutWay]:
    """Ways to put what is held on a place, upright as it is held; from the front into a shelf.

    A hand from above leaves a shelf the way it came: its fingers are on both sides of the thing.
    """
    at: Array = (place.position - base.position) @ base.rotation + _up(held.above)
    now, shelf = held.rotation, place.inward is not None
    if place.inward is None:
        ahead = math.atan2(at[1], at[0] + 0.1)
        over, enter = at + _up(_OVER_M), _up(-_BELOW_M)
    else:
        ahead = math.atan2(place.inward[1], place.inward[0]) - base.yaw
        over = at + _up(_SHELF_OVER_M)
        enter = _INTO_M * np.array([math.cos(ahead), math.sin(ahead), 0.0])
    for turn in _LEVEL_TURNS if is_leaning(now) else _DOWN_TURNS:
        rotation: Array = BasePose(yaw=ahead + turn - heading(now)).rotation @ now
        if is_level(now) or not shelf:
            out = at - (_INTO_M if is_level(now) else _OVER_M) * rotation[:, 2]
        else:
            out = over - enter
        points = over - enter, over, at, at - _up(_BELOW_M), out
        yield PutWay(*(HandPose(point, rotation) for point in points))


def is_leaning(rotation: Array) -> bool:
    """Whether a palm's approach has a direction along the floor."""
    return bool(np.linalg.norm(rotation[:2, 2]) > _LEANING)


def heading(rotation: Array) -> float:
    """Where a palm points along the floor (rad); of one from straight above, its first axis."""
    x, y = rotation[:2, 2 if is_leaning(rotation) else 0]
    return math.atan2(y, x)


def _up(height: float) -> Array:
    return np.array([0.0, 0.0, height])
