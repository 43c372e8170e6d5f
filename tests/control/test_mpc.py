"""The planner improves its plan, the same way however many threads roll it out."""

import numpy as np
import pytest

from regrasp.control.costs import length
from regrasp.control.mpc import MpcPlanner, PlannerConfig, Rollouts
from regrasp.control.sampler import MPPI, PredictiveSampling, Sampler
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

TARGET = np.array([0.45, 0.15, 0.40])


def to_target(seen: Rollouts) -> np.ndarray:
    return length(seen["palm"] - TARGET)


def drive(sampler: Sampler, threads: int = 1, plans: int = 12) -> tuple[World, list[float]]:
    world = open_world("cubes", seed=3)
    planner = MpcPlanner(
        world.planning, np.random.default_rng(0), sampler, PlannerConfig(threads=threads)
    )
    planner.recentre(world.data)
    costs = []
    for _ in range(plans):
        costs.append(planner.plan(world.data, to_target))
        for step in range(planner.config.replan):
            world.advance(planner.command(planner.control(step)))
        planner.shift(planner.config.replan)
    planner.close()
    return world, costs


@pytest.mark.parametrize("sampler", [PredictiveSampling(), MPPI()])
def test_the_palm_goes_where_the_cost_is_low(sampler: Sampler) -> None:
    world, costs = drive(sampler)
    assert np.linalg.norm(world.data.site("palm").xpos - TARGET) < 0.03
    assert costs[-1] < 0.25 * costs[0]


def test_threads_change_nothing() -> None:
    one, _ = drive(PredictiveSampling(), threads=1, plans=5)
    two, _ = drive(PredictiveSampling(), threads=2, plans=5)
    assert np.array_equal(one.data.qpos, two.data.qpos)


def test_a_cost_that_is_not_finite_is_never_chosen() -> None:
    world = open_world("cubes")
    planner = MpcPlanner(world.planning, np.random.default_rng(0))
    planner.recentre(world.data)

    def poisoned(seen: Rollouts) -> np.ndarray:
        cost = to_target(seen)
        cost[1::2] = np.nan
        return cost

    assert np.isfinite(planner.plan(world.data, poisoned))
    assert np.all(np.isfinite(planner.knots))


def test_most_of_the_time_goes_into_physics() -> None:
    world = open_world("cabinet", "closed")
    planner = MpcPlanner(world.planning, np.random.default_rng(0))
    planner.recentre(world.data)
    for _ in range(10):
        planner.plan(world.data, to_target)
    timing = planner.timing
    assert timing.plans == 10
    assert timing.physics / (timing.sample + timing.physics + timing.cost) > 0.9
