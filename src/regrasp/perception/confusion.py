"""How often eyes are wrong, and what an answer of theirs is therefore worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["Confusion"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often eyes say no: where it is so (`false_no`), and where it is not (`true_no`)."""

    false_no: float = 0.05
    true_no: float = 0.9

    def __post_init__(self) -> None:
        if not 0.0 < self.false_no < self.true_no < 1.0:
            raise RegraspError(
                f"eyes must say no more often where it is not so, and neither never nor always: "
                f"0 < {self.false_no:g} < {self.true_no:g} < 1 does not hold."
            )

    @classmethod
    def measured(cls, tp: int, tn: int, fp: int, fn: int) -> Confusion:
        """From counts of answers as bench.checkers has them, half an answer added to each."""
        return cls((fn + 0.5) / (tp + fn + 1.0), (tn + 0.5) / (tn + fp + 1.0))

    def log_likelihood_ratio(self, holds: bool) -> float:
        """By how much an answer moves the log-odds of a break."""
        if holds:
            return math.log((1.0 - self.true_no) / (1.0 - self.false_no))
        return math.log(self.true_no / self.false_no)
