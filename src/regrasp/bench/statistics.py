"""Intervals and tests: by formulas for counted outcomes (rates, means of rates, paired outcomes);
by resampling for times, which follow no known distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist, fmean
from typing import TypeAlias

import numpy as np

from regrasp.core.arrays import Array

__all__ = [
    "Statistic",
    "bootstrap",
    "holm",
    "mcnemar",
    "mean_rate",
    "paired_difference",
    "paired_permutation",
    "wilson",
]

Statistic: TypeAlias = Callable[[Array], Array]
"""Reduces the last axis, e.g. `lambda x: np.median(x, axis=-1)`."""

_MAX_BATCH = 4_000_000  # random numbers drawn in one call
_MAX_EXACT_PAIRS = 14  # up to this number all sign changes are tried


def wilson(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a rate with `successes` of `n`.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2:

        (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n)

    Unlike p ± z √(p(1 - p)/n) it is valid at 0 of n and n of n, and keeps its coverage for small n.
    With n = 0 it is (0, 1). Counts may be fractions: those of clusters are (`clustered`).
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be between 0 and n = {n}, not {successes}.")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}.")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    rate, z2n = successes / n, z * z / n
    centre = rate + z2n / 2.0
    half_width = z * math.sqrt(rate * (1.0 - rate) / n + z2n / (4.0 * n))
    low = 0.0 if successes == 0 else (centre - half_width) / (1.0 + z2n)
    high = 1.0 if successes == n else (centre + half_width) / (1.0 + z2n)
    return low, high


def mean_rate(
    counts: Sequence[tuple[int, int]], confidence: float = 0.95
) -> tuple[float, float, float]:
    """The mean of several rates, each `successes` of `n`, and its interval: (mean, low, high).

    Each task weighs the same, however many episodes it had. The limits are recovered from those of
    the single rates (MOVER; Zou and Donner, Statistics in Medicine 27, 2008), here Wilson's lᵢ, uᵢ:

        mean ∓ √Σ((pᵢ - lᵢ)/k)²,  √Σ((uᵢ - pᵢ)/k)²

    Every n must be at least 1.
    """
    if not counts or any(n < 1 for _, n in counts):
        raise ValueError("a mean of rates needs at least one rate, each over at least one episode.")
    k = len(counts)
    rates = [successes / n for successes, n in counts]
    limits = [wilson(successes, n, confidence) for successes, n in counts]
    mean = fmean(rates)
    below = math.hypot(*((p - low) / k for p, (low, _) in zip(rates, limits, strict=True)))
    above = math.hypot(*((high - p) / k for p, (_, high) in zip(rates, limits, strict=True)))
    return mean, max(0.0, mean - below), min(1.0, mean + above)


def mcnemar(only_a: int, only_b: int) -> float:
    """McNemar's exact two-sided test: the p-value of pairs that only A, or only B, succeeded at.

    Pairs on which both agree give no evidence. If neither is better, each of the n others is won
    by A with probability 1/2, and with k the smaller count p = 2 P(Bin(n, 1/2) ≤ k), at most 1
    (McNemar, Psychometrika 12, 1947; exact form by the binomial).
    """
    if min(only_a, only_b) < 0:
        raise ValueError(f"counts of pairs cannot be negative: {only_a}, {only_b}.")
    n, term, tail = only_a + only_b, 1, 0
    for i in range(min(only_a, only_b) + 1):
        tail += term  # term = n over i, in whole numbers
        term = term * (n - i) // (i + 1)
    return min(1.0, 2 * tail / (1 << n))


def paired_difference(
    both: float, only_a: float, only_b: float, neither: float, confidence: float = 0.95
) -> tuple[float, float, float]:
    """A's rate minus B's over the same episodes, and its interval: (difference, low, high).

    Newcombe's tenth method (Statistics in Medicine 17, 1998, 2635): Wilson's limits of both rates,
    combined as for independent rates, with the correlation φ of the pairs, which is corrected
    slightly towards 0.
    """
    n = both + only_a + only_b + neither
    if n == 0:
        return 0.0, -1.0, 1.0
    wins_a, wins_b = both + only_a, both + only_b
    p_a, p_b = wins_a / n, wins_b / n
    (low_a, high_a), (low_b, high_b) = wilson(wins_a, n, confidence), wilson(wins_b, n, confidence)
    cross = both * neither - only_a * only_b
    if cross > 0:
        cross = max(0.0, cross - n / 2.0)
    margins = wins_a * (n - wins_a) * wins_b * (n - wins_b)
    phi = cross / math.sqrt(margins) if margins else 0.0

    def half_width(of_a: float, of_b: float) -> float:
        return math.sqrt(max(0.0, of_a**2 - 2.0 * phi * of_a * of_b + of_b**2))

    difference = p_a - p_b
    low = difference - half_width(p_a - low_a, high_b - p_b)
    return difference, low, difference + half_width(high_a - p_a, p_b - low_b)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for multiple tests (Holm, Scand. J. Statist. 6, 1979).

    If the values at or below α are claimed as differences, the probability of any false claim among
    them is at most α, for any dependence between the tests.
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - rank) * p_values[i])
        adjusted[i] = min(1.0, largest)
    return adjusted


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
    sample = np.asarray(values, np.float64)
    if len(sample) < 2:
        return -math.inf, math.inf
    estimate = float(statistic(sample))
    n = len(sample)
    drawn = np.concatenate(
        [statistic(sample[generator.integers(0, n, shape)]) for shape in _batches(n, resamples)]
    )
    if drawn.min() == drawn.max():
        return estimate, estimate
    below = float(np.mean(drawn < estimate) + np.mean(drawn <= estimate)) / 2.0
    normal = NormalDist()
    z0 = normal.inv_cdf(min(max(below, 0.5 / resamples), 1.0 - 0.5 / resamples))
    a = _acceleration(sample, statistic)
    limits = []
    for share in ((1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0):
        z = z0 + normal.inv_cdf(share)
        limits.append(normal.cdf(z0 + z / (1.0 - a * z)))
    low, high = np.quantile(drawn, limits)
    return float(low), float(high)


def _batches(n: int, resamples: int) -> Iterator[tuple[int, int]]:
    """The shapes of draws of n numbers each, `resamples` draws in all."""
    rows = max(1, _MAX_BATCH // n)
    for start in range(0, resamples, rows):
        yield min(rows, resamples - start), n


def _acceleration(values: Array, statistic: Statistic) -> float:
    """A sixth of the skewness of the statistic when each value in turn is left out."""
    if statistic is _mean:  # faster: no n² values
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
    sample = np.asarray([d for d in differences if d != 0.0], np.float64)
    if len(sample) == 0:
        return 1.0
    observed = abs(float(sample.sum())) - 1e-9 * float(np.abs(sample).sum())
    if len(sample) <= _MAX_EXACT_PAIRS:
        flips = np.arange(2 ** len(sample))[:, None] >> np.arange(len(sample)) & 1
        return float(np.mean(np.abs((1 - 2 * flips) @ sample) >= observed))
    extreme = 0
    for shape in _batches(len(sample), resamples):
        signs = 1.0 - 2.0 * generator.integers(0, 2, shape)
        extreme += int(np.sum(np.abs(signs @ sample) >= observed))
    return (extreme + 1) / (resamples + 1)
