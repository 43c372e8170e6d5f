"""Probabilities as log-odds, log p / (1 - p): evidence is added to them."""

from __future__ import annotations

import math

__all__ = ["log_odds", "probability"]


def log_odds(p: float, least: float = 1e-6) -> float:
    """The log-odds of a probability, which is first clamped to [`least`, 1 - `least`]."""
    p = min(max(p, least), 1.0 - least)
    return math.log(p / (1.0 - p))


def probability(odds: float) -> float:
    """The probability of log-odds."""
    return 1.0 / (1.0 + math.exp(-odds)) if odds > -700.0 else 0.0
