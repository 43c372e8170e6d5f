"""Collisions of an arm along a path: an arm of one sliding joint, and a pole."""

import mujoco
import numpy as np
import pytest

from regrasp.control.collision_check import FREE_M, CollisionCheck

_POLE_Y = 0.175
"""Half-way between two of the postures that a path is sampled at."""


@pytest.fixture
def check() -> CollisionCheck:
    model = mujoco.MjModel.from_xml_string(
        f"""
        <mujoco><worldbody>
          <body name="arm"><joint name="slide" type="slide" axis="0 1 0" range="-1 1"/>
            <geom type="box" size="0.01 0.004 0.01" mass="1"/>
            <geom type="box" size="0.01 0.004 0.01" pos="0 0 0.03" mass="1"/>
            <site name="palm" pos="0 0 0.03"/>
          </body>
          <body name="pole" pos="0 {_POLE_Y} 0"><freejoint/>
            <geom type="cylinder" size="0.002 0.1" mass="1"/></body>
        </worldbody></mujoco>
        """
    )
    found = CollisionCheck(model, ["slide"], "palm")
    found.see(model.qpos0)
    return found


@pytest.mark.parametrize("apart", [0.005, 0.015, 0.025])
def test_the_distance_of_a_near_thing_is_measured(check: CollisionCheck, apart: float) -> None:
    at = np.array([[_POLE_Y - 0.002 - 0.004 - apart]])

    (near,) = check.along(at)

    assert near.other == "pole"
    assert near.distance == pytest.approx(apart, abs=1e-4)


def test_a_far_thing_is_free(check: CollisionCheck) -> None:
    assert check.along(np.array([[_POLE_Y - 2 * FREE_M]])) == []


def test_a_thin_thing_between_two_postures_is_not_passed_through(check: CollisionCheck) -> None:
    (near,) = check.along(np.array([[0.0], [0.4]]))

    assert near.collides
