"""Faults of skills and their probabilities: the situations of DKPROMPT (Zhang et al., 2024).

The fault of the k-th use of a skill depends on (seed, skill, k) only, so two methods on the same
seed get the same faults as long as they do the same actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from regrasp.core.errors import RegraspError

__all__ = ["FAULT_RATES", "MAX_FAULT_PROBABILITY", "Fault", "FaultDraw", "FaultSchedule"]


class Fault(StrEnum):
    """The faults; the values are written to the trace."""

    SLIPS = "what it carries slips out of the hand on the way"
    MISSED = "the hand closes beside it"
    FALLS = "it slips out of the hand and falls"
    KEPT = "it stays in the hand"
    NO_WATER = "the tap does not open"
    HALF_FULL = "it is not filled to the top"
    STAYS_SHUT = "the door does not open"
    STAYS_OPEN = "the door does not close"
    STAYS_OFF = "it does not switch on"
    UNCUT = "the knife does not go through"
    KNIFE_FALLS = "the knife slips out of the hand and falls"


FAULT_RATES: Mapping[str, Mapping[Fault, float]] = {
    "find": {Fault.SLIPS: 0.10},
    "grasp": {Fault.MISSED: 0.25, Fault.FALLS: 0.25},
    "placein": {Fault.KEPT: 0.10, Fault.FALLS: 0.10},
    "placeon": {Fault.KEPT: 0.10, Fault.FALLS: 0.10},
    "placefloor": {Fault.KEPT: 0.20},
    "fillsink": {Fault.NO_WATER: 0.10},
    "fill": {Fault.HALF_FULL: 0.05, Fault.FALLS: 0.05},
    "open": {Fault.STAYS_SHUT: 0.10},
    "close": {Fault.STAYS_OPEN: 0.10},
    "turnon": {Fault.STAYS_OFF: 0.10},
    "cut": {Fault.UNCUT: 0.25, Fault.KNIFE_FALLS: 0.25},
}
"""The paper's probabilities, each for one use of a skill whose preconditions hold.

Every skill is here; their order is part of the random stream.
"""

MAX_FAULT_PROBABILITY = 0.95
"""The largest probability of a fault in one use of a skill."""

_STREAM = 4  # 0 to 3 are layout, appearance, control and vision
_MAX_FACTOR = 2.0


@dataclass(frozen=True, slots=True)
class FaultDraw:
    """One draw: the fault, if any, and a random generator for its details."""

    fault: Fault | None
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class FaultSchedule:
    """The faults of a seed, `factor` times as frequent as in the paper (0 to 2)."""

    seed: int
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.factor <= _MAX_FACTOR:
            raise RegraspError(
                f"the rate of situations must be 0 to 2 times the paper's, not {self.factor!r}."
            )

    def draw(self, skill: str, use: int) -> FaultDraw:
        """The draw for use number `use` (0, 1, …) of a skill."""
        rng = np.random.default_rng([self.seed, _STREAM, list(FAULT_RATES).index(skill), use])
        rates = FAULT_RATES[skill]
        scale = min(self.factor, MAX_FAULT_PROBABILITY / sum(rates.values()))
        remaining = float(rng.random())
        for fault, rate in rates.items():
            remaining -= scale * rate
            if remaining < 0.0:
                return FaultDraw(fault, rng)
        return FaultDraw(None, rng)
