"""Intervals and tests by resampling: for times, which follow no known distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["bootstrap", "paired_permutation"]

Array: TypeAlias = npt.NDArray[np.float64]
Statistic: TypeAlias = Callable[[Array], Array]
"""Reduces the last axis, e.g. `lambda x: np.median(x, axis=-1)`."""

_MOST_NUMBERS = 4_000_000  # drawn at once
_MOST_EXACT = 14  # pairs up to which all sign changes are tried


def _mean(values: Array) -> Array:
    return np.asarray(values.mean(axis=-1))


def bootstrap(
    values: Sequence[float],
    generator: np.random.Generator,
    *,
    statistic: Statistic = _mean,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> tuple[float, float]:
    """The BCa bootstrap interval of a statistic, by default the mean.

    Percentiles of the statistic over `resamples` draws with replacement, corrected for its bias z₀
    and for the acceleration a, how its spread changes with its value (Efron, JASA 82, 1987):

        Φ(z₀ + (z₀ + z)/(1 - a(z₀ + z))) at z = Φ⁻¹((1 ∓ confidence)/2)

    Below some ten values it is too narrow, as every bootstrap is. With fewer than two values it is
    (-∞, ∞).
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}.")
    seen = np.asarray(values, np.float64)
    if len(seen) < 2:
        return -math.inf, math.inf
    found = float(statistic(seen))
    drawn = np.concatenate([statistic(seen[i]) for i in _draws(len(seen), resamples, generator)])
    if drawn.min() == drawn.max():
        return found, found
    below = float(np.mean(drawn < found) + np.mean(drawn <= found)) / 2.0
    normal = NormalDist()
    z0 = normal.inv_cdf(min(max(below, 0.5 / resamples), 1.0 - 0.5 / resamples))
    a = _acceleration(seen, statistic)
    edges = []
    for share in ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0):
        z = z0 + normal.inv_cdf(share)
        edges.append(normal.cdf(z0 + z / (1.0 - a * z)))
    low, high = np.quantile(drawn, edges)
    return float(low), float(high)


def _draws(
    n: int, resamples: int, generator: np.random.Generator
) -> Iterator[npt.NDArray[np.intp]]:
    """Indices of the draws, (some, n) at a time, `resamples` in all."""
    at_once = max(1, _MOST_NUMBERS // n)
    for begun in range(0, resamples, at_once):
        yield generator.integers(0, n, (min(at_once, resamples - begun), n))


def _acceleration(values: Array, statistic: Statistic) -> float:
    """A sixth of the skewness of the statistic when each value in turn is left out."""
    if statistic is _mean:  # without n² numbers
        left_out = (values.sum() - values) / (len(values) - 1)
    else:
        left_out = np.array([float(statistic(np.delete(values, i))) for i in range(len(values))])
    off = left_out.mean() - left_out
    spread = float(np.sum(off**2)) ** 1.5
    return float(np.sum(off**3)) / (6.0 * spread) if spread > 0.0 else 0.0


def paired_permutation(
    differences: Sequence[float], generator: np.random.Generator, *, resamples: int = 9999
) -> float:
    """Two-sided p-value of the mean of paired differences, by changing their signs.

    If A and B are equal, a difference of a pair is as likely as its opposite. With up to 14 pairs
    that differ every change of signs is tried; with more, `resamples` random ones, and the observed
    one is included, so that p is never 0 and never too small (Phipson and Smyth,
    Stat. Appl. Genet. Mol. Biol. 9, 2010).
    """
    seen = np.asarray([d for d in differences if d != 0.0], np.float64)
    if len(seen) == 0:
        return 1.0
    least = abs(float(seen.sum())) - 1e-9 * float(np.abs(seen).sum())
    if len(seen) <= _MOST_EXACT:
        flips = np.arange(2 ** len(seen))[:, None] >> np.arange(len(seen)) & 1
        return float(np.mean(np.abs((1 - 2 * flips) @ seen) >= least))
    extreme = 0
    for places in _signs(len(seen), resamples, generator):
        extreme += int(np.sum(np.abs(places @ seen) >= least))
    return (extreme + 1) / (resamples + 1)


def _signs(n: int, resamples: int, generator: np.random.Generator) -> Iterator[Array]:
    at_once = max(1, _MOST_NUMBERS // n)
    for begun in range(0, resamples, at_once):
        rows = min(at_once, resamples - begun)
        yield 1.0 - 2.0 * generator.integers(0, 2, (rows, n)).astype(np.float64)
