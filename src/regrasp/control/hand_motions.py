"""Hand motions of a humanoid: move the hands to points, and raise the carried box."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from regrasp.control.gait import MAX_HEIGHT_M
from regrasp.control.humanoid import DT, Humanoid
from regrasp.control.staged_skill import Steps
from regrasp.core.arrays import Array
from regrasp.core.robot import Progress

__all__ = ["CARRY", "SIDES", "move_hands", "raise_load"]

SIDES = (1, -1)
CARRY = tuple(np.array([0.30, side * 0.115, 0.12]) for side in SIDES)
"""Where the hands hold a carried box, in the trunk's frame."""
_HELD_M, _SAGS_M = 0.10, 0.03  # box centre in the trunk's frame: its height, its largest sag


def move_hands(
    body: Humanoid,
    places: Callable[[], Sequence[Array]],
    seconds: float,
    stage: str,
    height: float,
) -> Steps:
    """Move the hands to points, straight and smoothly; the points may move meanwhile."""
    start, last = body.hands, round(seconds / DT)
    for k in range(1, last + round(0.2 / DT) + 1):
        share = min(1.0, k / last)
        share = share * share * (3.0 - 2.0 * share)
        goal = places()
        body.reach([a + share * (b - a) for a, b in zip(start, goal, strict=True)])
        body.command(height=height)
        yield Progress(stage, float(max(map(_length, goal, body.hands))))


def raise_load(body: Humanoid) -> Steps:
    """Raise the carried box if it sags: otherwise it would hit a table while walking."""
    if not body.holds:
        return
    low = _HELD_M - float(body.seen_from_trunk(body.pose_of(body.carrying).position)[2])
    if low > _SAGS_M:
        higher = [place + np.array([0.0, 0.0, min(low, _HELD_M)]) for place in CARRY]
        yield from move_hands(body, lambda: higher, 0.4, "lift", MAX_HEIGHT_M)


def _length(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))
