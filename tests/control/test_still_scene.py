"""A scene at rest: things are where a map says, until depth pictures or a gripper correct it."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from depth_pictures import DOOR, HUES, SCENE, move, views
from regrasp.control.ik import Pose
from regrasp.control.still_scene import StillScene
from regrasp.core.arrays import Array

PLACES = {"red_cube": (0.45, 0.2, 0.03), "blue_cube": (0.45, -0.2, 0.03)}


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(SCENE)


@pytest.fixture
def belief(model: mujoco.MjModel) -> StillScene:
    """With a map that is half a centimetre off."""
    scene = StillScene(model, model, dict.fromkeys(HUES), (DOOR,))  # no hue: they look alike
    off = np.array([0.003, -0.004, 0.0])
    scene.read_map({n: Pose(np.array(at) + off, np.eye(3)) for n, at in PLACES.items()})
    return scene


def still(model: mujoco.MjModel) -> tuple[Array, Array, Array]:
    return np.zeros(0), np.full(model.nq, np.nan), np.full(model.nv, np.nan)


def test_what_stands_where_the_map_says_is_found_there(
    model: mujoco.MjModel, belief: StillScene
) -> None:
    truth = mujoco.MjData(model)
    belief.correct(views(model, truth))
    for name, at in PLACES.items():
        assert np.linalg.norm(belief.pose_of(name).position - at) < 0.006
        assert belief.pose_of(name).position[2] == pytest.approx(0.03, abs=1e-3)


def test_of_things_that_look_alike_the_one_that_is_missing_is_looked_for(
    model: mujoco.MjModel, belief: StillScene
) -> None:
    truth = mujoco.MjData(model)
    move(model, truth, "red_cube", np.array([0.40, 0.05, 0.03]), 0.0)
    belief.correct(views(model, truth))
    assert np.linalg.norm(belief.pose_of("red_cube").position - [0.40, 0.05, 0.03]) < 0.01
    assert np.linalg.norm(belief.pose_of("blue_cube").position - PLACES["blue_cube"]) < 0.01


def test_nothing_falls_between_two_looks(model: mujoco.MjModel, belief: StillScene) -> None:
    belief.read_map({"red_cube": Pose(np.array([0.45, 0.2, 0.3]), np.eye(3))})
    for _ in range(10):
        belief.predict(*still(model))
    assert belief.pose_of("red_cube").position[2] == pytest.approx(0.3)


def test_what_is_let_go_of_just_above_the_ground_stands_on_it(
    model: mujoco.MjModel, belief: StillScene
) -> None:
    belief.read_map({"red_cube": Pose(np.array([0.3, 0.0, 0.034]), np.eye(3))})
    model.site("tool").pos[:] = [0.3, 0.0, 0.034]
    belief.predict(*still(model))
    belief.hold(["tool"])
    assert belief.held("tool") == "red_cube"
    belief.hold([])
    assert belief.pose_of("red_cube").position[2] == pytest.approx(0.03)


def test_a_gripper_holds_what_is_around_its_tool_a_thing_or_a_door(
    model: mujoco.MjModel, belief: StillScene
) -> None:
    tool = model.site("tool")
    belief.read_map({"red_cube": Pose(np.array([0.0, 0.0, 0.5]), np.eye(3))})
    belief.hold(["tool"])
    assert belief.held("tool") == "red_cube"
    tool.pos[:] = [0.2, 0.0, 0.5]
    belief.predict(*still(model))
    assert np.allclose(belief.pose_of("red_cube").position, [0.2, 0.0, 0.5])
    belief.hold([])
    assert belief.held("tool") == ""
    assert belief.pose_of("red_cube").position[2] == pytest.approx(0.5)  # too high to settle
    tool.pos[:] = belief.data.body("door").xpos + np.array([0.0, -0.2, 0.0])
    belief.predict(*still(model))
    belief.hold(["tool"])
    assert belief.held("tool") == "door"
    angle = -0.4
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    tool.pos[:2] = belief.data.body("door").xpos[:2] + turn @ [0.0, -0.2]
    belief.predict(*still(model))
    assert float(belief.data.joint("door").qpos[0]) == pytest.approx(angle, abs=1e-6)
