"""What depth pictures tell about a scene: where things are, how far a door is open, what is hidden.

The scene here is a small MuJoCo model of its own; the pictures are rays through the true state.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from depth_pictures import DOOR, HUES, SCENE, move, views
from regrasp.control.point_clusters import clusters
from regrasp.control.sensed_scene import SensedScene


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(SCENE)


@pytest.fixture
def belief(model: mujoco.MjModel) -> SensedScene:
    return SensedScene(model, model, HUES, (DOOR,))


def test_things_of_the_same_shape_are_told_apart_by_the_hue_in_their_names(
    model: mujoco.MjModel, belief: SensedScene
) -> None:
    truth = mujoco.MjData(model)
    move(model, truth, "red_cube", np.array([0.40, -0.15, 0.03]), 0.3)
    belief.correct(views(model, truth))
    assert belief.seen == {"red_cube", "blue_cube"}
    for name in HUES:
        off = belief.pose_of(name).position - truth.body(name).xpos
        assert np.linalg.norm(off) < 0.004
    turned = belief.pose_of("red_cube").rotation[:2, 0]
    quarter = (np.arctan2(turned[1], turned[0]) - 0.3) % (np.pi / 2)
    assert min(quarter, np.pi / 2 - quarter) < 0.06


def test_a_thing_that_was_moved_unseen_is_believed_where_it_was_until_the_next_look(
    model: mujoco.MjModel, belief: SensedScene
) -> None:
    truth = mujoco.MjData(model)
    belief.correct(views(model, truth))
    before = belief.pose_of("red_cube").position
    move(model, truth, "red_cube", np.array([0.55, 0.05, 0.03]), 0.0)
    assert np.array_equal(belief.pose_of("red_cube").position, before)
    belief.correct(views(model, truth))
    assert np.linalg.norm(belief.pose_of("red_cube").position - [0.55, 0.05, 0.03]) < 0.004


def test_what_no_camera_shows_has_no_pose(model: mujoco.MjModel, belief: SensedScene) -> None:
    truth = mujoco.MjData(model)
    move(model, truth, "blue_cube", np.array([0.80, 0.0, 0.03]), 0.0)  # behind the wall
    belief.correct(views(model, truth))
    assert belief.seen == {"red_cube"}


@pytest.mark.parametrize("angle", [0.0, -0.5, -1.2])
def test_a_door_is_believed_as_far_open_as_it_is(
    model: mujoco.MjModel, belief: SensedScene, angle: float
) -> None:
    truth = mujoco.MjData(model)
    truth.joint("door").qpos = angle
    belief.correct(views(model, truth))
    assert float(belief.data.joint("door").qpos[0]) == pytest.approx(angle, abs=0.06)


def test_a_held_thing_moves_with_the_tool(model: mujoco.MjModel, belief: SensedScene) -> None:
    truth = mujoco.MjData(model)
    move(model, truth, "red_cube", np.array([0.0, 0.0, 0.46]), 0.0)
    move(model, truth, "blue_cube", np.array([0.45, -0.2, 0.03]), 0.0)
    mujoco.mj_forward(model, truth)
    belief.seen |= set(HUES)
    belief.data.qpos[:] = truth.qpos
    mujoco.mj_forward(model, belief.data)
    nothing, still = np.full(model.nq, np.nan), np.full(model.nv, np.nan)
    belief.hold(["tool"])
    for _ in range(20):
        belief.predict(np.zeros(0), nothing, still)
    assert belief.pose_of("red_cube").position[2] == pytest.approx(0.46)
    belief.hold([])
    for _ in range(20):
        belief.predict(np.zeros(0), nothing, still)
    assert belief.pose_of("red_cube").position[2] < 0.46


def test_points_in_neighbouring_cells_are_one_cluster() -> None:
    line = np.stack([np.linspace(0.0, 0.2, 40), np.zeros(40), np.zeros(40)], axis=1)
    apart = np.array([[0.0, 0.5, 0.0], [0.0, 0.505, 0.0]])
    found = clusters(np.concatenate([line, apart]))
    assert [len(one) for one in found] == [40, 2]
    assert len(clusters(line, least=41)) == 0


def test_points_far_from_each_other_are_one_cluster_of_larger_cells() -> None:
    line = np.stack([np.linspace(0.0, 2.0, 40), np.zeros(40), np.zeros(40)], axis=1)
    assert len(clusters(line)) == 40
    assert len(clusters(line, cell_m=0.06)) == 1
