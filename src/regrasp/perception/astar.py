"""A* on a grid of costs (Hart, Nilsson and Raphael 1968), eight neighbours to a cell."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.core.grounded import Bits

__all__ = ["Cell", "cheapest_path", "straightened"]

Cell = tuple[int, int]
_SQRT2 = 2.0**0.5


def cheapest_path(costs: Floats, start: Cell, goals: Bits) -> list[Cell]:
    """The cells from `start` to the cheapest of `goals` (rows, columns); empty if there is no path.

    `costs` (rows, columns) is the cost of a step of one cell, 1 or more; infinite cells are
    blocked, and no step cuts the corner of one. The heuristic is the octile distance to the box
    around all goals, which never overestimates.
    """
    rows, columns = costs.shape
    width = columns + 2  # a blocked border, so that no neighbour is outside
    padded = np.full((rows + 2, width), np.inf)
    padded[1:-1, 1:-1] = costs
    wanted = np.zeros_like(padded, bool)
    wanted[1:-1, 1:-1] = goals & np.isfinite(costs)
    first = (start[0] + 1) * width + start[1] + 1
    if not wanted.any() or not np.isfinite(padded.flat[first]):
        return []
    guess = _octile(padded.shape, wanted).ravel().tolist()
    price, is_goal = padded.ravel().tolist(), wanted.ravel().tolist()
    straight, inf = (1, -1, width, -width), float("inf")
    diagonal = tuple((a + b, a, b) for a in (width, -width) for b in (1, -1))
    cost, came_from = {first: 0.0}, {first: first}
    frontier, closed = [(guess[first], first)], bytearray(padded.size)
    while frontier:
        _, cell = heapq.heappop(frontier)
        if closed[cell]:
            continue
        if is_goal[cell]:
            return _walk_back(came_from, cell, width)
        closed[cell] = 1
        so_far = cost[cell]
        for step in straight:
            there = cell + step
            if not closed[there] and (each := price[there]) < inf:
                total = so_far + each
                if total < cost.get(there, inf):
                    cost[there], came_from[there] = total, cell
                    heapq.heappush(frontier, (total + guess[there], there))
        for step, a, b in diagonal:
            there = cell + step
            if not closed[there] and (each := price[there]) < inf:
                total = so_far + _SQRT2 * each
                if total < cost.get(there, inf) and price[cell + a] < inf > price[cell + b]:
                    cost[there], came_from[there] = total, cell
                    heapq.heappush(frontier, (total + guess[there], there))
    return []


def _octile(shape: tuple[int, ...], goals: Bits) -> npt.NDArray[np.float64]:
    """The cost, at least, from each cell to the box around all goals."""
    away: list[npt.NDArray[np.int64]] = []
    for axis, size in enumerate(shape):
        inside = np.flatnonzero(goals.any(axis=1 - axis))
        at = np.arange(size)
        away.append(np.maximum(np.maximum(inside[0] - at, at - inside[-1]), 0))
    dy, dx = away[0][:, None], away[1][None, :]
    octile: npt.NDArray[np.float64] = np.maximum(dy, dx) + (_SQRT2 - 1.0) * np.minimum(dy, dx)
    return octile


def _walk_back(came_from: dict[int, int], cell: int, width: int) -> list[Cell]:
    path = [cell]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return [(one // width - 1, one % width - 1) for one in path[::-1]]


def straightened(path: Sequence[Cell], costs: Floats) -> list[Cell]:
    """The corners of a path: cells are left out where a straight line is no dearer than they are.

    The line's dearest cell may cost as much as the dearest cell that is left out.
    """
    price = [float(costs[cell]) for cell in path]
    corners, k = [path[0]], 0
    while k < len(path) - 1:
        far = len(path) - 1
        while far > k + 1 and _dearest(path[k], path[far], costs) > max(price[k : far + 1]):
            far = k + max(1, (far - k) * 3 // 4)
        corners.append(path[far])
        k = far
    return corners


def _dearest(a: Cell, b: Cell, costs: Floats) -> float:
    """The largest cost of the cells on the line between two cells."""
    steps = 2 * max(abs(a[0] - b[0]), abs(a[1] - b[1])) + 1
    rows = np.rint(np.linspace(a[0], b[0], steps)).astype(int)
    columns = np.rint(np.linspace(a[1], b[1], steps)).astype(int)
    return float(costs[rows, columns].max())
