"""What reaches the joints is finite, within their ranges and not too fast, whoever sent it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.control.guard import GuardTrip, JointGuard
from regrasp.worlds.registry import open_world

HERE = np.array([0.1, -0.2, 0.3])
DT = 0.01


def guard() -> JointGuard:
    return JointGuard(np.full(3, -2.0), np.full(3, 2.0), np.array([1.0, 2.0, 3.0]))


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3))
def test_any_finite_command_comes_out_within_limits(numbers: list[float]) -> None:
    safe = guard().command(np.array(numbers), HERE, DT)
    assert np.all(np.abs(safe) <= 2.0)
    assert np.all(np.abs(safe - HERE) <= guard().speed * DT + 1e-12)


@pytest.mark.parametrize("bad", [np.array([0.0, np.nan, 0.0]), np.array([np.inf, 0, 0]), HERE[:2]])
def test_what_cannot_be_mended_trips_it(bad: np.ndarray) -> None:
    with pytest.raises(GuardTrip, match="3 finite numbers"):
        guard().command(bad, HERE, DT)


def test_integers_move_as_slowly_as_other_numbers() -> None:
    safe = guard().command(np.array([1, 1, 1]), HERE, DT)
    assert np.all(np.abs(safe - HERE) <= guard().speed * DT + 1e-12)
    assert safe.dtype == float


def test_a_damaged_memory_or_limit_trips_it() -> None:
    with pytest.raises(GuardTrip, match="memory"):
        guard().command(HERE, HERE * np.nan, DT)
    damaged = guard()
    damaged.speed = np.array([np.nan, 2.0, 3.0])
    with pytest.raises(GuardTrip):
        damaged.command(HERE + 1.0, HERE, DT)


def test_clamps_are_counted_and_good_commands_pass_unchanged() -> None:
    strict = guard()
    assert np.array_equal(strict.command(HERE + 0.005, HERE, DT), HERE + 0.005)
    assert strict.clamped == 0
    strict.command(HERE + 1.0, HERE, DT)
    assert strict.clamped == 1


def test_it_watches_the_arm() -> None:
    world, strict = open_world("tabletop"), guard()
    strict.watch(world.model, world.data, range(6))
    world.data.qvel[2] = 40.0
    with pytest.raises(GuardTrip, match="elbow moves at 40"):
        strict.watch(world.model, world.data, range(6))
