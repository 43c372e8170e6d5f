"""A film keeps the robot's time, and the states beside it can be played again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.episodes.recording import Film
from regrasp.episodes.state_log import STATES_FILE, StateLog, read_states
from regrasp.view.video import VIDEO_FILE
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import World

SIZE = (16, 12)


@pytest.fixture
def world() -> World:
    return open_world("cubes", "match", 3)


@pytest.fixture
def robot(world: World) -> Iterator[SimRobot]:
    with closing(SimRobot(world, size=SIZE)) as made:
        yield made


def frames(folder: Path) -> int:
    av = pytest.importorskip("av")
    with av.open(str(folder / VIDEO_FILE)) as container:
        return sum(1 for _ in container.decode(video=0))


def test_second_s_of_the_film_is_second_s_of_the_run(
    world: World, robot: SimRobot, tmp_path: Path
) -> None:
    with Film(tmp_path, world, robot, 10.0, SIZE) as film:
        for seconds in (0.0, 0.05, 0.1, 0.11, 1.0):  # at the end the clock jumps
            world.data.time = seconds
            film.shoot("moving")
    assert frames(tmp_path) == 11  # at 0.0, 0.1, … 1.0
    assert list(read_states(tmp_path).seconds) == [0.0, 0.1, 1.0]


def test_a_still_comes_on_top(world: World, robot: SimRobot, tmp_path: Path) -> None:
    with Film(tmp_path, world, robot, 10.0, SIZE) as film:
        film.shoot("start")
        film.shoot("done", still_s=0.5)
    assert frames(tmp_path) == 6


class TestStates:
    def test_they_read_back_with_the_world_they_are_of(self, world: World, tmp_path: Path) -> None:
        with StateLog(tmp_path, world) as log:
            log.add()
            world.data.joint("red_cube_free").qpos[:3] = (0.3, 0.2, 0.1)
            world.data.time = 0.5
            log.add()
        states = read_states(tmp_path)
        assert (states.world.plan.name, states.world.task.name, states.world.seed) == (
            "cubes", "match", 3
        )  # fmt: skip
        assert list(states.seconds) == [0.0, 0.5]
        np.testing.assert_allclose(states.qpos[1], world.data.qpos, atol=1e-5)

    def test_a_line_that_was_cut_off_is_left_out(self, world: World, tmp_path: Path) -> None:
        with StateLog(tmp_path, world) as log:
            log.add()
            log.add()
        path = tmp_path / STATES_FILE
        path.write_bytes(path.read_bytes()[:-9])
        assert len(read_states(tmp_path).seconds) == 1

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (("red_cube_free", "red_ball_free"), "other joints"),
            (('"sim_s":', '"sim":'), "is damaged"),
            (('"qpos":[', '"qpos":[0.5,'), "is damaged"),
            (('"task":"match"', '"task":"mach"'), "Did you mean 'match'"),
        ],
    )
    def test_what_is_not_of_this_world_is_refused(
        self, world: World, tmp_path: Path, change: tuple[str, str], said: str
    ) -> None:
        with StateLog(tmp_path, world) as log:
            log.add()
        path = tmp_path / STATES_FILE
        path.write_text(path.read_text().replace(*change))
        with pytest.raises(RegraspError, match=said):
            read_states(tmp_path)

    def test_a_run_without_states_is_told_how_to_get_some(
        self, world: World, tmp_path: Path
    ) -> None:
        with pytest.raises(RegraspError, match="--no-video; make it again"):
            read_states(tmp_path)
        with StateLog(tmp_path, world):
            pass
        with pytest.raises(RegraspError, match="no state yet"):
            read_states(tmp_path)
