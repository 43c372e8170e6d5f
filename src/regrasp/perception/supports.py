"""What a thing was seen on or in: `on` and `in`, from positions and the boxes of furniture."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from regrasp.core.arrays import Array
from regrasp.perception.furniture import FurniturePiece
from regrasp.perception.placement import level_heights
from regrasp.perception.point_cloud import PointCloud, largest_group

__all__ = ["ON_TOP_M", "foot_height", "support_at", "thing_on"]

ON_TOP_M = (-0.08, 0.35)
"""How high (m) the middle of a small thing is over the top that it stands on."""
_BESIDE_M = 0.06
_IN_SHELF_M = 0.15  # the back of a shelf at a wall is lost in the map
_TOP_BAND_M, _OVER_TOP_M = 0.08, 0.025
_CELL_M, _LEAST_POINTS, _WIDEST_M = 0.015, 40, 0.45
_AROUND_M, _UNDER_M, _LEVEL_M = 0.10, 0.05, 0.012  # where the support of a thing is looked for
_PULLED_M = 0.40  # a drawer is out so far at most
_HANGS_M, _HIGH_M = 0.40, 0.5  # of a garment from its stand; of its middle over the floor


def thing_on(piece: FurniturePiece, cloud: PointCloud) -> PointCloud | None:
    """The points of the largest thing that is seen on the top of a piece; None if it is empty."""
    heights = cloud.points[:, 2]
    inside = piece.contains(cloud.points, 0.0, above=ON_TOP_M[1])
    levels = level_heights(cloud.where(np.asarray(inside & (heights > piece.top - _TOP_BAND_M))))
    if not levels:
        return None
    over = cloud.where(np.asarray(inside & (heights > levels[0] + _OVER_TOP_M)))
    found = largest_group(over, _CELL_M, _WIDEST_M)
    return found if len(found) >= _LEAST_POINTS else None


def foot_height(thing: PointCloud, scene: PointCloud) -> float:
    """How high (m) a thing's foot is: the level surface around it, just below what is seen of it.

    Where none is seen (it hangs), it is the lowest seen part of the thing.
    """
    low = float(np.percentile(thing.points[:, 2], 2))
    box_low = thing.points[:, :2].min(axis=0) - _AROUND_M
    box_high = thing.points[:, :2].max(axis=0) + _AROUND_M
    flat, heights = scene.points[:, :2], scene.points[:, 2]
    near = ((flat > box_low) & (flat < box_high)).all(axis=1)
    near &= (heights > low - _UNDER_M) & (heights < low + _LEVEL_M)
    levels = level_heights(scene.where(np.asarray(near)))
    return min(levels[0], low) if levels else low


def support_at(
    at: Array,
    pieces: Mapping[str, FurniturePiece],
    kinds: Mapping[str, str],
    stands: Mapping[str, Array | None],
) -> str:
    """The place of a thing whose middle is `at` (3,), "" for none; `stands` are coat stands."""
    for name, piece in pieces.items():
        drawer, shelf = kinds[name] == "drawer", kinds[name] == "bookshelf"
        beside = _PULLED_M if drawer else _IN_SHELF_M if shelf else _BESIDE_M
        if not piece.contains(at[None], beside, above=ON_TOP_M[1])[0]:
            continue
        over = float(at[2]) - piece.top
        if over < 0.02 if drawer else shelf or ON_TOP_M[0] < over < ON_TOP_M[1]:
            return name
    for name, place in stands.items():
        if place is not None and math.dist(place[:2], at[:2]) < _HANGS_M and at[2] > _HIGH_M:
            return name
    return ""
