"""A camera's picture is kept for as long as nothing that can be seen changes."""

from __future__ import annotations

from typing import cast

import mujoco
import numpy as np
import pytest

from regrasp.core.robot import CameraImage
from regrasp.worlds.render.base import Frame
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.staged_robot import SimulatedCameras
from regrasp.worlds.world import World

SCENE = """
<mujoco>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="front" pos="0 -2 0.5" xyaxes="1 0 0 0 0 1"/>
    <camera name="top" pos="0 0 2"/>
    <body name="ball" pos="0 0 0.5">
      <freejoint/>
      <geom name="ball" type="sphere" size="0.2" rgba="1 0 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""


class Scene:
    """As much of a world as a lens needs."""

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(SCENE)
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def lens_on(scene: Scene) -> SimulatedCameras:
    return SimulatedCameras(cast(World, scene), ("front", "top"), "raycast", (64, 48))


def test_a_world_that_stands_still_is_drawn_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    plain = RaycastRenderer.render

    def render(self: RaycastRenderer, data: mujoco.MjData, camera: str, *size: int) -> Frame:
        drawn.append(camera)
        return plain(self, data, camera, *size)

    monkeypatch.setattr(RaycastRenderer, "render", render)
    lens = lens_on(scene)
    first, other = lens.look("front"), lens.look("top")
    scene.data.time += 1.0
    assert np.array_equal(lens.look("front").rgb, first.rgb)
    assert np.array_equal(lens.look("top").depth, other.depth)
    assert not np.array_equal(first.rgb, other.rgb)
    assert drawn == ["front", "top"]


@pytest.mark.parametrize("change", ["pose", "colour", "size", "lamp", "field of view"])
def test_whatever_can_be_seen_is_drawn_anew(scene: Scene, change: str) -> None:
    lens = lens_on(scene)
    before = lens.look("front")
    if change == "pose":
        scene.data.qpos[0] += 0.3
        mujoco.mj_forward(scene.model, scene.data)
    elif change == "colour":
        scene.model.geom_rgba[0] = (0, 0, 1, 1)
    elif change == "size":
        scene.model.geom_size[0, 0] = 0.1
    elif change == "lamp":
        scene.model.light_diffuse[0] = 0.1
    else:
        scene.model.cam_fovy[:] = 80
    after: CameraImage = lens.look("front")
    fresh = lens_on(scene).look("front")
    assert np.array_equal(after.rgb, fresh.rgb)
    assert not np.array_equal(after.rgb, before.rgb)


def test_a_picture_is_the_caller_s_own(scene: Scene) -> None:
    lens = lens_on(scene)
    mine = lens.look("front")
    before = mine.rgb.copy()
    mine.rgb[:] = 0
    assert np.array_equal(lens.look("front").rgb, before)
