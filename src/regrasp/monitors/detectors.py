"""How many answers it takes to stop a skill: evidence that a constraint is broken, look by look.

Eyes are wrong now and then. `Streak` is the paper's ensemble: broken once k looks in a row say no.
`Odds` is ours: Shiryaev's rule for the quickest detection of a change (Theory Probab. Appl. 8,
1963). It keeps the probability π that the constraint has broken, which before each look grows by
the hazard h of a break and after it follows Bayes' rule:

    π ← π + (1 - π) h,    log π/(1 - π) ← log π/(1 - π) + log P(answer | broken)/P(answer | so)

and stops at π ≥ `alarm`. What an answer is worth, the last term, eyes that are calibrated say with
it (see `Answer.confidence`): ± log c/(1 - c). Of others it is their measured confusion. So one no
is enough of eyes that are certain, and a single yes among many noes costs one look, not all of
them. Evidence is a value; "unknown" is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from regrasp.core.log_odds import log_odds, probability
from regrasp.perception.confusion import Confusion

__all__ = ["ConsecutiveDetector", "ShiryaevDetector", "ViolationDetector"]

_USUAL = Confusion()
_LEAST = 1e-12  # no probability is held to be nearer to 0 or 1


class ViolationDetector(Protocol):
    """What the looks at one constraint have come to so far."""

    def updated(self, holds: bool | None, confidence: float | None = None) -> ViolationDetector:
        """The evidence after a look that found it so, not so, or could not tell.

        `sure` is the probability that the eyes themselves give to what they say.
        """
        ...

    @property
    def violated(self) -> bool:
        """Whether it is time to stop."""
        ...

    @property
    def probably_violated(self) -> bool:
        """Whether it is rather broken than not: enough where a skill ends, and a look is free."""
        ...

    @property
    def in_doubt(self) -> bool:
        """Whether it may be broken, and another look is due before relying on it."""
        ...


@dataclass(frozen=True, slots=True)
class ConsecutiveDetector:
    """Broken after `k` looks in a row that say no; k = 1 takes every answer at its word."""

    threshold: int = 4
    consecutive: int = 0

    def updated(self, holds: bool | None, confidence: float | None = None) -> ConsecutiveDetector:
        """See `Evidence.after`."""
        if holds is None:
            return self
        return replace(self, consecutive=0 if holds else self.consecutive + 1)

    @property
    def violated(self) -> bool:
        """See `Evidence.broken`."""
        return self.consecutive >= self.threshold

    @property
    def probably_violated(self) -> bool:
        """See `Evidence.likely`."""
        return 2 * self.consecutive >= self.threshold

    @property
    def in_doubt(self) -> bool:
        """See `Evidence.doubted`."""
        return self.consecutive > 0


@dataclass(frozen=True, slots=True)
class ShiryaevDetector:
    """Broken once the probability of a break reaches `alarm`; doubted above `doubt`.

    `hazard` is the chance of a break between two looks. `trust` < 1 counts each answer for less,
    for eyes whose errors in frames that follow each other are alike; more than `most_sure` no eyes
    are taken to be.
    """

    confusion: Confusion = _USUAL
    hazard: float = 0.005
    alarm_threshold: float = 0.995
    doubt_threshold: float = 0.05
    trust: float = 1.0
    max_confidence: float = 0.9999
    probability: float = 0.0

    def updated(self, holds: bool | None, confidence: float | None = None) -> ShiryaevDetector:
        """See `Evidence.after`."""
        chance = self.probability + (1.0 - self.probability) * self.hazard
        if holds is not None:
            odds = log_odds(chance, _LEAST) + self.trust * self._weight(holds, confidence)
            chance = min(probability(odds), 1.0 - _LEAST)
        return replace(self, probability=chance)

    def _weight(self, holds: bool, confidence: float | None) -> float:
        """By how much an answer moves the log-odds of a break."""
        if confidence is None:
            return self.confusion.log_likelihood_ratio(holds)
        return log_odds(confidence, 1.0 - self.max_confidence) * (-1.0 if holds else 1.0)

    @property
    def violated(self) -> bool:
        """See `Evidence.broken`."""
        return self.probability >= self.alarm_threshold

    @property
    def probably_violated(self) -> bool:
        """See `Evidence.likely`."""
        return self.probability > 0.5

    @property
    def in_doubt(self) -> bool:
        """See `Evidence.doubted`."""
        return self.probability > self.doubt_threshold
