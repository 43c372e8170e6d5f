"""Intervals for what a bench counts."""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["wilson"]


def wilson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a rate of which `successes` of `n` were seen.

    With p = successes / n and z the normal quantile of (1 + confidence) / 2:

        (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n)

    Unlike p ± z √(p(1 - p)/n) it says something at 0 of n and n of n, and keeps its promise for
    small n. With n = 0 nothing is known: (0, 1).
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
