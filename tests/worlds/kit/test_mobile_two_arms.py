"""The two-armed mobile manipulator: mirrored arms, published ranges, a head that looks around."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.worlds.apartment.robot_body import own_model, robot_body
from regrasp.worlds.kit.mobile_two_arms import ARM, HOME, JOINTS, SIDES


def posed(left: tuple[float, ...]) -> mujoco.MjData:
    """The robot with the left arm in a posture, and the right arm in its mirror image."""
    model = own_model()
    data = mujoco.MjData(model)
    for side in SIDES:
        for k, (name, q) in enumerate(zip(JOINTS[side], left, strict=True)):
            data.joint(name).qpos = -q if side == "right" and k == 0 else q
    mujoco.mj_forward(model, data)
    return data


@pytest.mark.parametrize("posture", [HOME["left"], (1.0, 0.3, 1.2, 0.9, -0.7, 0.4, 0.8)])
def test_the_right_arm_is_the_mirror_image_of_the_left(posture: tuple[float, ...]) -> None:
    data = posed(posture)
    left, right = (data.site(f"{side}_palm") for side in SIDES)
    assert np.allclose(left.xpos * [1, -1, 1], right.xpos, atol=1e-9)
    ahead = left.xmat.reshape(3, 3)[:, 2] * [1, -1, 1]
    assert np.allclose(ahead, right.xmat.reshape(3, 3)[:, 2], atol=1e-9)


def test_at_rest_it_touches_nothing_and_is_narrower_than_a_doorway() -> None:
    data = posed(HOME["left"])
    assert data.ncon == 0
    wide = [abs(data.body(f"left_link{k}").xpos[1]) for k in range(1, 8)]
    assert max(wide) + 0.06 < 1.25 / 2 - 0.1


def test_the_arm_reaches_as_far_as_its_links_are_long() -> None:
    assert sum(float(np.linalg.norm(joint.offset)) for joint in ARM[1:]) == pytest.approx(
        0.767, abs=0.01
    )
    body = robot_body()
    assert body.shoulder == pytest.approx((-0.037, 0.19, 0.719), abs=1e-6)
