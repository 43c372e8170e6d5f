"""How often a vision model is wrong, and the weight that its answers therefore have."""

from __future__ import annotations

import math
from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["Confusion"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often a vision model answers no: to a true fact (`false_no`), a false one (`true_no`)."""

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
        """From counts of answers; half an answer is added to each, so that no rate is 0 or 1."""
        return cls((fn + 0.5) / (tp + fn + 1.0), (tn + 0.5) / (tn + fp + 1.0))

    def log_likelihood_ratio(self, holds: bool) -> float:
        """How much an answer moves the log-odds of a violation; `holds` is True for a yes."""
        if holds:
            return math.log((1.0 - self.true_no) / (1.0 - self.false_no))
        return math.log(self.true_no / self.false_no)
