"""The cost terms of a motion over a batch of roll-outs. Each has shape (N, T).

Three terms make sampling work: a funnel in the hand's own frame that keeps the hand behind its
goal until it is centred; a *reward* for closing the fingers near the goal (a penalty for open
fingers near the goal keeps the samples away from it); a similar funnel from above for placing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regrasp.control.mpc import Rollouts
from regrasp.control.sampler import CLOSE, OPEN
from regrasp.core.arrays import Array

__all__ = ["align", "effort", "funnel", "grip", "length", "lower", "open_fingers"]


def length(vectors: Array) -> Array:
    """Euclidean length over the last axis, smooth at zero."""
    out: Array = np.sqrt(np.einsum("...i,...i->...", vectors, vectors) + 1e-6)
    return out


def funnel(
    seen: Rollouts,
    site: str,
    *,
    askew: Array | float = 0.0,
    gap: float = 0.08,
) -> tuple[Array, Array]:
    """Approach `site` along the hand's z: (cost, distance).

    With `a` the palm's offset along z and `l` its lateral one, the cost is
    |a| + 1.5 l + 3 max(0, a - target(l)): stay `gap` behind until centred, and until turned the
    right way (`askew`, as `align` gives it, near 0).
    """
    offset = seen["palm"] - seen[site]
    z = seen["palm.z"]
    along = np.einsum("nti,nti->nt", offset, z)
    lateral = length(offset - along[..., None] * z)
    target = -np.minimum(
        gap, 4.0 * np.maximum(0.0, lateral - 0.008) + np.maximum(0.0, askew - 0.02)
    )
    cost = np.abs(along) + 1.5 * lateral + 3.0 * np.maximum(0.0, along - target)
    return cost, length(offset)


def align(seen: Rollouts, approach: Array, closing: Sequence[Array]) -> Array:
    """Hand z along `approach` (3,), hand y along any of `closing` (each (3,) or (N, T, 3))."""
    cost: Array = 0.2 * (1.0 - seen["palm.z"] @ approach)
    if closing:
        hand = seen["palm.y"]
        fits = [
            np.abs(hand @ axis if axis.ndim == 1 else np.einsum("nti,nti->nt", hand, axis))
            for axis in closing
        ]
        cost += 0.3 * (1.0 - np.maximum.reduce(fits))
    return cost


def grip(seen: Rollouts, distance: Array, *, near: float = 0.018) -> Array:
    """Open far from the goal; a reward for the command to close near it."""
    far = 1.0 / (1.0 + np.exp(np.clip((near - distance) / 0.004, -50.0, 50.0)))
    closing = np.clip((OPEN - seen.control[..., 6]) / (OPEN - CLOSE), 0.0, 1.0)
    return far * open_fingers(seen) + 1.0 - (1.0 - far) * closing


def open_fingers(seen: Rollouts) -> Array:
    """How far the fingers are from open, 0 to 1."""
    return np.maximum(0.0, 0.95 - seen.fingers / OPEN)


def effort(seen: Rollouts) -> Array:
    """Squared joint speeds of the arm."""
    arm = seen.velocity[..., :7]
    out: Array = 0.002 * np.einsum("ntj,ntj->nt", arm, arm)
    return out


def lower(seen: Rollouts, site: str, target: Array) -> Array:
    """Bring `site` onto `target` (3,) from 6 cm above it."""
    offset = seen[site] - target
    lateral = length(offset[..., :2])
    height = np.minimum(0.06, 1.5 * np.maximum(0.0, lateral - 0.015))
    return lateral + np.abs(offset[..., 2] - height)
