"""Wilson's interval: known values, symmetry, and that it covers what it says."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.bench.statistics import wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # z = 1.959964; the first four are in Newcombe (1998), table I, method 3, to four digits
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (50, 50, 0.9287, 1.0),
        (20, 20, 0.8389, 1.0),
        (16, 20, 0.5840, 0.9193),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_known_values(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_agrees_with_scipy(confidence: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    for n in (1, 7, 50, 1000):
        for k in {0, 1, n // 3, n - 1, n}:
            theirs = stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
            assert wilson(k, n, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_all_and_none_reach_the_ends_and_mirror_each_other() -> None:
    for n in range(1, 60):
        for k in range(n + 1):
            low, high = wilson(k, n)
            assert 0.0 <= low <= k / n <= high <= 1.0
            assert wilson(n - k, n) == pytest.approx((1.0 - high, 1.0 - low))
        assert wilson(0, n)[0] == 0.0
        assert wilson(n, n)[1] == 1.0


def test_nothing_seen_is_nothing_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes must be between 0 and n"):
        wilson(successes, n)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_impossible_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        wilson(1, 2, confidence)


def test_it_covers_the_true_rate_as_often_as_it_says() -> None:
    """Over rates spread evenly, the mean coverage of Wilson's interval is close to nominal."""
    rng = np.random.default_rng(7)
    rates = rng.uniform(0.0, 1.0, 20_000)
    for n in (10, 20, 50):
        edges = np.array([wilson(k, n) for k in range(n + 1)])
        low, high = edges[rng.binomial(n, rates)].T
        covered = float(np.mean((low <= rates) & (rates <= high)))
        assert covered == pytest.approx(0.95, abs=0.01)
