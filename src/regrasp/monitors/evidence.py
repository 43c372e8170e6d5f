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

__all__ = ["Evidence", "Odds", "Streak"]

_USUAL = Confusion()
_LEAST = 1e-12  # no probability is held to be nearer to 0 or 1


class Evidence(Protocol):
    """What the looks at one constraint have come to so far."""

    def after(self, so: bool | None, sure: float | None = None) -> Evidence:
        """The evidence after a look that found it so, not so, or could not tell.

        `sure` is the probability that the eyes themselves give to what they say.
        """
        ...

    @property
    def broken(self) -> bool:
        """Whether it is time to stop."""
        ...

    @property
    def likely(self) -> bool:
        """Whether it is rather broken than not: enough where a skill ends, and a look is free."""
        ...

    @property
    def doubted(self) -> bool:
        """Whether it may be broken, and another look is due before relying on it."""
        ...


@dataclass(frozen=True, slots=True)
class Streak:
    """Broken after `k` looks in a row that say no; k = 1 takes every answer at its word."""

    k: int = 4
    noes: int = 0

    def after(self, so: bool | None, sure: float | None = None) -> Streak:
        """See `Evidence.after`."""
        if so is None:
            return self
        return replace(self, noes=0 if so else self.noes + 1)

    @property
    def broken(self) -> bool:
        """See `Evidence.broken`."""
        return self.noes >= self.k

    @property
    def likely(self) -> bool:
        """See `Evidence.likely`."""
        return 2 * self.noes >= self.k

    @property
    def doubted(self) -> bool:
        """See `Evidence.doubted`."""
        return self.noes > 0


@dataclass(frozen=True, slots=True)
class Odds:
    """Broken once the probability of a break reaches `alarm`; doubted above `doubt`.

    `hazard` is the chance of a break between two looks. `trust` < 1 counts each answer for less,
    for eyes whose errors in frames that follow each other are alike; more than `most_sure` no eyes
    are taken to be.
    """

    confusion: Confusion = _USUAL
    hazard: float = 0.005
    alarm: float = 0.995
    doubt: float = 0.05
    trust: float = 1.0
    most_sure: float = 0.9999
    chance: float = 0.0

    def after(self, so: bool | None, sure: float | None = None) -> Odds:
        """See `Evidence.after`."""
        chance = self.chance + (1.0 - self.chance) * self.hazard
        if so is not None:
            odds = log_odds(chance, _LEAST) + self.trust * self._weight(so, sure)
            chance = min(probability(odds), 1.0 - _LEAST)
        return replace(self, chance=chance)

    def _weight(self, so: bool, sure: float | None) -> float:
        """By how much an answer moves the log-odds of a break."""
        if sure is None:
            return self.confusion.weight(so)
        return log_odds(sure, 1.0 - self.most_sure) * (-1.0 if so else 1.0)

    @property
    def broken(self) -> bool:
        """See `Evidence.broken`."""
        return self.chance >= self.alarm

    @property
    def likely(self) -> bool:
        """See `Evidence.likely`."""
        return self.chance > 0.5

    @property
    def doubted(self) -> bool:
        """See `Evidence.doubted`."""
        return self.chance > self.doubt
