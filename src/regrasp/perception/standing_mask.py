"""The whole of a small thing of which a part is known: what rises there above what it stands on.

Colour finds the label of a box, not its sides. Below the known part, the highest level surface is
the support. The thing is everything above it that is connected with the known part in the picture
and in depth (tabletop segmentation).
"""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array, Floats
from regrasp.core.grounded import Bits
from regrasp.perception.components import region_components

__all__ = ["standing_mask"]

_AROUND_M = 0.24  # of the thing's middle: no small thing is larger
_BIN_M = 0.008
_SHARE = 0.12  # of the points around that lie on a support
_BELOW_M, _ABOVE_M = 0.016, 0.010  # of a support below the top of the known part; of a thing above
_JUMP_M = 0.05
_LEAST_POINTS = 6


def standing_mask(known: Bits, points: Floats) -> Bits:
    """The mask (height, width) of a thing, given a part of it.

    `points` (height, width, 3) are what the pixels show, not a number where depth is missing.
    """
    seen = np.isfinite(points).all(axis=2)
    own = points[known & seen].astype(float)
    if len(own) < _LEAST_POINTS:
        return known
    middle = np.median(own, axis=0)
    with np.errstate(invalid="ignore"):
        away = np.linalg.norm(points[..., :2] - middle[:2].astype(np.float32), axis=2)
        near = seen & (away < _AROUND_M)
    support = _support_height(points[near & ~known][:, 2].astype(float), _top(own))
    if support is None:
        return known
    high = near & (points[..., 2] > support + _ABOVE_M)
    thing = np.asarray(high | (known & ~near))
    z = np.where(thing[..., None], points, np.nan)

    def joined(a: Floats, b: Floats) -> Bits:
        with np.errstate(invalid="ignore"):
            return np.asarray(np.linalg.norm(a - b, axis=-1) < _JUMP_M)

    labels = region_components(joined(z[:, 1:], z[:, :-1]), joined(z[1:], z[:-1]))
    wanted = np.unique(labels[known & thing])
    return np.asarray(known | (np.isin(labels, wanted) & thing))


def _top(own: Array) -> float:
    return float(np.percentile(own[:, 2], 90))


def _support_height(heights: Array, top: float) -> float | None:
    """The height of the highest level surface below `top`; None if there is none."""
    below = heights[heights < top - _BELOW_M]
    if len(below) < 2 * _LEAST_POINTS:
        return None
    counts, edges = np.histogram(below, np.arange(below.min(), below.max() + 2 * _BIN_M, _BIN_M))
    pairs = counts + np.append(counts[1:], 0)
    level = np.flatnonzero(pairs >= max(_LEAST_POINTS, _SHARE * len(heights)))
    return float(edges[level[-1]]) + _BIN_M if len(level) else None
