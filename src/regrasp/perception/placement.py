"""Free spots on level surfaces of a point cloud: the plane, its height, what stands on it."""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import PlacementEvidence
from regrasp.perception.occupancy import grown
from regrasp.perception.point_cloud import PointCloud

__all__ = ["level_heights", "placement"]

_UPWARD = 0.92  # the upright part of a normal of a level surface
_BAND_M = 0.012  # points of a plane lie within this distance of its height
_CELL_M = 0.01
_GAP_CELLS = 2.0  # gaps between seen points that are closed
_LEAST_POINTS = 30


def level_heights(cloud: PointCloud) -> tuple[float, ...]:
    """The heights (m) of level surfaces, by the number of points that lie on them."""
    upward = cloud.points[cloud.normals[:, 2] > _UPWARD, 2].astype(float)
    heights = []
    while len(upward) >= _LEAST_POINTS:
        counts, edges = np.histogram(upward, np.arange(upward.min(), upward.max() + 0.02, 0.01))
        if not len(counts) or counts.max() < _LEAST_POINTS // 2:
            break
        peak = float(edges[counts.argmax()]) + 0.005
        own = np.abs(upward - peak) < _BAND_M
        if own.sum() >= _LEAST_POINTS:
            heights.append(float(np.median(upward[own])))
        upward = upward[np.abs(upward - peak) >= 2 * _BAND_M]
    return tuple(heights)


def placement(
    surface: PointCloud,
    scene: PointCloud,
    *,
    radius: float,
    height: float,
    near: Array | None = None,
) -> PlacementEvidence | None:
    """A spot with room for a thing of this radius and height (m); None if there is none.

    `surface` are the points of the support, `scene` all points seen. Of the spots with room, the
    one with the most room is taken, or the nearest to `near` (3,) if that is given.
    """
    heights = level_heights(surface)
    if not heights:
        return None
    best: PlacementEvidence | None = None
    for level in heights[:3]:
        spot = _spot(surface, scene, level, radius, height, near)
        if spot is not None and (best is None or spot.area > best.area):
            best = spot
    return best


def _spot(
    surface: PointCloud,
    scene: PointCloud,
    level: float,
    radius: float,
    height: float,
    near: Array | None,
) -> PlacementEvidence | None:
    """The best spot of the plane at one height."""
    on = (np.abs(surface.points[:, 2] - level) < _BAND_M) & (surface.normals[:, 2] > _UPWARD)
    plane = surface.points[on, :2].astype(float)
    if len(plane) < _LEAST_POINTS:
        return None
    low = plane.min(axis=0) - 3 * _CELL_M
    shape = np.ceil((plane.max(axis=0) + 3 * _CELL_M - low) / _CELL_M).astype(int)
    board = np.zeros(tuple(shape), bool)
    board[tuple(((plane - low) / _CELL_M).astype(int).T)] = True
    gap = max(_GAP_CELLS, 0.75 * np.sqrt(board.size / max(1, board.sum())))
    board = ~grown(~grown(board, gap), gap)  # closes the gaps between points
    above = (scene.points[:, 2] > level + _BAND_M) & (scene.points[:, 2] < level + height + 0.02)
    index = np.floor((scene.points[above, :2] - low) / _CELL_M).astype(int)
    index = index[((index >= 0) & (index < shape)).all(axis=1)]
    taken = np.zeros_like(board)
    taken[tuple(index.T)] = True
    free = board & ~grown(taken, 1.0)
    room = radius / _CELL_M
    spots = free & ~grown(~np.pad(free, 1), room)[1:-1, 1:-1]
    if not spots.any():
        return None
    clearance = room
    while (more := spots & ~grown(~np.pad(free, 1), clearance + 1.0)[1:-1, 1:-1]).any():
        clearance += 1.0
        if near is None:
            spots = more
        if clearance > 60:
            break
    cells = np.argwhere(spots)
    centres = low + (cells + 0.5) * _CELL_M
    goal = centres.mean(axis=0) if near is None else np.asarray(near, float)[:2]
    chosen = centres[np.linalg.norm(centres - goal, axis=1).argmin()]
    area = float(free.sum()) * _CELL_M**2
    return PlacementEvidence(np.append(chosen, level), clearance * _CELL_M, area)
