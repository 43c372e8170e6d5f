"""A chest in a picture: the grasps of its handle, how far its drawer is out, and what is in it."""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounding import GraspTarget
from regrasp.perception.furniture import FurniturePiece
from regrasp.perception.placement import level_heights
from regrasp.perception.point_cloud import PointCloud, largest_group

__all__ = ["drawer_opening", "handle_grasps", "inside_drawer"]

_FACING = 0.7  # cosine between the normal of a front and the direction in which it faces
_LEAST_POINTS = 12
_STICKS_OUT_M = (0.02, 0.10)  # a handle before the plane of the front
_BELOW_TOP_M = 0.45  # a drawer is in the upper part of a chest
_PITCHES = (0.0, 0.35, -0.35, 0.7)  # rad of the hand from level
_DEEPER_M = 0.004  # of the finger tips behind the middle of the bar
_OPEN_M = 0.06
_WALL_M, _OVER_FLOOR_M = 0.05, 0.02  # of the walls of a drawer; of a thing over its floor
_BIN_M, _LARGE = 0.012, 0.3
_DEEP_M, _WIDEST_M = 0.36, 0.30  # of a drawer that is out; of a thing in it
_HALF_WIDTH_M = 0.4  # of a drawer's front, at most


def handle_grasps(chest: FurniturePiece, cloud: PointCloud) -> tuple[GraspTarget, ...]:
    """Grasps of the bar that sticks out of the front; none if no bar is seen."""
    near = chest.contains(cloud.points, 0.12)
    near &= cloud.points[:, 2] > chest.top - _BELOW_TOP_M
    ahead = chest.ahead(cloud.points)
    facing = near & (cloud.normals[:, :2] @ chest.front > _FACING)
    if int(facing.sum()) < _LEAST_POINTS:
        return ()
    front = _foremost_plane(ahead[facing])
    out = ahead - front
    bar = near & (out > _STICKS_OUT_M[0]) & (out < _STICKS_OUT_M[1])
    bar &= cloud.points[:, 2] < chest.top - 0.03
    if int(bar.sum()) < _LEAST_POINTS:
        return ()
    points = cloud.points[bar].astype(float)
    side = np.array([-chest.front[1], chest.front[0]])
    across, heights = points[:, :2] @ side, points[:, 2]
    lying = np.ptp(np.percentile(across, (10, 90))) >= np.ptp(np.percentile(heights, (10, 90)))
    middle = np.array([*np.median(points[:, :2], axis=0), np.median(heights)])
    width = float(np.ptp(np.percentile(heights if lying else across, (5, 95)))) + 0.01
    inward = np.array([*-chest.front, 0.0])
    found = []
    for pitch in _PITCHES if lying else (0.0,):
        up = np.array([0.0, 0.0, 1.0])
        approach = np.cos(pitch) * inward - np.sin(pitch) * up
        closing = np.sin(pitch) * inward + np.cos(pitch) * up if lying else np.array([*side, 0.0])
        rotation = np.stack([np.cross(closing, approach), closing, approach], axis=1)
        found.append(GraspTarget(middle + _DEEPER_M * approach, rotation, width, 0.0))
    return tuple(found)


def _foremost_plane(ahead: Array) -> float:
    """The foremost distance (m) at which a large part of distances (n,) lies."""
    counts, edges = np.histogram(ahead, np.arange(ahead.min(), ahead.max() + 2 * _BIN_M, _BIN_M))
    large = np.flatnonzero(counts >= _LARGE * counts.max())
    return float(edges[large[-1]]) + _BIN_M / 2


def drawer_opening(chest: FurniturePiece, cloud: PointCloud) -> float | None:
    """How far (m) the drawer of a chest is out; None if its front is not in view.

    In the map, where the drawer was shut, the chest ended at its front.
    """
    panel = _front_panel(chest, cloud)
    if panel is None:
        return None
    return panel[0] if panel[0] > _OPEN_M else 0.0


def _front_panel(chest: FurniturePiece, cloud: PointCloud) -> tuple[float, float, float] | None:
    """The nearest upright surface that faces ahead, in the upper part of the chest.

    How far (m) it is before the chest, and from where to where it goes sideways.
    """
    points: Array = cloud.points.astype(float)
    across, ahead, heights = _across(chest, points), chest.ahead(points), points[:, 2]
    near = (np.abs(across) < _HALF_WIDTH_M) & (ahead > -0.2) & (ahead < 0.5)
    near &= (heights > chest.top - _BELOW_TOP_M) & (heights < chest.top + 0.02)
    facing = near & (cloud.normals[:, :2] @ chest.front > _FACING)
    if int(facing.sum()) < _LEAST_POINTS:
        return None
    out = _foremost_plane(ahead[facing])
    left, right = np.percentile(across[facing & (np.abs(ahead - out) < 2 * _BIN_M)], (1, 99))
    return out, float(left), float(right)


def _across(chest: FurniturePiece, points: Array) -> Array:
    """How far (n,) points are to the side of the middle of a chest."""
    side = np.array([-chest.front[1], chest.front[0]])
    sideways: Array = (points[:, :2] - chest.centre[:2]) @ side
    return sideways


def inside_drawer(chest: FurniturePiece, cloud: PointCloud) -> PointCloud | None:
    """The points of what lies in the drawer of a chest; None if it is shut or nothing is seen.

    The tray is behind the front panel, as that is seen now. What is over its floor falls into
    connected groups: the largest one is the thing.
    """
    panel = _front_panel(chest, cloud)
    if panel is None or panel[0] <= _OPEN_M:
        return None
    out, left, right = panel
    points: Array = cloud.points.astype(float)
    across, ahead, heights = _across(chest, points), chest.ahead(points), points[:, 2]
    tray = (across > left + _WALL_M) & (across < right - _WALL_M)
    tray &= (ahead > out - _DEEP_M) & (ahead < out - _WALL_M)
    tray &= (heights > chest.top - _BELOW_TOP_M) & (heights < chest.top)
    levels = level_heights(cloud.where(np.asarray(tray)))
    if not levels:
        return None
    over = cloud.where(np.asarray(tray & (heights > min(levels) + _OVER_FLOOR_M)))
    found = largest_group(over, _BIN_M, _WIDEST_M)
    return found if len(found) >= _LEAST_POINTS else None
