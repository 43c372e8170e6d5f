"""Two arms: the hand goes where it is sent, and the body that is drawn agrees."""

import mujoco
import numpy as np
import pytest

from regrasp.control.arm_kinematics import ThreeJointArm
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.walker import ARM_M, ARMS, BASE, FOREARM_M, HANDS, SHOULDER_M, add_walker

SIDES = (1, -1)


def arm(side: int) -> ThreeJointArm:
    return ThreeJointArm(SHOULDER_M, ARM_M, FOREARM_M, side)


@pytest.mark.parametrize("side", SIDES)
def test_angles_are_found_for_every_place_that_the_hand_can_be_at(side: int) -> None:
    rng = np.random.default_rng(0)
    for angles in rng.uniform((-1.7, -0.4, -2.0), (0.8, 1.2, -0.1), (50, 3)):
        there = arm(side).hand(angles)
        assert np.allclose(arm(side).reach(there), angles, atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_what_is_out_of_reach_is_pointed_at(side: int) -> None:
    far = np.array([3.0, side * 0.19, 0.27])
    angles = arm(side).reach(far)
    hand = arm(side).hand(angles)
    assert np.allclose(hand, [0.999 * (ARM_M + FOREARM_M), side * 0.19, 0.27], atol=1e-6)


def test_hands_are_where_the_body_has_them() -> None:
    rng = np.random.default_rng(1)
    scene = Scene(layout=rng, look=rng, planning=True)
    add_walker(scene)
    model = scene.compile()
    data = mujoco.MjData(model)
    angles = rng.uniform((-1.7, -0.4, -2.0), (0.8, 1.2, -0.1), (2, 3))
    for name, value in zip(ARMS, angles.ravel(), strict=True):
        data.joint(name).qpos = value
    mujoco.mj_forward(model, data)
    for side, hand, own in zip(SIDES, HANDS, angles, strict=True):
        away = data.body(hand).xpos - data.body(BASE).xpos
        assert np.allclose(away, arm(side).hand(own), atol=1e-9)
