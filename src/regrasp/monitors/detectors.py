"""When to stop a skill: rules that turn repeated answers into the detection of a violation.

Vision models are sometimes wrong. `ConsecutiveDetector` is the paper's ensemble: violated after k
answers of no in a row. `ShiryaevDetector` is ours: Shiryaev's rule for the quickest detection of a
change (Theory Probab. Appl. 8, 1963). It keeps the probability π that the constraint is violated.
Before each check, π grows by the hazard h of a violation; after it, Bayes' rule applies:

    π ← π + (1 - π) h,
    log π/(1 - π) ← log π/(1 - π) + log P(answer | violated)/P(answer | holds)

It stops at π ≥ `alarm_threshold`. The last term is the weight of an answer. A calibrated model
gives it with the answer (see `Answer.confidence`): ± log c/(1 - c). For other models it comes from
their measured confusion. One no of a certain model is therefore enough, and a single yes among many
noes costs one check, not all of them. A detector is a value; the answer "unknown" is no evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from regrasp.core.log_odds import log_odds, probability
from regrasp.perception.beliefs import Confusion

__all__ = ["ConsecutiveDetector", "ShiryaevDetector", "ViolationDetector"]

_USUAL = Confusion()
_LEAST = 1e-12  # probabilities are clamped to [_LEAST, 1 - _LEAST]


class ViolationDetector(Protocol):
    """The evidence from the checks of one constraint so far."""

    def updated(self, holds: bool | None, confidence: float | None = None) -> ViolationDetector:
        """The detector after a check: the constraint holds, does not hold, or is unknown (None).

        `confidence` is the probability that the vision model itself gives to its answer.
        """
        ...

    @property
    def violated(self) -> bool:
        """Whether the skill must stop."""
        ...

    @property
    def probably_violated(self) -> bool:
        """Whether it is probably violated: enough at a skill's end, where stopping is free."""
        ...

    @property
    def in_doubt(self) -> bool:
        """Whether it may be violated, so that another check is needed before relying on it."""
        ...


@dataclass(frozen=True, slots=True)
class ConsecutiveDetector:
    """Violated after `threshold` answers of no in a row; 1 believes every answer."""

    threshold: int = 4
    consecutive: int = 0

    def updated(self, holds: bool | None, confidence: float | None = None) -> ConsecutiveDetector:
        """See `ViolationDetector.updated`."""
        if holds is None:
            return self
        return replace(self, consecutive=0 if holds else self.consecutive + 1)

    @property
    def violated(self) -> bool:
        """See `ViolationDetector.violated`."""
        return self.consecutive >= self.threshold

    @property
    def probably_violated(self) -> bool:
        """See `ViolationDetector.probably_violated`."""
        return 2 * self.consecutive >= self.threshold

    @property
    def in_doubt(self) -> bool:
        """See `ViolationDetector.in_doubt`."""
        return self.consecutive > 0


@dataclass(frozen=True, slots=True)
class ShiryaevDetector:
    """Violated at probability `alarm_threshold` or more; in doubt above `doubt_threshold`.

    `hazard` is the probability of a violation between two checks. `trust` < 1 reduces the weight of
    each answer, for models whose errors in consecutive frames are correlated. `max_confidence`
    limits the confidence of any model.
    """

    confusion: Confusion = _USUAL
    hazard: float = 0.005
    alarm_threshold: float = 0.995
    doubt_threshold: float = 0.05
    trust: float = 1.0
    max_confidence: float = 0.9999
    probability: float = 0.0

    def updated(self, holds: bool | None, confidence: float | None = None) -> ShiryaevDetector:
        """See `ViolationDetector.updated`."""
        chance = self.probability + (1.0 - self.probability) * self.hazard
        if holds is not None:
            odds = log_odds(chance, _LEAST) + self.trust * self._weight(holds, confidence)
            chance = min(probability(odds), 1.0 - _LEAST)
        return replace(self, probability=chance)

    def _weight(self, holds: bool, confidence: float | None) -> float:
        """How much an answer moves the log-odds of a violation."""
        if confidence is None:
            return self.confusion.log_likelihood_ratio(holds)
        return log_odds(confidence, 1.0 - self.max_confidence) * (-1.0 if holds else 1.0)

    @property
    def violated(self) -> bool:
        """See `ViolationDetector.violated`."""
        return self.probability >= self.alarm_threshold

    @property
    def probably_violated(self) -> bool:
        """See `ViolationDetector.probably_violated`."""
        return self.probability > 0.5

    @property
    def in_doubt(self) -> bool:
        """See `ViolationDetector.in_doubt`."""
        return self.probability > self.doubt_threshold
