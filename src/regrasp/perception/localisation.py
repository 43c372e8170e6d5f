"""Where the base is in its map: the present view is laid over the map (correlative matching).

Odometry drifts. The upright surfaces of a picture, seen from above, are moved and turned a little
until they lie on occupied columns of the map (Olson 2009, "Real-time correlative scan matching").
With f(p) = 1 in an occupied column, falling to 0 over some cells beside it, the score of a
correction c is

    s(c) = mean over points f(c(p)) - w |c|,

so that a view of one wall corrects only across that wall. A view that fits nowhere near is looked
for in a wider window: the robot was pushed, or its wheels slipped.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array, Floats
from regrasp.core.grounded import BasePose
from regrasp.perception.occupancy import grown
from regrasp.perception.point_cloud import PointCloud
from regrasp.perception.voxel_map import VoxelMap

__all__ = ["MapMatcher", "PoseMatch"]

_LOW_M, _HIGH_M = 0.25, 1.95
_NEAR_M, _FAR_M = 0.9, 4.5  # from the base: nearer is the robot itself, farther is noise
_FALL = (1.0, 0.6, 0.25)  # in a column, and up to 1 and 2 cells from one
_MOST_POINTS, _LEAST_POINTS = 500, 60
_WINDOW = (0.20, 0.07)  # m and rad around the last correction
_WIDE = (1.2, 0.6)
_STEP_M, _STEP_RAD = 0.025, 0.0125
_WEIGHT = 0.15  # of a correction by 1 m, or by 0.4 rad
_LOST, _FOUND, _GAIN = 0.62, 0.75, 0.01


@dataclass(frozen=True, slots=True)
class PoseMatch:
    """A correction of odometry, and how well the view fits the map with it (0 to 1)."""

    correction: BasePose
    fit: float
    lost: bool = False
    """Whether it was found in the wide window."""


class MapMatcher:
    """Matches views with a map that is not changed afterwards."""

    def __init__(self, voxels: VoxelMap) -> None:
        heights = voxels.low[2] + (np.arange(voxels.shape[2]) + 0.5) * voxels.voxel
        body = (heights > _LOW_M) & (heights < _HIGH_M)
        columns = np.asarray(voxels.occupied[:, :, body].sum(axis=2) >= 2)
        field = _FALL[2] * grown(columns, 2.0) + (_FALL[1] - _FALL[2]) * grown(columns, 1.0)
        self._field: Floats = (field + (_FALL[0] - _FALL[1]) * columns).astype(np.float32)
        self._low, self._cell = voxels.low[:2].copy(), voxels.voxel

    def match(self, cloud: PointCloud, odometry: BasePose, last: BasePose) -> PoseMatch:
        """The correction for a view whose points are in the odometry's frame."""
        points = self._uprights(cloud, odometry)
        if len(points) < _LEAST_POINTS:
            return PoseMatch(last, 0.0)
        before = self._fit(points, last)
        best = self._search(points, odometry, last, *_WINDOW, 1.0)
        if best.fit < _LOST:
            wide = self._search(points, odometry, last, *_WIDE, 4.0)
            wide = self._search(points, odometry, wide.correction, *_WINDOW, 1.0)
            if wide.fit >= _FOUND:
                return PoseMatch(wide.correction, wide.fit, lost=True)
        return best if best.fit > before + _GAIN else PoseMatch(last, before)

    def _uprights(self, cloud: PointCloud, odometry: BasePose) -> Array:
        """Points (n, 2) of surfaces that are not level, thinned by cells."""
        flat = cloud.points[:, :2].astype(float)
        away = np.linalg.norm(flat - odometry.position[:2], axis=1)
        height = cloud.points[:, 2]
        chosen = (away > _NEAR_M) & (away < _FAR_M) & (height > _LOW_M) & (height < _HIGH_M)
        chosen &= np.abs(cloud.normals[:, 2]) < 0.5
        cells = np.floor(flat[chosen] / self._cell).astype(np.int64)
        _, first = np.unique(cells, axis=0, return_index=True)
        points: Array = flat[chosen][np.sort(first)]
        return points[:: max(1, math.ceil(len(points) / _MOST_POINTS))]

    def _search(
        self,
        points: Array,
        odometry: BasePose,
        around: BasePose,
        reach: float,
        turn: float,
        coarse: float,
    ) -> PoseMatch:
        """The best correction on a grid of turns about the base and shifts."""
        step, step_turn = coarse * _STEP_M, coarse * _STEP_RAD
        shifts = np.arange(-round(reach / step), round(reach / step) + 1) * step
        turns = np.arange(-round(turn / step_turn), round(turn / step_turn) + 1) * step_turn
        moves = np.array(list(itertools.product(shifts, shifts)))
        cost = np.linalg.norm(moves, axis=1)
        here = around.after(odometry)
        own = odometry.inverse.apply(np.column_stack([points, np.zeros(len(points))]))
        best, found = -math.inf, PoseMatch(around, 0.0)
        for angle in turns:
            turned = BasePose(here.x, here.y, here.yaw + angle).apply(own)[:, :2]
            index = np.floor((turned[None] + moves[:, None] - self._low) / self._cell).astype(int)
            index = np.clip(index, 0, np.array(self._field.shape) - 1)
            fits = self._field[index[..., 0], index[..., 1]].mean(axis=1)
            scores = fits - _WEIGHT * (cost + abs(angle) / 0.4)
            k = int(scores.argmax())
            if scores[k] > best:
                best = float(scores[k])
                base = BasePose(
                    here.x + float(moves[k, 0]), here.y + float(moves[k, 1]), here.yaw + angle
                )
                found = PoseMatch(base.after(odometry.inverse), float(fits[k]))
        return found

    def _fit(self, points: Array, correction: BasePose) -> float:
        moved = correction.apply(np.column_stack([points, np.zeros(len(points))]))[:, :2]
        index = np.floor((moved - self._low) / self._cell).astype(int)
        index = np.clip(index, 0, np.array(self._field.shape) - 1)
        return float(self._field[index[:, 0], index[:, 1]].mean())
