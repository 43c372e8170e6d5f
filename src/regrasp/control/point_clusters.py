"""Clusters of points in space: those that lie in neighbouring cells of a grid."""

from __future__ import annotations

from itertools import product

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["CELL_M", "clusters", "some_of"]

CELL_M = 0.02
_NEIGHBOURS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))

_Cell = tuple[int, int, int]


def clusters(points: Array, *, least: int = 1, cell_m: float = CELL_M) -> list[Array]:
    """The clusters of points (n, 3 or more) that have at least `least` points, the largest first.

    Points of one cluster are at most about two cells of `cell_m` apart.
    """
    cells: dict[_Cell, list[int]] = {}
    for number, (x, y, z) in enumerate(np.floor(points[:, :3] / cell_m).astype(int).tolist()):
        cells.setdefault((x, y, z), []).append(number)
    found = []
    while cells:
        cell, members = cells.popitem()
        open_cells = [cell]
        while open_cells:
            x, y, z = open_cells.pop()
            for dx, dy, dz in _NEIGHBOURS:
                beside = (x + dx, y + dy, z + dz)
                if beside in cells:
                    members += cells.pop(beside)
                    open_cells.append(beside)
        if len(members) >= least:
            found.append(points[members])
    return sorted(found, key=len, reverse=True)


def some_of(points: Array, count: int) -> Array:
    """At most `count` of the points (n, …), evenly chosen."""
    return points[:: max(1, -(-len(points) // count))]
