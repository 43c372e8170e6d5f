"""Candidates are proposed around the plan; predictive sampling and MPPI choose from their costs."""

import numpy as np
import pytest

from regrasp.control.sampler import CLOSE, MPPI, OPEN, PredictiveSampling, Sampler

KNOTS = np.tile([0.4, 0.0, 0.4, 0.0, 0.0, 0.0, OPEN], (4, 1))


@pytest.mark.parametrize("sampler", [PredictiveSampling(), MPPI()])
class TestEitherSampler:
    def test_the_plan_in_hand_is_always_a_candidate(self, sampler: Sampler) -> None:
        candidates = sampler.propose(KNOTS, np.random.default_rng(0), 1.0)
        assert candidates.shape == (sampler.samples, 4, 7)
        assert np.array_equal(candidates[0], KNOTS)

    def test_the_same_generator_gives_the_same_candidates(self, sampler: Sampler) -> None:
        one, two = (sampler.propose(KNOTS, np.random.default_rng(5), 1.0) for _ in range(2))
        assert np.array_equal(one, two)

    def test_fingers_only_ever_open_or_close(self, sampler: Sampler) -> None:
        candidates = sampler.propose(KNOTS, np.random.default_rng(1), 1.0)
        assert set(np.unique(candidates[..., 6])) == {OPEN, CLOSE}

    def test_more_noise_spreads_wider(self, sampler: Sampler) -> None:
        calm, wild = (
            (sampler.propose(KNOTS, np.random.default_rng(2), noise) - KNOTS)[..., :3].std()
            for noise in (1.0, 2.0)
        )
        assert wild == pytest.approx(2 * calm, rel=0.05)


def test_predictive_sampling_follows_the_cheapest() -> None:
    candidates = np.random.default_rng(0).normal(size=(8, 4, 7))
    costs = np.array([5.0, 3.0, 9.0, 1.0, 4.0, 8.0, 7.0, 6.0])
    assert np.array_equal(PredictiveSampling().choose(candidates, costs), candidates[3])


def test_mppi_averages_near_the_best_but_takes_its_fingers() -> None:
    candidates = np.zeros((4, 2, 7))
    candidates[:, :, 0] = np.arange(4)[:, None]
    candidates[:, :, 6] = [[OPEN], [CLOSE], [OPEN], [OPEN]]
    chosen = MPPI(temperature=1.0).choose(candidates, np.array([3.0, 0.0, 1.0, 4.0]))
    assert 1.0 < chosen[0, 0] < 2.0
    assert np.all(chosen[:, 6] == CLOSE)
