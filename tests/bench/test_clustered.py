"""Results of one seed share their luck: intervals and tests that know it."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.bench.answer_scores import Rate
from regrasp.bench.clustered import (
    clustered_difference,
    clustered_mean_rate,
    clustered_wilson,
    seed_means,
    sign_change_test,
)
from regrasp.bench.statistics import mcnemar, mean_rate, paired_difference, wilson


def test_one_result_in_each_cluster_gives_the_plain_interval_and_test() -> None:
    ones = [(1, 1)] * 7 + [(0, 1)] * 3
    assert clustered_wilson(ones) == wilson(7, 10)
    task = dict(enumerate(ones))
    assert clustered_mean_rate([task]) == mean_rate([(7, 10)])
    pairs = [(True, False)] * 6 + [(False, True)] + [(True, True)] * 3
    assert clustered_difference([[pair] for pair in pairs]) == paired_difference(3, 6, 1, 0)
    assert sign_change_test([a - b for a, b in pairs]) == pytest.approx(mcnemar(6, 1))


def test_copies_of_a_seed_are_no_evidence() -> None:
    """Ten tasks that always end alike on a seed know as much as one of them."""
    seeds = [True] * 14 + [False] * 6
    low, high = clustered_wilson([(10 * won, 10) for won in seeds])
    alone = wilson(14, 20)
    assert low == pytest.approx(alone[0], abs=0.02)
    assert high == pytest.approx(alone[1], abs=0.02)
    assert clustered_wilson([(10, 10)] * 20) == wilson(20, 20)
    tasks = [{seed: (int(won), 1) for seed, won in enumerate(seeds)}] * 10
    mean, low, high = clustered_mean_rate(tasks)
    assert (mean, low, high) == pytest.approx((0.7, *alone), abs=0.02)
    assert sign_change_test([10] * 6) == mcnemar(6, 0)
    assert Rate.of((seed, won) for seed, won in enumerate(seeds) for _ in range(10)).interval == (
        clustered_wilson([(10 * won, 10) for won in seeds])
    )


def test_the_clustered_interval_covers_where_the_plain_one_does_not() -> None:
    """Twenty seeds of eight tasks that share most of their luck, rate 0.6."""
    rng = np.random.default_rng(3)
    covered = {"plain": 0, "clustered": 0}
    for _ in range(600):
        chances = rng.beta(0.6, 0.4, 20)
        clusters = [(int(hits), 8) for hits in rng.binomial(8, chances)]
        intervals = {
            "plain": wilson(sum(h for h, _ in clusters), 160),
            "clustered": clustered_wilson(clusters),
        }
        for name, (low, high) in intervals.items():
            covered[name] += low <= 0.6 <= high
    assert covered["plain"] / 600 < 0.75
    assert covered["clustered"] / 600 > 0.92


def test_a_seed_counts_once_in_a_mean_of_seeds() -> None:
    assert seed_means([(3, 1.0), (1, 5.0), (3, 3.0)]) == [5.0, 2.0]
