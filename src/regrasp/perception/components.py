"""Connected components of a graph, of a picture's regions and of a map's voxels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.core.grounded import Bits

__all__ = ["components", "grid_components", "region_components"]

Numbers = npt.NDArray[np.int64]


def components(count: int, a: Numbers, b: Numbers) -> Numbers:
    """The component (count,) of each node of a graph with the edges `a[k]`, `b[k]`.

    A component is named by its smallest node. Roots are hooked to smaller roots and paths are
    shortened until no edge joins two components (Shiloach and Vishkin 1982).
    """
    root = np.arange(count)
    while len(a):
        ra, rb = root[a], root[b]
        apart = ra != rb
        a, b, ra, rb = a[apart], b[apart], ra[apart], rb[apart]
        root[np.maximum(ra, rb)] = np.minimum(ra, rb)
        while True:
            shorter = root[root]
            if np.array_equal(shorter, root):
                break
            root = shorter
    return root


def grid_components(filled: Bits) -> Numbers:
    """Components of the set cells of a grid of any dimension, by shared faces; -1 elsewhere."""
    numbers = np.full(filled.shape, -1, np.int64)
    numbers[filled] = np.arange(int(filled.sum()))
    pairs = []
    for axis in range(filled.ndim):
        first = np.take(numbers, range(filled.shape[axis] - 1), axis)
        second = np.take(numbers, range(1, filled.shape[axis]), axis)
        both = (first >= 0) & (second >= 0)
        pairs.append((first[both], second[both]))
    root = components(
        int(filled.sum()), np.concatenate([p[0] for p in pairs]),
        np.concatenate([p[1] for p in pairs]),
    )  # fmt: skip
    numbers[filled] = root
    return numbers


def region_components(right: Bits, down: Bits) -> Numbers:
    """Regions (height, width) of a picture, numbered by their smallest pixel.

    `right` (height, width - 1) and `down` (height - 1, width) say which neighbours belong together.
    """
    height, width = right.shape[0], down.shape[1]
    numbers = np.arange(height * width).reshape(height, width)
    a = np.concatenate([numbers[:, :-1][right], numbers[:-1][down]])
    b = np.concatenate([numbers[:, 1:][right], numbers[1:][down]])
    return components(height * width, a, b).reshape(height, width)
