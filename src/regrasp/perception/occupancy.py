"""Where the base can stand: the map seen from above, grown by the robot's footprint, and paths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array, Floats
from regrasp.core.grounded import BasePose, Bits, PathEvidence
from regrasp.perception.astar import Cell, cheapest_path, straightened
from regrasp.perception.voxel_map import VoxelMap

__all__ = ["Footprint", "OccupancyGrid", "occupancy_grid"]

_EXTRA_M = 0.15  # a path keeps this much more distance where it can
_CLOSE_COST = 3.0


@dataclass(frozen=True, slots=True)
class Footprint:
    """The robot from above, as a circle, and the heights (m) between which it can collide."""

    radius: float = 0.30
    low: float = 0.08
    high: float = 1.40


@dataclass(frozen=True, slots=True, eq=False)
class OccupancyGrid:
    """Cells (nx, ny) of `cell` m; the first one begins at `low` (2,) in the frame of the map.

    `blocked` has something in it, `known` was seen, `tall` has something higher than the robot
    (a wall), and `free` is where the centre of the footprint can be.
    """

    low: Array
    cell: float
    blocked: Bits
    known: Bits
    tall: Bits
    free: Bits
    costs: Floats

    def cell_of(self, point: Array) -> Cell:
        """The cell of a point (2,), clipped to the grid."""
        index = np.floor((np.asarray(point, float)[:2] - self.low) / self.cell).astype(int)
        row, column = np.clip(index, 0, np.array(self.blocked.shape) - 1)
        return int(row), int(column)

    def points(self, cells: list[Cell]) -> Array:
        """The centres (n, 2) of cells."""
        return self.low + (np.array(cells, float).reshape(-1, 2) + 0.5) * self.cell

    def path(self, start: BasePose, target: Array, *, within: float) -> PathEvidence | None:
        """A path to a cell at most `within` m from `target` (2,), in sight of it; None if none is.

        No wall may stand between that cell and the target.
        """
        begin = self.nearest_free(self.cell_of(start.position))
        goals = self.standing_cells(np.asarray(target, float)[:2], within)
        if begin is None or not goals.any():
            return None
        cells = cheapest_path(self.costs, begin, goals)
        if not cells:
            return None
        points = self.points(straightened(cells, self.costs))
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        return PathEvidence(points, length)

    def standing_cells(self, target: Array, within: float) -> Bits:
        """The free cells (nx, ny) at most `within` m from a point (2,), with no wall between."""
        cells = np.argwhere(self.free)
        goals = np.zeros_like(self.free)
        if not len(cells):
            return goals
        centres = self.low + (cells + 0.5) * self.cell
        near = np.linalg.norm(centres - target, axis=1) <= within
        cells, centres = cells[near], centres[near]
        steps = max(2, int(np.ceil(2 * within / self.cell)))
        # The target itself may stand at a wall or be as high as one: the last part is not tested.
        fractions = np.linspace(0.0, 0.7, steps)
        between = centres[:, None] + fractions[None, :, None] * (target - centres)[:, None]
        index = np.floor((between - self.low) / self.cell).astype(int)
        index = np.clip(index, 0, np.array(self.tall.shape) - 1)
        seen = ~self.tall[index[..., 0], index[..., 1]].any(axis=1)
        goals[tuple(cells[seen].T)] = True
        return goals

    def nearest_free(self, cell: Cell, reach: int = 8) -> Cell | None:
        """The cell, or the nearest free one at most `reach` cells away: odometry is not exact."""
        if self.free[cell]:
            return cell
        low = np.maximum(np.array(cell) - reach, 0)
        found = (
            np.argwhere(self.free[low[0] : cell[0] + reach + 1, low[1] : cell[1] + reach + 1]) + low
        )
        if not len(found):
            return None
        row, column = found[np.linalg.norm(found - np.array(cell), axis=1).argmin()]
        return int(row), int(column)


def occupancy_grid(
    voxels: VoxelMap,
    footprint: Footprint,
    *,
    standing: BasePose | None = None,
    cell: float = 0.10,
) -> OccupancyGrid:
    """The grid of a map for a footprint, in cells of `cell` m.

    Unknown cells are not free. Where the robot is `standing` is free: it cannot see its own feet.
    """
    heights = voxels.low[2] + (np.arange(voxels.shape[2]) + 0.5) * voxels.voxel
    feet, head, under = np.searchsorted(
        heights, (footprint.low, footprint.high, footprint.high - 0.1), side="right"
    )
    step = max(1, round(cell / voxels.voxel))
    block = tuple(slice(one.start // step * step, one.stop) for one in voxels.seen_block)
    low = voxels.low[:2] + voxels.voxel * np.array([one.start for one in block])
    odds = voxels.log_odds[block]  # most of the map's box is outside of the rooms
    full = (odds > 0.0).view(np.uint8)
    count = np.einsum("ijk->ij", full[:, :, feet:head], dtype=np.uint16)
    blocked = (count >= 2) | ((count > 0) & _has_neighbour(count > 0))
    tall = full[:, :, under:].max(axis=2) > 0
    known = np.asarray((odds[:, :, :head] != 0.0).any(axis=2))
    if standing is not None:
        x, y = (low[k] + (np.arange(known.shape[k]) + 0.5) * voxels.voxel for k in (0, 1))
        near = np.hypot(x[:, None] - standing.x, y[None, :] - standing.y) <= footprint.radius
        known, blocked = np.asarray(known | near), np.asarray(blocked & ~near)
    radius = footprint.radius / voxels.voxel
    free = known & ~grown(blocked, radius) & ~grown(~known, radius / 2)
    close = grown(blocked, radius + _EXTRA_M / voxels.voxel)
    costs = np.where(free, np.where(close, _CLOSE_COST, 1.0), np.inf).astype(np.float32)
    half = step // 2
    centre = (slice(half, None, step), slice(half, None, step))
    shape = free[centre].shape

    def any_of(bits: Bits) -> Bits:
        padded = np.zeros((shape[0] * step, shape[1] * step), bool)
        part = bits[: padded.shape[0], : padded.shape[1]]
        padded[: part.shape[0], : part.shape[1]] = part
        return np.asarray(padded.reshape(shape[0], step, shape[1], step).any(axis=(1, 3)))

    return OccupancyGrid(
        low, step * voxels.voxel, any_of(blocked), any_of(known), any_of(tall),
        free[centre], costs[centre],
    )  # fmt: skip


def grown(bits: Bits, radius: float) -> Bits:
    """A set of cells (rows, columns), grown by a disc of `radius` cells."""
    reach = int(radius)
    rows, columns = bits.shape
    sums = np.zeros((rows, columns + 1), np.int32)
    np.cumsum(bits, axis=1, out=sums[:, 1:])
    result = np.zeros_like(bits)
    at = np.arange(columns)
    for shift in range(-reach, reach + 1):
        wide = int(np.sqrt(radius**2 - shift**2))
        wider = sums[:, np.minimum(at + wide + 1, columns)] > sums[:, np.maximum(at - wide, 0)]
        source = wider[max(0, shift) : rows + min(0, shift)]
        result[max(0, -shift) : rows - max(0, shift)] |= source
    return result


def _has_neighbour(bits: Bits) -> Bits:
    """Which cells have a set cell beside them; a single voxel without one is noise of depth."""
    padded = np.pad(bits, 1)
    beside: Bits = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    return beside
