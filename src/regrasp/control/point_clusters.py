"""Clusters of points in space: those that lie in neighbouring cells of a grid."""

from __future__ import annotations

from itertools import product

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["clusters", "some_of"]

_CELL_M = 0.02
_NEIGHBOURS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))

_Cell = tuple[int, int, int]


def clusters(points: Array, *, least: int = 1) -> list[Array]:
    """The clusters of points (n, 3) that have at least `least` points, the largest first."""
    cells: dict[_Cell, list[int]] = {}
    for number, (x, y, z) in enumerate(np.floor(points / _CELL_M).astype(int).tolist()):
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
    """At most `count` of the points (n, 3), evenly chosen."""
    return points[:: max(1, -(-len(points) // count))]
