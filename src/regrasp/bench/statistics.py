"""Intervals and tests for counted outcomes: rates, means of rates, and paired outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean

__all__ = ["holm", "mcnemar", "mean_rate", "paired_difference", "wilson"]


def wilson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a rate with `successes` of `n`.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2:

        (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n)

    Unlike p ± z √(p(1 - p)/n) it is valid at 0 of n and n of n, and keeps its coverage for small n.
    With n = 0 it is (0, 1).
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
    reach = z * math.sqrt(rate * (1.0 - rate) / n + z2n / (4.0 * n))
    low = 0.0 if successes == 0 else (centre - reach) / (1.0 + z2n)
    high = 1.0 if successes == n else (centre + reach) / (1.0 + z2n)
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
    edges = [wilson(successes, n, confidence) for successes, n in counts]
    mean = fmean(rates)
    below = math.hypot(*((p - low) / k for p, (low, _) in zip(rates, edges, strict=True)))
    above = math.hypot(*((high - p) / k for p, (_, high) in zip(rates, edges, strict=True)))
    return mean, max(0.0, mean - below), min(1.0, mean + above)


def mcnemar(only_a: int, only_b: int) -> float:
    """McNemar's exact two-sided test: the p-value of pairs that only A, or only B, succeeded at.

    Pairs on which both agree give no evidence. If neither is better, each of the n others falls to
    A or B like a fair coin, and with k the smaller count p = 2 P(Bin(n, 1/2) ≤ k), at most 1
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
    both: int, only_a: int, only_b: int, neither: int, confidence: float = 0.95
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
        cross = max(0, cross - n // 2)
    margins = wins_a * (n - wins_a) * wins_b * (n - wins_b)
    phi = cross / math.sqrt(margins) if margins else 0.0

    def reach(of_a: float, of_b: float) -> float:
        return math.sqrt(max(0.0, of_a**2 - 2.0 * phi * of_a * of_b + of_b**2))

    difference = p_a - p_b
    low = difference - reach(p_a - low_a, high_b - p_b)
    return difference, low, difference + reach(high_a - p_a, p_b - low_b)


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
