"""What depth pictures tell about a scene: where things are, how far a door is open, what is hidden.

The scenes here are small MuJoCo models of their own; the pictures are rays through the true state.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.control.affordance import Articulation
from regrasp.control.depth_view import NOISE_M, DepthView
from regrasp.control.hue import Hue
from regrasp.control.point_clusters import clusters
from regrasp.control.sensed_scene import SensedScene
from regrasp.core.arrays import Array
from regrasp.core.robot import CameraImage

SCENE = """
<mujoco><compiler angle="radian"/>
  <worldbody>
    <geom type="plane" size="0 0 0.1"/>
    <body name="wall" pos="0.75 0 0.1">
      <geom type="box" size="0.01 0.12 0.1"/>
      <body name="door" pos="-0.03 0.12 0">
        <joint name="door" axis="0 0 1" range="-1.6 0"/>
        <geom type="box" size="0.008 0.11 0.09" pos="0 -0.11 0"/>
      </body>
    </body>
    <body name="red_cube" pos="0.45 0.2 0.03">
      <freejoint/><geom type="box" size="0.03 0.03 0.03" rgba="1 0 0 1"/>
    </body>
    <body name="blue_cube" pos="0.45 -0.2 0.03">
      <freejoint/><geom type="box" size="0.03 0.03 0.03" rgba="0 0 1 1"/>
    </body>
    <site name="tool" pos="0 0 0.5"/>
  </worldbody>
</mujoco>"""
HUES = {"red_cube": Hue(0.0), "blue_cube": Hue(240.0)}
DOOR = Articulation("door", "handle", 0.0, -1.4)
EYES = ((-0.2, 0.6, 0.7), (-0.2, -0.6, 0.7))


def picture(model: mujoco.MjModel, data: mujoco.MjData, eye: tuple[float, ...]) -> CameraImage:
    """What a camera at `eye` that looks at the middle of the scene takes of a state."""
    back = np.array(eye) - np.array([0.5, 0.0, 0.05])
    back /= np.linalg.norm(back)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(back, right), back], axis=1)
    size, fovy = 100, 50.0
    scale = np.tan(np.radians(fovy) / 2) / (size / 2)
    rows, columns = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    right_up = [(columns + 0.5 - size / 2) * scale, (size / 2 - rows - 0.5) * scale]
    local = np.stack([*right_up, -np.ones((size, size))], axis=-1).reshape(-1, 3)
    rays = local @ rotation.T
    length = np.linalg.norm(rays, axis=1)
    geom, far = np.full(len(rays), -1, np.int32), np.full(len(rays), -1.0)
    mujoco.mj_multiRay(
        model, data, np.array(eye), (rays / length[:, None]).ravel(), None, 1, -1, geom, far, None,
        len(rays), 10.0,
    )  # fmt: skip
    depth = np.where(geom >= 0, far / length, np.inf)
    noise = np.random.default_rng(0).standard_normal(len(depth))
    depth = np.where(
        np.isfinite(depth), depth + NOISE_M * noise * np.minimum(depth, 9.0) ** 2, depth
    )
    rgb = (255 * model.geom_rgba[geom, :3]).astype(np.uint8)
    return CameraImage(
        "eye", rgb.reshape(size, size, 3), depth.reshape(size, size).astype(np.float32), fovy,
        np.array(eye), rotation,
    )  # fmt: skip


def views(model: mujoco.MjModel, data: mujoco.MjData) -> list[DepthView]:
    mujoco.mj_forward(model, data)
    return [DepthView.of(picture(model, data, eye), 1) for eye in EYES]


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(SCENE)


@pytest.fixture
def belief(model: mujoco.MjModel) -> SensedScene:
    return SensedScene(model, model, HUES, (DOOR,))


def move(model: mujoco.MjModel, data: mujoco.MjData, name: str, at: Array, yaw: float) -> None:
    start = int(model.jnt_qposadr[model.body_jntadr[model.body(name).id]])
    data.qpos[start : start + 7] = [*at, np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)]


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
    belief.hold("tool")
    for _ in range(20):
        belief.predict(np.zeros(0), nothing, still)
    assert belief.pose_of("red_cube").position[2] == pytest.approx(0.46)
    belief.hold("")
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
