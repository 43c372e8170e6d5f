"""The joints for a pose: found to a tenth of a millimetre, or said which of them is at its end."""

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.control.ik import Kinematics, Pose
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.ur5e import CUP, HOME, JOINTS, add_ur5e

Array = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    layout, look = (np.random.default_rng([0, stream]) for stream in (0, 1))
    scene = Scene(layout=layout, look=look, planning=True)
    add_ur5e(scene)
    return scene.compile()


def test_reachable_poses_are_reached(model: mujoco.MjModel) -> None:
    arm, rng = Kinematics(model, JOINTS, CUP), np.random.default_rng(0)
    for _ in range(40):
        there = np.array(HOME) + rng.uniform(-0.5, 0.5, 6)
        target = arm.pose(there)
        found = arm.solve(target, np.array(HOME))
        assert found.reached and not found.at_limit
        now = arm.pose(found.q)
        assert np.linalg.norm(now.position - target.position) < 1e-3
        assert np.abs(now.rotation - target.rotation).max() < 5e-3
        assert found.distance == pytest.approx(np.linalg.norm(now.position - target.position))


def test_a_pose_out_of_reach_is_not_claimed(model: mujoco.MjModel) -> None:
    arm = Kinematics(model, JOINTS, CUP)
    home = arm.pose(np.array(HOME))
    far = Pose(np.array([1.6, 0.0, 0.3]), home.rotation)
    found = arm.solve(far, np.array(HOME))
    assert not found.reached and found.distance > 0.4
    assert np.all(np.abs(found.q) <= model.jnt_range[:, 1])


def test_the_joint_at_its_limit_is_named(model: mujoco.MjModel) -> None:
    arm = Kinematics(model, JOINTS, CUP)
    wanted = np.array(HOME)
    wanted[2] += 0.6  # the elbow bends further than it may
    target = arm.pose(wanted)
    short = Kinematics(_limited(model, "elbow", HOME[2] + 0.2), JOINTS, CUP)
    found = short.solve(target, np.array(HOME))
    assert not found.reached and found.at_limit == ("elbow",)
    assert found.q[2] == pytest.approx(HOME[2] + 0.2)
    assert arm.solve(target, np.array(HOME)).reached


def test_a_limit_that_is_not_needed_does_not_hinder(model: mujoco.MjModel) -> None:
    """The wrist can reach a turned cup both ways round; with one way shut it takes the other."""
    short = Kinematics(_limited(model, "wrist_3", 0.3), JOINTS, CUP)
    wanted = np.array(HOME)
    wanted[0] += 0.4
    assert short.solve(short.pose(wanted), np.array(HOME)).reached


def _limited(model: mujoco.MjModel, joint: str, high: float) -> mujoco.MjModel:
    import copy

    short = copy.copy(model)
    short.jnt_range[model.joint(joint).id, 1] = high
    return short
