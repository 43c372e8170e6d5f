"""A small scene of two cubes and a door, and depth pictures of it: rays through the true state."""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.control.affordance import Articulation
from regrasp.control.depth_view import NOISE_M, DepthView
from regrasp.control.hue import Hue
from regrasp.core.arrays import Array
from regrasp.core.robot import CameraImage

__all__ = ["DOOR", "HUES", "SCENE", "move", "views"]

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


def move(model: mujoco.MjModel, data: mujoco.MjData, name: str, at: Array, yaw: float) -> None:
    start = int(model.jnt_qposadr[model.body_jntadr[model.body(name).id]])
    data.qpos[start : start + 7] = [*at, np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)]
