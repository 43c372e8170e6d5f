"""Furniture that the robot pushes: its parts give way to the robot's own, in the belief too."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.control.affordance import Articulation
from regrasp.control.ik import Pose
from regrasp.control.still_scene import StillScene

SCENE = """
<mujoco><compiler angle="radian"/>
  <worldbody>
    <body name="finger" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom type="box" size="0.01 0.01 0.02"/>
      <site name="tool" pos="0 0 -0.02"/>
    </body>
    <body name="thumb" pos="0 0 2">
      <joint name="thumb" type="slide" axis="1 0 0"/>
      <geom type="box" size="0.01 0.01 0.02"/>
    </body>
    <body name="button" pos="0 0 0.1">
      <joint name="button" type="slide" axis="0 0 -1" range="0 0.01" stiffness="500"/>
      <geom type="cylinder" size="0.015 0.01"/>
    </body>
    <body name="door" pos="0.5 0 1">
      <joint name="door" axis="0 0 1" range="-1.5 0" frictionloss="1"/>
      <geom type="box" size="0.01 0.15 0.1" pos="0 -0.15 0"/>
    </body>
    <body name="cube" pos="0.3 0.3 0.03"><freejoint/><geom type="box" size="0.03 0.03 0.03"/></body>
  </worldbody>
</mujoco>"""
BUTTON = Articulation("button", "button", 0.0, 0.01)
DOOR = Articulation("door", "handle", 0.0, -1.5)
TOP_M, TIP_M = 0.11, 0.02  # of the button at rest, and of the finger below its middle


@pytest.fixture
def belief() -> StillScene:
    model = mujoco.MjModel.from_xml_string(SCENE)
    scene = StillScene(model, model, {"cube": None}, (BUTTON, DOOR))
    scene.read_map({"cube": Pose(np.array([0.3, 0.3, 0.03]), np.eye(3))})
    return scene


def read(belief: StillScene, *, thumb: float = 0.0, **at: float) -> None:
    """One control period in which the encoders put the middle of the finger `at` x, y and z."""
    own, speed = np.full(belief.model.nq, np.nan), np.full(belief.model.nv, np.nan)
    own[:4] = at.get("x", 0.0), at.get("y", 0.0), at.get("z", 1.0) - 1.0, thumb
    speed[:4] = 0.0
    belief.predict(np.zeros(0), own, speed)


def position(belief: StillScene, joint: str) -> float:
    return float(belief.data.joint(joint).qpos[0])


def push(belief: StillScene, depth: float) -> None:
    """Lower the finger so far into the place of the button, in steps of 1 mm."""
    for deep in np.arange(-0.005, depth + 1e-9, 0.001):
        read(belief, z=TOP_M + TIP_M - float(deep))


def test_a_button_goes_in_as_far_as_the_finger_and_comes_back(belief: StillScene) -> None:
    push(belief, 0.006)
    assert position(belief, "button") == pytest.approx(0.006, abs=3e-4)
    for _ in range(30):
        read(belief, z=TOP_M + TIP_M - 0.004)
    assert position(belief, "button") == pytest.approx(0.004, abs=3e-4)
    for _ in range(30):
        read(belief, z=0.5)
    assert position(belief, "button") == pytest.approx(0.0, abs=1e-4)


def test_a_button_goes_in_no_farther_than_it_can(belief: StillScene) -> None:
    push(belief, 0.014)
    assert position(belief, "button") == pytest.approx(0.01)


def test_a_finger_that_stops_before_a_button_does_not_push_it(belief: StillScene) -> None:
    push(belief, -0.001)
    assert position(belief, "button") == 0.0


def test_a_door_turns_away_from_a_finger_and_stays_there(belief: StillScene) -> None:
    for x in np.arange(0.60, 0.45, -0.005):
        read(belief, x=float(x), y=-0.25)
    angle = position(belief, "door")
    assert angle == pytest.approx(-np.arctan2(0.07, 0.25), abs=0.06)
    read(belief)
    assert position(belief, "door") == angle


def test_a_finger_that_slides_along_a_door_does_not_turn_it(belief: StillScene) -> None:
    for y in np.arange(-0.35, -0.30, 0.002):
        read(belief, x=0.5, y=float(y))
    assert position(belief, "door") == pytest.approx(0.0, abs=1e-6)


def test_a_door_between_finger_and_thumb_turns_neither_way() -> None:
    scene = SCENE.replace('<body name="thumb" pos="0 0 2">', '<body name="thumb" pos="0 -0.25 1">')
    model = mujoco.MjModel.from_xml_string(scene)
    belief = StillScene(model, model, {"cube": None}, (BUTTON, DOOR))
    read(belief, x=0.519, y=-0.25, thumb=0.481)
    assert position(belief, "door") == 0.0


def test_what_only_a_picture_puts_there_pushes_nothing(belief: StillScene) -> None:
    belief.read_map({"cube": Pose(np.array([0.0, 0.0, TOP_M + 0.02]), np.eye(3))})
    read(belief)
    assert position(belief, "button") == 0.0
