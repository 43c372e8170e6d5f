"""Intervals and tests of rates: known values, other people's code, and that they do as they say."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.bench.statistics import holm, mcnemar, mean_rate, paired_difference, wilson


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


def test_the_mean_of_one_rate_is_that_rate() -> None:
    assert mean_rate([(7, 10)]) == pytest.approx((0.7, *wilson(7, 10)))


def test_tasks_weigh_the_same_however_many_episodes_they_had() -> None:
    mean, low, high = mean_rate([(10, 10), (0, 1000)])
    assert mean == 0.5
    assert low < 0.5 < high


def test_a_mean_over_nothing_is_refused() -> None:
    for counts in ([], [(1, 2), (0, 0)]):
        with pytest.raises(ValueError, match="at least one"):
            mean_rate(counts)


def test_the_mean_of_rates_is_covered_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    rates = np.array([0.95, 0.6, 0.1, 0.8, 1.0, 0.9, 0.5])
    sizes = np.array([10, 10, 20, 10, 10, 10, 5])
    covered = 0
    for _ in range(3000):
        _, low, high = mean_rate(
            list(zip(rng.binomial(sizes, rates).tolist(), sizes.tolist(), strict=True))
        )
        covered += low <= rates.mean() <= high
    assert 0.94 <= covered / 3000 <= 0.99


def test_mcnemar_agrees_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for a in (0, 1, 3, 10, 60):
        for b in (0, 1, 4, 10, 500):
            theirs = stats.binomtest(a, a + b, 0.5).pvalue if a + b else 1.0
            assert mcnemar(a, b) == pytest.approx(theirs, rel=1e-9)


def test_mcnemar_by_hand() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == 2 / 32
    assert mcnemar(5, 0) == 2 / 32
    assert mcnemar(1, 4) == 12 / 32
    assert mcnemar(4000, 4000) == 1.0
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


def test_mcnemar_rarely_finds_what_is_not_there() -> None:
    rng = np.random.default_rng(3)
    only_a = rng.binomial(30, 0.5, 4000)
    found = np.mean([mcnemar(int(a), 30 - int(a)) <= 0.05 for a in only_a])
    assert 0.02 < found <= 0.055


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


def test_holm_makes_a_false_claim_among_many_as_rarely_as_it_says() -> None:
    rng = np.random.default_rng(5)
    families = rng.uniform(size=(4000, 8))
    false_claims = np.mean([min(holm(family.tolist())) <= 0.05 for family in families])
    assert 0.035 < false_claims < 0.06


def test_a_paired_difference_mirrors_itself_and_holds_what_was_seen() -> None:
    for counts in ((5, 3, 1, 1), (0, 10, 0, 0), (10, 0, 0, 0), (36, 12, 2, 0)):
        both, only_a, only_b, neither = counts
        difference, low, high = paired_difference(*counts)
        assert -1.0 <= low <= difference <= high <= 1.0
        assert low < high
        mirrored = paired_difference(both, only_b, only_a, neither)
        assert mirrored == pytest.approx((-difference, -high, -low))
    assert paired_difference(0, 0, 0, 0) == (0.0, -1.0, 1.0)


def test_pairs_that_go_together_tell_more_than_pairs_that_do_not() -> None:
    _, low, high = paired_difference(45, 5, 0, 50)
    _, low_apart, high_apart = paired_difference(22, 28, 23, 27)
    assert high - low < high_apart - low_apart


def test_a_paired_difference_is_covered_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    for chances in ([0.5, 0.3, 0.1, 0.1], [0.8, 0.1, 0.05, 0.05], [0.1, 0.1, 0.1, 0.7]):
        drawn = rng.multinomial(30, chances, 3000)
        edges = np.array([paired_difference(*counts) for counts in drawn.tolist()])
        truth = chances[1] - chances[2]
        covered = float(np.mean((edges[:, 1] <= truth) & (truth <= edges[:, 2])))
        assert 0.935 <= covered <= 0.99
