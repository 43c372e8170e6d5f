"""What reaches the arm is finite, inside the workspace and not too fast, whoever sent it."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.control.guard import Guard, GuardTrip
from regrasp.worlds.registry import open_world

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
