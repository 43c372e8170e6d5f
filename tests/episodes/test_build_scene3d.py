"""Bodies in space are where the simulator has them."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.episodes.build_scene3d import build_scene3d
from regrasp.episodes.state_log import StateLog, read_states
from regrasp.view.rerun_file import Scene3D, SolidKind
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

MOVED = "kettle"


@pytest.fixture(scope="module")
def world() -> World:
    return open_world("kitchen", None, 0)


@pytest.fixture(scope="module")
def scene(world: World, tmp_path_factory: pytest.TempPathFactory) -> Scene3D:
    """Two states: the start, and one with the kettle somewhere else."""
    folder = tmp_path_factory.mktemp("run")
    with StateLog(folder, world) as log:
        log.add()
        world.data.joint(f"{MOVED}_free").qpos[:] = (0.5, -0.4, 0.6, 0.6, 0.0, 0.8, 0.0)
        world.data.time = 0.5
        log.add()
    mujoco.mj_forward(world.model, world.data)
    return build_scene3d(read_states(folder))


def turned(quaternion: npt.NDArray[np.float64], vector: npt.NDArray[np.float64]) -> list[float]:
    x, y, z, w = quaternion
    out = np.empty(3)
    mujoco.mju_rotVecQuat(out, vector, np.array((w, x, y, z)))
    return out.tolist()


def test_every_solid_is_where_mujoco_has_it(world: World, scene: Scene3D) -> None:
    visible = world.model.geom_group < 3
    found = [
        body.path.positions[1] + turned(body.path.quaternions[1], solid.position)
        for body in scene.bodies
        for solid in body.solids
    ]
    assert len(found) == int(visible.sum())
    np.testing.assert_allclose(found, world.data.geom_xpos[visible], atol=1e-4)


def test_every_solid_lies_as_mujoco_has_it(scene: Scene3D) -> None:
    for body in scene.bodies:
        for solid in body.solids:
            lies = turned(solid.quaternion, np.array((0.0, 0.0, 1.0)))
            np.testing.assert_allclose(solid.axis, lies, atol=1e-9)


def test_only_what_moved_has_moved(scene: Scene3D) -> None:
    assert [body.name for body in scene.bodies if not body.path.still] == [MOVED]
    assert list(scene.seconds) == [0.0, 0.5]


def test_round_things_are_round(scene: Scene3D) -> None:
    kinds = {solid.kind for body in scene.bodies for solid in body.solids}
    assert kinds == set(SolidKind)
    apple = next(body for body in scene.bodies if body.name == "green_apple")
    assert any(solid.kind is SolidKind.ELLIPSOID for solid in apple.solids)


def test_cameras_look_where_they_look(world: World, scene: Scene3D) -> None:
    assert {camera.name for camera in scene.cameras} >= {"front", "side", "wrist"}
    for camera in scene.cameras:
        there = world.data.camera(camera.name)
        np.testing.assert_allclose(camera.path.positions[1], there.xpos, atol=1e-4)
        ahead = turned(camera.path.quaternions[1], np.array((0.0, 0.0, -1.0)))
        np.testing.assert_allclose(ahead, -there.xmat.reshape(3, 3)[:, 2], atol=1e-4)
