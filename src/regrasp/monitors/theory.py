"""Theorem 1 of DoReMi as functions.

A skill takes a random time t (mean μ, standard deviation σ). Misalignments are a Poisson process of
rate λ per second. A *soft* one at time s costs t - s if it is detected only at the end, and a
reaction time Δt if it is detected at once. A *critical* one makes the skill fail unless it is
detected at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.core.errors import RegraspError

__all__ = ["SkillDuration", "expected_waste", "failure_chance"]


@dataclass(frozen=True, slots=True)
class SkillDuration:
    """The duration of a skill: `mean` and `spread` (standard deviation), in seconds."""

    mean: float
    spread: float = 0.0

    def __post_init__(self) -> None:
        if self.mean <= 0.0 or self.spread < 0.0:
            raise RegraspError(f"a skill takes some time, mean > 0 and spread >= 0, not {self}.")

    @classmethod
    def of(cls, seconds: Sequence[float]) -> SkillDuration:
        """From measured times."""
        return cls(float(np.mean(seconds)), float(np.std(seconds)))

    @property
    def square(self) -> float:
        """E[t²]."""
        return self.mean**2 + self.spread**2


def expected_waste(rate: float, timing: SkillDuration, reaction_s: float = 0.0) -> float:
    """Seconds saved per skill by immediate detection: λ(μ² + σ²)/2 - λμΔt (equation 2)."""
    return rate * timing.square / 2.0 - rate * timing.mean * reaction_s


def failure_chance(rate: float, timing: SkillDuration) -> float:
    """Probability of a critical misalignment, to second order: λμ - λ²(μ² + σ²)/2 (eq. 3)."""
    return rate * timing.mean - rate**2 * timing.square / 2.0
