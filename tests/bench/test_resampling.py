"""Bootstrap and permutations: other people's code, known answers, and that they do as they say."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from regrasp.bench.statistics import bootstrap, mcnemar, paired_permutation

Array = npt.NDArray[np.float64]


def mean(values: Array, axis: int = -1) -> Array:
    return np.asarray(np.mean(values, axis=axis))


def median(values: Array, axis: int = -1) -> Array:
    return np.asarray(np.median(values, axis=axis))


@pytest.mark.parametrize("statistic", [mean, median])
def test_the_interval_agrees_with_scipy(statistic: Callable[..., Array]) -> None:
    stats = pytest.importorskip("scipy.stats")
    seen = np.random.default_rng(1).lognormal(1.0, 0.8, 40)
    theirs = stats.bootstrap(
        (seen,), statistic, n_resamples=20_000, method="BCa", rng=np.random.default_rng(2)
    ).confidence_interval
    ours = bootstrap(seen.tolist(), np.random.default_rng(3), statistic=statistic, resamples=20_000)
    assert ours == pytest.approx((theirs.low, theirs.high), rel=0.03)


def test_the_mean_is_what_it_takes_if_nothing_is_said() -> None:
    seen = [1.0, 2.0, 2.5, 7.0, 3.0]
    said = bootstrap(seen, np.random.default_rng(4), statistic=mean)
    assert bootstrap(seen, np.random.default_rng(4)) == pytest.approx(said)


def test_it_covers_the_mean_of_skewed_times_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    truth, covered = math.exp(0.5 * 0.5**2), 0
    for _ in range(600):
        low, high = bootstrap(rng.lognormal(0.0, 0.5, 25).tolist(), rng, resamples=600)
        covered += low <= truth <= high
    assert 0.90 <= covered / 600 <= 0.98


def test_the_same_generator_gives_the_same_interval() -> None:
    seen = [1.0, 2.0, 2.5, 7.0, 3.0]
    first, again = (bootstrap(seen, np.random.default_rng(4)) for _ in range(2))
    assert first == again
    assert first[0] < np.mean(seen) < first[1]


def test_many_values_are_drawn_in_parts() -> None:
    seen = np.random.default_rng(0).normal(10.0, 1.0, 30_000)
    low, high = bootstrap(seen.tolist(), np.random.default_rng(1), resamples=300)
    assert low < seen.mean() < high
    assert high - low == pytest.approx(2 * 1.96 / math.sqrt(30_000), rel=0.15)


def test_what_nothing_can_be_said_of() -> None:
    assert bootstrap([3.0], np.random.default_rng(0)) == (-math.inf, math.inf)
    assert bootstrap([], np.random.default_rng(0)) == (-math.inf, math.inf)
    assert bootstrap([3.0, 3.0, 3.0], np.random.default_rng(0)) == (3.0, 3.0)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap([1.0, 2.0], np.random.default_rng(0), confidence=95.0)


@pytest.mark.parametrize("n", [5, 13, 40])
def test_permutations_agree_with_scipy(n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    seen = np.random.default_rng(n).normal(0.4, 1.0, n)
    theirs = stats.permutation_test(
        (seen, np.zeros(n)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    ours = paired_permutation(seen.tolist(), np.random.default_rng(2))
    assert ours == pytest.approx(theirs, abs=1e-12 if n <= 13 else 0.015)


def test_permutations_by_hand() -> None:
    rng = np.random.default_rng(0)
    assert paired_permutation([1.0, 2.0, 3.0], rng) == 2 / 8
    assert paired_permutation([1.0, 2.0, 3.0, 0.0, 0.0], rng) == 2 / 8
    assert paired_permutation([1.0, -1.0], rng) == 1.0
    assert paired_permutation([0.0, 0.0], rng) == paired_permutation([], rng) == 1.0


def test_permutations_of_yes_and_no_are_mcnemar() -> None:
    differences = [1.0] * 9 + [-1.0] * 2 + [0.0] * 20
    assert paired_permutation(differences, np.random.default_rng(0)) == pytest.approx(mcnemar(9, 2))


def test_permutations_rarely_find_what_is_not_there() -> None:
    rng = np.random.default_rng(9)
    found = 0
    for _ in range(600):
        found += paired_permutation(rng.laplace(size=20).tolist(), rng, resamples=199) <= 0.05
    assert 0.025 < found / 600 < 0.08


def test_what_is_plain_is_found() -> None:
    assert paired_permutation([1.0 + i / 30 for i in range(30)], np.random.default_rng(0)) == 1e-4
