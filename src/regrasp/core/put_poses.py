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

__all__ = ["BACK_M", "MOST_TARGETS", "PutWay", "is_level", "put_ways", "taking_ways"]

MOST_TARGETS = 12
"""So many grasps or places are tried, the best first."""
BACK_M = 0.10
"""How far before a grasp the hand begins its straight way."""
_OVER_M, _INTO_M, _SHELF_OVER_M, _BELOW_M = 0.10, 0.22, 0.03, 0.02
_LEVEL_TURNS = (0.0, 0.3, -0.3, 0.6, -0.6)
_DOWN_TURNS = (0.0, 0.8, -0.8, math.pi / 2)
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
    """Ways to put what is held on a place, upright as it is held; from the front into a shelf."""
    at: Array = (place.position - base.position) @ base.rotation + _up(held.above)
    level, now = is_level(held.rotation), held.rotation
    if place.inward is None:
        ahead = math.atan2(at[1], at[0] + 0.1)
    else:
        ahead = math.atan2(place.inward[1], place.inward[0]) - base.yaw
    heading = now[:, 2 if level else 0]
    for turn in _LEVEL_TURNS if level else _DOWN_TURNS:
        angle = ahead + turn - math.atan2(heading[1], heading[0])
        rotation: Array = BasePose(yaw=angle).rotation @ now
        if place.inward is None:
            over = at + _up(_OVER_M)
            before = over + _up(_BELOW_M)
        else:
            over = at + _up(_SHELF_OVER_M)
            before = over - _INTO_M * rotation[:, 2]
        out = at - (_INTO_M if level else _OVER_M) * rotation[:, 2]
        points = before, over, at, at - _up(_BELOW_M), out
        yield PutWay(*(HandPose(point, rotation) for point in points))


def _up(height: float) -> Array:
    return np.array([0.0, 0.0, height])
