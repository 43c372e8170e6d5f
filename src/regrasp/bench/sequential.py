"""A test that stops as soon as the better of two methods is known.

Both run the same episodes. Only pairs on which they differ show which is better. If neither is
better, each of those falls to A or to B like a fair coin (the null hypothesis). There are two
alternatives: A wins the share `edge` of these pairs, or B does. Each has a likelihood ratio; after
a pairs that only A succeeded at and b that only B did,

    Λ_A = (2 edge)^a (2 (1 - edge))^b,    Λ_B = (2 edge)^b (2 (1 - edge))^a

A is better once Λ_A ≥ 2/α, B once Λ_B ≥ 2/α, and neither has that edge once both are ≤ β: Wald's
sequential probability ratio test (Ann. Math. Statist. 16, 1945), one in each direction as in Sobel
and Wald (20, 1949). The bounds are the exact ones, not Wald's approximations, so that Ville's
inequality gives these guarantees for any number of looks and any stopping time:

* if A and B are equally good, the probability that one is called better is at most α;
* the probability that the worse is called better is at most α/2, for any difference;
* if one wins `edge` of the pairs that differ, or more, the probability of the verdict "neither" is
  at most β. A budget that runs out first voids this guarantee and no other; the verdict then names
  the budget as the reason.

"Equally good" means on average over the tasks. Each differing pair is then a fair coin only if the
task of each pair is drawn at random, which `pairs` does. Tasks in turn would violate this.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

import numpy as np

__all__ = ["Comparison", "ComparisonResult", "PairOutcome", "PairedTest", "compare", "pairs"]


class ComparisonResult(StrEnum):
    """The result of a comparison."""

    A_BETTER = "a_better"
    B_BETTER = "b_better"
    UNDECIDED = "not_told_apart"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The test and its guarantees (see the module). `edge` is the smallest difference to find."""

    alpha: float = 0.05
    beta: float = 0.1
    edge: float = 0.75

    def __post_init__(self) -> None:
        for name, low, value, high in (
            ("alpha", 0.0, self.alpha, 1.0),
            ("beta", 0.0, self.beta, 1.0),
            ("edge", 0.5, self.edge, 1.0),
        ):
            if not low < value < high:
                raise ValueError(f"{name} must be between {low:g} and {high:g}, not {value:g}.")

    def verdict(self, only_a: int, only_b: int) -> ComparisonResult | None:
        """The verdict for these counts; None while more pairs are needed."""
        win, loss = math.log(2.0 * self.edge), math.log(2.0 * (1.0 - self.edge))
        for_a, for_b = only_a * win + only_b * loss, only_b * win + only_a * loss
        known = math.log(2.0 / self.alpha)
        if for_a >= known:
            return ComparisonResult.A_BETTER
        if for_b >= known:
            return ComparisonResult.B_BETTER
        return ComparisonResult.UNDECIDED if max(for_a, for_b) <= math.log(self.beta) else None


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """Whether A and B succeeded at the same episode; None for a broken one."""

    a: bool | None
    b: bool | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The state of a comparison: counts over the pairs without a broken episode.

    `spent` is True if the budget ran out before the test ended.
    """

    verdict: ComparisonResult | None
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0
    broken: int = 0
    spent: bool = False

    @property
    def pairs(self) -> int:
        """Pairs that count."""
        return self.both + self.only_a + self.only_b + self.neither


def compare(outcomes: Iterable[PairOutcome], test: PairedTest, budget: int) -> Iterator[Comparison]:
    """The state after each of at most `budget` pairs; the last one has the verdict.

    Pairs must come in the order in which they were drawn, not in which they ended. A pair with a
    broken episode counts against the budget and gives no evidence.
    """
    if budget < 1:
        raise ValueError(f"the budget must be at least one pair, not {budget}.")
    counts = {(a, b): 0 for a in (True, False) for b in (True, False)}
    broken = 0
    for number, pair in enumerate(outcomes, start=1):
        if pair.a is None or pair.b is None:
            broken += 1
        else:
            counts[pair.a, pair.b] += 1
        only_a, only_b = counts[True, False], counts[False, True]
        verdict = test.verdict(only_a, only_b)
        spent = verdict is None and number >= budget
        yield Comparison(
            ComparisonResult.UNDECIDED if spent else verdict,
            counts[True, True], only_a, only_b, counts[False, False], broken, spent,
        )  # fmt: skip
        if verdict is not None or spent:
            return


def pairs(
    tasks: Sequence[str], generator: np.random.Generator, first_seed: int = 0
) -> Iterator[tuple[str, int]]:
    """Tasks at random, each with a seed of its own: (task, seed), without end.

    No two pairs share a seed, so that no two share their luck.
    """
    for seed in count(first_seed):
        yield tasks[int(generator.integers(len(tasks)))], seed
