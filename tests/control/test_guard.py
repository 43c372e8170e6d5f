"""What reaches the arm is finite, inside the workspace and not too fast, whoever sent it."""

from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from regrasp.control.guard import Guard, GuardTrip
from regrasp.core.arrays import Array
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

HERE = np.array([0.4, 0.0, 0.4, 0.0, 0.0, 0.0, 0.04])
DT = 0.01


@given(st.lists(st.floats(-1e6, 1e6), min_size=7, max_size=7))
def test_any_finite_command_comes_out_within_limits(numbers: list[float]) -> None:
    guard = Guard()
    safe = guard.command(np.array(numbers), HERE, DT)
    assert np.all(safe[:3] >= np.array(guard.low)) and np.all(safe[:3] <= np.array(guard.high))
    assert np.linalg.norm(safe[:3] - HERE[:3]) <= guard.speed * DT + 1e-9
    assert np.linalg.norm(safe[3:6] - HERE[3:6]) <= guard.spin * DT + 1e-9
    assert guard.fingers[0] <= safe[6] <= guard.fingers[1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_command_that_is_not_finite_trips_the_guard(bad: float) -> None:
    command = HERE.copy()
    command[2] = bad
    with pytest.raises(GuardTrip, match="7 finite numbers"):
        Guard().command(command, HERE, DT)


ANYTHING = st.one_of(
    st.lists(st.integers(-(10**30), 10**30), min_size=7, max_size=7),
    st.lists(st.floats(), min_size=7, max_size=7),
    st.lists(st.one_of(st.none(), st.text(), st.floats(), st.booleans()), max_size=8),
    st.integers(), st.text(), st.none(), st.lists(st.complex_numbers(), min_size=7, max_size=7),
)  # fmt: skip


@given(ANYTHING, st.booleans(), st.sampled_from([HERE, HERE * 0, HERE + 3.0, HERE * np.nan]))
def test_what_goes_out_is_safe_whatever_comes_in(sent: object, array: bool, last: Array) -> None:
    """Integers of the right shape were once rounded to metres: 0.64 m in one step."""
    guard = Guard()
    wanted: Any = sent
    if array:
        try:
            wanted = np.array(sent)
        except ValueError:  # ragged
            assume(False)
    try:
        safe = guard.command(wanted, last, DT)
    except GuardTrip:
        return
    assert safe.dtype == float and np.isfinite(safe).all()
    assert np.linalg.norm(safe[:3] - last[:3]) <= guard.speed * DT + 1e-8
    assert np.linalg.norm(safe[3:6] - last[3:6]) <= guard.spin * DT + 1e-8


def test_integers_move_as_slowly_as_other_numbers() -> None:
    safe = Guard().command(np.array([1, 0, 1, 0, 0, 0, 0]), HERE, DT)
    assert 0 < np.linalg.norm(safe[:3] - HERE[:3]) <= 4.0 * DT + 1e-9


@pytest.mark.parametrize("damage", [
    {"speed": np.nan}, {"spin": np.inf * 0}, {"low": (np.nan,) * 3}, {"twist": np.nan},
    {"fingers": (np.nan, 0.04)}, {"speed": -1.0},
])  # fmt: skip
def test_a_damaged_guard_trips(damage: dict[str, Any]) -> None:
    with pytest.raises(GuardTrip):
        Guard(**damage).command(HERE + 0.5, HERE, DT)


@pytest.mark.parametrize("index", [0, 4, 6])
def test_a_damaged_memory_trips_and_does_not_come_out(index: int) -> None:
    last = HERE.copy()
    last[index] = np.nan
    with pytest.raises(GuardTrip, match="memory of the last command"):
        Guard().command(HERE, last, DT)


@pytest.mark.parametrize("dt", [0.0, -0.01, np.nan, np.inf, "0.01"])
def test_a_period_that_is_none_trips(dt: Any) -> None:
    with pytest.raises(GuardTrip, match="time between two commands"):
        Guard().command(HERE, HERE, dt)


@pytest.mark.parametrize("name", ["cubes", "tabletop", "walker_room"])
def test_no_actuator_gets_a_number_that_is_none(name: str) -> None:
    world = open_world(name)
    before = world.data.ctrl.copy()
    with pytest.raises(GuardTrip, match="finite numbers"):
        World.advance(world, np.full(world.model.nu, np.nan))
    assert np.array_equal(world.data.ctrl, before)


def test_clamps_are_counted_and_good_commands_pass_unchanged() -> None:
    guard = Guard()
    near = HERE.copy()
    near[0] += 0.001
    assert np.array_equal(guard.command(near, HERE, DT), near)
    assert guard.clamped == 0
    guard.command(HERE + 5.0, HERE, DT)
    assert guard.clamped == 1


class TestWatch:
    ARM = range(7)

    def world(self) -> tuple[mujoco.MjModel, mujoco.MjData]:
        world = open_world("cubes")
        return world.model, world.data

    def test_a_quiet_arm_is_left_alone(self) -> None:
        Guard().watch(*self.world(), self.ARM)

    def test_a_state_that_is_not_finite(self) -> None:
        model, data = self.world()
        data.qvel[0] = np.nan
        with pytest.raises(GuardTrip, match="not finite"):
            Guard().watch(model, data, self.ARM)

    def test_a_joint_that_runs_away(self) -> None:
        model, data = self.world()
        data.qvel[3] = 40.0
        with pytest.raises(GuardTrip, match="joint4 moves at 40"):
            Guard().watch(model, data, self.ARM)

    def test_a_joint_past_its_stop(self) -> None:
        model, data = self.world()
        data.qpos[5] = 4.5
        with pytest.raises(GuardTrip, match=r"joint6 is at 4\.50 rad, past its stop"):
            Guard().watch(model, data, self.ARM)
