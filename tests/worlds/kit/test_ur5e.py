"""The UR5e: the maker's kinematics and limits, and a cup that holds as much as it should."""

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.ur5e import CUP, HOME, JOINTS, LINKS, SUCTION, SUCTION_N, TOOL_M, add_ur5e

# Universal Robots, "DH parameters for calculations of kinematics and dynamics", UR5e: a, d, alpha.
DH = (
    (0.0, 0.1625, np.pi / 2), (-0.425, 0.0, 0.0), (-0.3922, 0.0, 0.0),
    (0.0, 0.1333, np.pi / 2), (0.0, 0.0997, -np.pi / 2), (0.0, 0.0996, 0.0),
)  # fmt: skip
Array = npt.NDArray[np.float64]


def scene() -> Scene:
    layout, look = (np.random.default_rng([0, stream]) for stream in (0, 1))
    return Scene(layout=layout, look=look)


def flange(q: Array) -> Array:
    """The pose (4, 4) of the flange by the published parameters, from a base turned half round."""
    pose = np.diag([-1.0, -1.0, 1.0, 1.0])
    for theta, (a, d, alpha) in zip(q, DH, strict=True):
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        pose = pose @ np.array([
            [c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1],
        ])  # fmt: skip
    return pose


def test_its_forward_kinematics_are_the_published_ones() -> None:
    built = scene()
    add_ur5e(built)
    model = built.compile()
    data, rng = mujoco.MjData(model), np.random.default_rng(1)
    for q in (np.zeros(6), np.array(HOME), *rng.uniform(-3.1, 3.1, (20, 6))):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        pose = flange(q)
        tip = pose[:3, 3] + TOOL_M * pose[:3, 2]
        assert data.site(CUP).xpos == pytest.approx(tip, abs=1e-6)
        assert data.site(CUP).xmat.reshape(3, 3) == pytest.approx(pose[:3, :3], abs=1e-6)


def test_its_limits_are_the_published_ones() -> None:
    built = scene()
    add_ur5e(built)
    model = built.compile()
    assert [model.joint(i).name for i in range(6)] == list(JOINTS)
    degrees = np.rad2deg(model.jnt_range[:, 1])
    assert degrees == pytest.approx([360, 360, 180, 360, 360, 360])
    assert model.jnt_actfrcrange[:, 1] == pytest.approx([150, 150, 150, 28, 28, 28])
    assert [link.speed for link in LINKS] == pytest.approx([np.pi] * 6)
    moved = sum(link.mass for link in LINKS)
    assert moved == pytest.approx(17.7, abs=0.1)
    assert model.body_mass.sum() == pytest.approx(moved + 0.47)  # and the gripper


def test_at_home_the_cup_points_down_before_the_arm() -> None:
    built = scene()
    add_ur5e(built)
    model = built.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = HOME
    mujoco.mj_kinematics(model, data)
    assert data.site(CUP).xmat.reshape(3, 3)[:, 2] == pytest.approx([0, 0, -1], abs=0.01)
    assert data.site(CUP).xpos == pytest.approx([0.36, 0.0, 0.31], abs=0.01)


@pytest.mark.parametrize(("pull", "holds"), [(0.8, True), (1.25, False)])
def test_the_cup_holds_up_to_its_force_and_no_further(pull: float, holds: bool) -> None:
    built = scene()
    add_ur5e(built)
    add_block(built, "block", (0.0, 0.0, 0.0))
    spec = built.spec
    spec.option.gravity = [0, 0, 0]
    model = built.compile()
    data = mujoco.MjData(model)
    data.qpos[:6] = HOME
    mujoco.mj_forward(model, data)
    tip, turn = data.site(CUP).xpos.copy(), data.site(CUP).xmat.reshape(3, 3)
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, turn.flatten())
    data.qpos[6:9], data.qpos[9:13] = tip + 0.0202 * turn[:, 2], quat
    data.ctrl[:6] = HOME
    data.actuator(SUCTION).ctrl = 1.0
    body = model.body("block").id
    for _ in range(500):  # one second
        data.xfrc_applied[body, :3] = pull * SUCTION_N * turn[:, 2] * min(1.0, data.time / 0.2)
        mujoco.mj_step(model, data)
    away = float(np.linalg.norm(data.site(CUP).xpos - data.body("block").xpos))
    assert away == pytest.approx(0.020, abs=1e-3) if holds else away > 0.1
