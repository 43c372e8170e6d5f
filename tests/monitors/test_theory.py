"""Theorem 1 of DoReMi against a simulation of its assumptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.monitors.theory import SkillDuration, expected_waste, failure_chance

CASES = pytest.mark.parametrize(
    ("rate", "timing", "reaction"),
    [
        (0.1, SkillDuration(2.7), 0.1),
        (0.3, SkillDuration(2.7, 0.4), 0.4),
        (0.04, SkillDuration(12.0, 3.0), 0.4),
        (0.02, SkillDuration(24.0, 1.4), 0.0),
    ],
)


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The results of a simulation: means and their standard errors."""

    waste_s: float
    waste_error_s: float
    failures: float
    failures_error: float


def simulate(
    rate: float,
    timing: SkillDuration,
    reaction_s: float,
    generator: np.random.Generator,
    skills: int = 100_000,
) -> SimulationResult:
    """Draw skills with gamma-distributed times, their misalignments, and the cost of those.

    Waste is the sum of t - s over misalignments, minus one reaction time for each; a failure is a
    skill with one misalignment or more.
    """
    times = _times(timing, generator, skills)
    counts = generator.poisson(rate * times)
    at = generator.random(int(counts.sum())) * np.repeat(times, counts)
    of = np.repeat(np.arange(skills), counts)
    lost = np.bincount(of, weights=np.repeat(times, counts) - at - reaction_s, minlength=skills)
    failed = counts > 0
    return SimulationResult(
        float(lost.mean()),
        float(lost.std() / np.sqrt(skills)),
        float(failed.mean()),
        float(failed.std() / np.sqrt(skills)),
    )


def _times(
    timing: SkillDuration, generator: np.random.Generator, skills: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    if timing.spread == 0.0:
        return np.full(skills, timing.mean)
    shape = (timing.mean / timing.spread) ** 2
    return generator.gamma(shape, timing.mean / shape, skills)


@CASES
def test_the_waste_is_what_a_simulation_finds(
    rate: float, timing: SkillDuration, reaction: float
) -> None:
    found = simulate(rate, timing, reaction, np.random.default_rng(0))
    assert abs(found.waste_s - expected_waste(rate, timing, reaction)) < 4 * found.waste_error_s


@CASES
def test_the_chance_of_failure_is_right_up_to_the_third_order(
    rate: float, timing: SkillDuration, reaction: float
) -> None:
    found = simulate(rate, timing, reaction, np.random.default_rng(1))
    third = rate**3 * (timing.mean + 3 * timing.spread) ** 3 / 6
    off = failure_chance(rate, timing) - found.failures
    assert -third - 4 * found.failures_error < off < 4 * found.failures_error
    if timing.spread == 0.0:
        exact = 1.0 - np.exp(-rate * timing.mean)
        assert abs(exact - found.failures) < 4 * found.failures_error


def test_reacting_late_saves_less_and_a_slow_reaction_costs() -> None:
    timing = SkillDuration(3.0, 0.5)
    saved = [expected_waste(0.1, timing, reaction) for reaction in (0.0, 0.5, 1.0, 2.0)]
    assert saved == sorted(saved, reverse=True)
    assert saved[0] > 0 > saved[-1]


def test_times_are_taken_from_what_was_measured() -> None:
    assert SkillDuration.of([2.0, 4.0]) == SkillDuration(3.0, 1.0)
    with pytest.raises(RegraspError, match="takes some time"):
        SkillDuration(0.0)
