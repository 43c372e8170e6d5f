"""Disturbances are data: rates as given, the same luck for whoever does the same, words to read."""

import math

import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.worlds.disturbance import Disturbance


@pytest.mark.parametrize("p", [0.05, 0.1, 0.3])
def test_a_second_of_holding_is_survived_with_one_minus_p(p: float) -> None:
    """Binomial bounds of five deviations, over 4000 holds, for the first second and the next."""
    lasts = np.array([Disturbance(p).hold_s(seed, k) for seed in range(400) for k in range(10)])
    for t in (1.0, 2.0):
        share, expected = float((lasts > t).mean()), (1 - p) ** t
        assert abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / len(lasts))
    again = lasts[lasts > 1.0] - 1.0  # it has no memory
    left = float((again > 1.0).mean())
    assert abs(left - (1 - p)) < 5 * math.sqrt(p * (1 - p) / len(again))


def test_without_p_nothing_is_dropped_and_without_n_nothing_is_off() -> None:
    calm = Disturbance()
    assert all(calm.hold_s(seed, 0) == math.inf for seed in range(50))
    assert all(np.all(calm.offset(seed, 0) == 0.0) for seed in range(50))


def test_offsets_are_uniform_over_a_disc() -> None:
    """Within r of the middle lies a share (r / n)² of them, and a quarter in each quarter."""
    off = np.array([Disturbance(n=3.0).offset(seed, k) for seed in range(200) for k in range(10)])
    far = np.hypot(*off.T)
    assert far.max() <= 0.03 and far.mean() == pytest.approx(0.02, abs=0.001)
    assert np.quantile(far, [0.25, 0.75]) == pytest.approx([0.015, 0.02598], abs=0.001)
    angles = np.arctan2(off[:, 1], off[:, 0])
    assert np.histogram(angles, 4, (-np.pi, np.pi))[0] == pytest.approx([500] * 4, abs=100)


def test_the_kth_time_has_its_own_luck_and_always_the_same() -> None:
    one, other = Disturbance(0.2, 1.0), Disturbance(0.2, 3.0)
    assert one.hold_s(7, 2) == Disturbance(0.2).hold_s(7, 2) == other.hold_s(7, 2)
    assert one.hold_s(7, 2) != one.hold_s(7, 3) != one.hold_s(8, 3)
    assert other.offset(7, 0) == pytest.approx(3 * one.offset(7, 0))


@pytest.mark.parametrize("text", ["", "p=0.1", "n=2", "p=0.1,n=2"])
def test_it_reads_what_it_writes(text: str) -> None:
    assert str(Disturbance.parse(text)) == text


@pytest.mark.parametrize("text", ["p=1", "p=-0.1", "n=-1", "n=11", "q=1", "p", "p=x", "p=0.1,p"])
def test_nonsense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(RegraspError, match="p"):
        Disturbance.parse(text)
