"""The format of figures in a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from regrasp.bench.answer_scores import Rate
from regrasp.bench.clustered import by_seed, clustered_bootstrap
from regrasp.bench.report.document import Cell
from regrasp.bench.statistics import bootstrap

__all__ = [
    "DASH",
    "adjusted_p",
    "interval",
    "mean_cell",
    "mean_interval",
    "p_value",
    "percent",
    "percentage_points",
    "rate_cell",
]

DASH = "–"


def percent(share: float) -> str:
    """A share in percent, with a decimal only if needed: 88.6%, 90%."""
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')}%"


def percentage_points(share: float) -> str:
    """A difference of two shares, in percentage points and with its sign."""
    return f"{100 * share:+.0f}".replace("-", "−")


def interval(low: float, high: float, scale: float = 1.0) -> str:
    """An interval as text, `2 to 11`; empty if it is unknown."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{_short(scale * low)} to {_short(scale * high)}".replace("-", "−")


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 or value == 0 else f"{value:.1f}"


def rate_cell(rate: Rate, *, strong: bool = False) -> Cell:
    """A rate with its count and its interval: 90%, 9 of 10, 60–98%."""
    if rate.value is None:
        return Cell(DASH)
    low, high = rate.interval
    small = f"{rate.hits}/{rate.n}, {100 * low:.0f}–{100 * high:.0f}%"
    return Cell(percent(rate.value), small, strong)


def mean_cell(
    values: Sequence[float], generator: np.random.Generator, seeds: Sequence[int] = ()
) -> Cell:
    """A mean with its bootstrap interval; with `seeds`, those of the values, whole seeds are drawn.

    Values of one seed are not independent, so a seed is drawn with all of them or not at all.
    """
    if not values:
        return Cell(DASH)
    low, high = mean_interval(values, generator, seeds)
    known = math.isfinite(low)
    limits = f"{_short(low)}–{_short(high)}, " if known and low != high else ""
    return Cell(_short(fmean(values)), f"{limits}n = {len(values)}")


def mean_interval(
    values: Sequence[float], generator: np.random.Generator, seeds: Sequence[int] = ()
) -> tuple[float, float]:
    """The bootstrap interval of a mean, clustered by `seeds` where one has several values."""
    if len(set(seeds)) == len(seeds):
        return bootstrap(values, generator)
    clusters = by_seed(zip(seeds, values, strict=True))
    return clustered_bootstrap(clusters, generator, lambda x: np.asarray(x.mean(axis=-1)))


def p_value(p: float) -> str:
    """A p-value, as papers write it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def adjusted_p(p: float) -> str:
    """A p-value with its sign of relation, for a sentence: `= 0.031`, `< 0.001`."""
    return p_value(p) if p < 0.001 else f"= {p_value(p)}"
