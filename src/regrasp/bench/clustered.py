"""Intervals and tests for results that share luck: those of one seed are one cluster.

Tasks on one seed share scenes and disturbances, and answers of one episode share a picture. If
each counted as independent, intervals would be too narrow and p-values too small. Where every
cluster has one result, these functions give what those of `statistics` give.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TypeVar

import numpy as np

from regrasp.bench.statistics import Statistic, mean_rate, paired_difference, wilson

__all__ = [
    "by_seed",
    "clustered_bootstrap",
    "clustered_difference",
    "clustered_mean_rate",
    "clustered_wilson",
    "seed_means",
    "sign_change_test",
]

_Value = TypeVar("_Value")


def clustered_wilson(
    clusters: Sequence[tuple[int, int]], confidence: float = 0.95
) -> tuple[float, float]:
    """Wilson's interval for a rate whose hits of n come in `clusters` of (hits, n).

    The counts are divided by the design effect, the variance between clusters over that of
    independent results (Rao and Scott, Biometrics 48, 1992), with rate p, m clusters, n in all:

        deff = m/(m - 1) Σ(xᵢ - p nᵢ)² / (n p(1 - p)), at least 1

    If all results are equal, nothing is known about their dependence, and a cluster counts once.
    """
    filled = [(hits, n) for hits, n in clusters if n]
    hits, n = (sum(pair[i] for pair in filled) for i in (0, 1))
    if n == 0:
        return 0.0, 1.0
    p = hits / n
    spread = sum((x - p * size) ** 2 for x, size in filled)
    effect = _design_effect(spread, n * p * (1.0 - p), len(filled), n)
    return wilson(hits / effect, n / effect, confidence)


def _design_effect(between: float, independent: float, clusters: int, n: int) -> float:
    """The variance of the clusters over that of independent results; n/m if neither varies."""
    if clusters == n:
        return 1.0
    if independent <= 0.0 or clusters < 2:
        return n / clusters
    return max(1.0, clusters / (clusters - 1) * between / independent)


def clustered_mean_rate(
    tasks: Sequence[Mapping[int, tuple[int, int]]], confidence: float = 0.95
) -> tuple[float, float, float]:
    """The mean of the rates of k tasks, each (hits, n) by seed: (mean, low, high).

    The limits of `mean_rate` treat tasks as independent. Their distances from the mean are widened
    by √deff: the variance of the seeds' contributions uₛ = Σₜ(xₜₛ - pₜ nₜₛ)/(k nₜ), over that of
    independent episodes.
    """
    counts = [tuple(sum(pair[i] for pair in task.values()) for i in (0, 1)) for task in tasks]
    mean, low, high = mean_rate([(hits, n) for hits, n in counts], confidence)
    seeds = sorted({seed for task in tasks for seed in task})
    total, k = sum(n for _, n in counts), len(tasks)
    between = 0.0
    for seed in seeds:
        parts = (
            (task[seed][0] - hits / n * task[seed][1]) / (k * n)
            for task, (hits, n) in zip(tasks, counts, strict=True)
            if seed in task
        )
        between += sum(parts) ** 2
    independent = sum(hits / n * (1.0 - hits / n) / n for hits, n in counts) / k**2
    widen = math.sqrt(_design_effect(between, independent, len(seeds), total))
    return mean, max(0.0, mean - widen * (mean - low)), min(1.0, mean + widen * (high - mean))


def clustered_difference(
    clusters: Sequence[Sequence[tuple[bool, bool]]], confidence: float = 0.95
) -> tuple[float, float, float]:
    """A's rate minus B's over pairs (A, B) that come in clusters: (difference, low, high).

    Newcombe's interval for pairs, of counts divided by the design effect of the differences.
    """
    filled = [cluster for cluster in clusters if cluster]
    pairs = [pair for cluster in filled for pair in cluster]
    if not pairs:
        return paired_difference(0, 0, 0, 0, confidence)
    counts = Counter(pairs)
    n, d = len(pairs), (counts[True, False] - counts[False, True]) / len(pairs)
    independent = counts[True, False] + counts[False, True] - n * d * d
    between = sum((sum(a - b for a, b in some) - d * len(some)) ** 2 for some in filled)
    effect = _design_effect(between, independent, len(filled), n)
    both, only_a, only_b, neither = (
        counts[a, b] / effect for a in (True, False) for b in (True, False)
    )
    return paired_difference(both, only_a, only_b, neither, confidence)


def sign_change_test(differences: Sequence[int]) -> float:
    """Exact two-sided p-value that the sum of these differences of clusters is 0.

    If A and B are equal, the difference of a cluster is as likely as its opposite. The distribution
    of the sum over all sign changes is computed exactly. With differences of -1, 0 and 1 this is
    McNemar's exact test.
    """
    chances = {0: 1.0}
    for step in (abs(d) for d in differences if d):
        after: dict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            after[total + step] += chance / 2.0
            after[total - step] += chance / 2.0
        chances = after
    observed = abs(sum(differences))
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= observed))


def by_seed(values: Iterable[tuple[int, _Value]]) -> list[list[_Value]]:
    """The values of each seed, from pairs (seed, value): the clusters, in the order of seeds."""
    found: dict[int, list[_Value]] = {}
    for seed, value in values:
        found.setdefault(seed, []).append(value)
    return [some for _, some in sorted(found.items(), key=itemgetter(0))]


def seed_means(values: Iterable[tuple[int, float]]) -> list[float]:
    """The mean of each seed's values, from pairs (seed, value): a seed counts once."""
    return [math.fsum(some) / len(some) for some in by_seed(values)]


def clustered_bootstrap(
    clusters: Sequence[Sequence[float]],
    generator: np.random.Generator,
    statistic: Statistic,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> tuple[float, float]:
    """The percentile interval of a statistic of all values, by drawing whole clusters."""
    filled = [np.asarray(cluster, np.float64) for cluster in clusters if len(cluster)]
    if len(filled) < 2:
        return -math.inf, math.inf
    drawn = [
        float(statistic(np.concatenate([filled[i] for i in chosen])))
        for chosen in generator.integers(0, len(filled), (resamples, len(filled)))
    ]
    low, high = np.quantile(drawn, [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    return float(low), float(high)
