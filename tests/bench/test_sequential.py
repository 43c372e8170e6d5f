"""The sequential test: its promises, by simulation and exactly, and how pairs are drawn for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from regrasp.bench.sequential import (
    Comparison,
    ComparisonResult,
    PairedTest,
    PairOutcome,
    compare,
    pairs,
)

TESTS = [PairedTest(), PairedTest(0.1, 0.2, 0.7), PairedTest(0.01, 0.05, 0.9)]


def shares(test: PairedTest, edge: float, most: int = 3000) -> dict[ComparisonResult | None, float]:
    """The chance of each verdict if A wins `edge` of the differing pairs: exact, not sampled."""
    found: dict[ComparisonResult | None, float] = dict.fromkeys(ComparisonResult, 0.0)
    running = {0: 1.0}
    for n in range(1, most + 1):
        following: dict[int, float] = {}
        for a, chance in running.items():
            for now, share in ((a + 1, edge), (a, 1.0 - edge)):
                verdict = test.verdict(now, n - now)
                if verdict is None:
                    following[now] = following.get(now, 0.0) + chance * share
                else:
                    found[verdict] += chance * share
        running = following
        if not running:
            break
    found[None] = sum(running.values())
    return found


@pytest.mark.parametrize("test", TESTS, ids=str)
def test_equals_are_called_different_no_more_often_than_alpha(test: PairedTest) -> None:
    found = shares(test, 0.5)
    assert found[None] < 1e-6
    assert (
        0.2 * test.alpha
        < found[ComparisonResult.A_BETTER] + found[ComparisonResult.B_BETTER]
        <= test.alpha
    )
    assert found[ComparisonResult.A_BETTER] == pytest.approx(found[ComparisonResult.B_BETTER])


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize("edge", [0.51, 0.6, 0.8])
def test_the_worse_is_called_better_no_more_often_than_half_alpha(
    test: PairedTest, edge: float
) -> None:
    assert shares(test, edge)[ComparisonResult.B_BETTER] <= test.alpha / 2
    assert shares(test, 1.0 - edge)[ComparisonResult.A_BETTER] <= test.alpha / 2


@pytest.mark.parametrize("test", TESTS, ids=str)
def test_an_edge_is_missed_no_more_often_than_beta(test: PairedTest) -> None:
    for edge in (test.edge, (1.0 + test.edge) / 2.0):
        found = shares(test, edge)
        assert found[ComparisonResult.UNDECIDED] + found[None] <= test.beta
        assert found[ComparisonResult.A_BETTER] >= 1.0 - test.beta - test.alpha / 2


def episodes(
    rng: np.random.Generator, rates_a: dict[str, float], rates_b: dict[str, float]
) -> Iterator[PairOutcome]:
    """Pairs of two methods with these chances of success in each task."""
    for task, _ in pairs(list(rates_a), rng):
        yield PairOutcome(bool(rng.random() < rates_a[task]), bool(rng.random() < rates_b[task]))


def verdicts(
    rates_a: dict[str, float], rates_b: dict[str, float], budget: int = 400, runs: int = 1500
) -> Counter[ComparisonResult | None]:
    rng = np.random.default_rng(17)
    last = [
        list(compare(episodes(rng, rates_a, rates_b), PairedTest(), budget))[-1]
        for _ in range(runs)
    ]
    assert all(c.verdict is not None and c.pairs <= budget for c in last)
    return Counter(c.verdict for c in last)


def test_equal_on_average_though_not_in_any_task() -> None:
    """The null hypothesis that people mean: as good over the suite, if better here, worse there."""
    found = verdicts({"one": 0.9, "two": 0.2}, {"one": 0.3, "two": 0.8})
    assert (
        found[ComparisonResult.A_BETTER] + found[ComparisonResult.B_BETTER]
    ) / 1500 <= 0.05 + 0.01


def test_a_clear_difference_is_found() -> None:
    found = verdicts({"one": 0.9, "two": 0.8}, {"one": 0.4, "two": 0.3}, runs=500)
    assert found[ComparisonResult.A_BETTER] / 500 >= 0.9
    assert found[ComparisonResult.B_BETTER] / 500 <= 0.025


def test_the_error_holds_when_the_budget_cuts_it_short() -> None:
    found = verdicts({"one": 0.5}, {"one": 0.5}, budget=25)
    assert (
        found[ComparisonResult.A_BETTER] + found[ComparisonResult.B_BETTER]
    ) / 1500 <= 0.05 + 0.01
    assert found[ComparisonResult.UNDECIDED] > 0


def test_it_stops_at_once_when_the_better_is_known() -> None:
    always = (PairOutcome(True, False) for _ in range(1000))
    *before, last = compare(always, PairedTest(), 1000)
    assert all(c.verdict is None for c in before)
    assert last == Comparison(ComparisonResult.A_BETTER, only_a=10)
    assert PairedTest().verdict(0, 10) is ComparisonResult.B_BETTER


def test_pairs_that_agree_say_nothing_and_broken_ones_neither() -> None:
    agreed = [PairOutcome(True, True), PairOutcome(False, False), PairOutcome(None, True)]
    last = list(compare(agreed * 2, PairedTest(), 6))[-1]
    assert last == Comparison(ComparisonResult.UNDECIDED, both=2, neither=2, broken=2, spent=True)
    assert last.pairs == 4


def test_equals_are_left_alone_before_the_budget_is_spent() -> None:
    in_turn = [PairOutcome(True, False), PairOutcome(False, True)] * 50
    last = list(compare(in_turn, PairedTest(), 100))[-1]
    assert last.verdict is ComparisonResult.UNDECIDED
    assert not last.spent
    assert last.pairs < 30


def test_each_task_goes_through_its_seeds_in_turn() -> None:
    drawn = list(islice(pairs(["one", "two", "three"], np.random.default_rng(0), 5), 300))
    for task in ("one", "two", "three"):
        seeds = [seed for name, seed in drawn if name == task]
        assert 70 < len(seeds) < 130
    assert [seed for _, seed in drawn] == list(range(5, 305))
    again = list(islice(pairs(["one", "two", "three"], np.random.default_rng(0), 5), 300))
    assert again == drawn


@pytest.mark.parametrize("wrong", [{"alpha": 0.0}, {"beta": 1.0}, {"edge": 0.5}, {"edge": 1.0}])
def test_impossible_promises_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be between"):
        PairedTest(**wrong)


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one pair"):
        next(compare([], PairedTest(), 0))
