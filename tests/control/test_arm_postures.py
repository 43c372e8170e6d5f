"""Closed-form postures of the arm: all of them reach the pose, and few poses have none."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.control.arm_postures import ArmPostures
from regrasp.control.chain import arm_chain
from regrasp.control.ik import Kinematics, Pose
from regrasp.control.postures import PostureChoice
from regrasp.core.arrays import Array
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.two_arms import HOME, JOINTS
from small_bar import small_bar

SITE = f"left_{PALM}"


@pytest.fixture(scope="module")
def chain() -> mujoco.MjModel:
    return arm_chain(small_bar(blocks={}, bottles={})[0].planning, JOINTS["left"], SITE)


def choice(chain: mujoco.MjModel) -> PostureChoice:
    kinematics = Kinematics(chain, JOINTS["left"], SITE)
    postures = ArmPostures(chain, JOINTS["left"], SITE)
    shoulder = np.array([0.0, 0.30, 1.083])
    return PostureChoice(kinematics, postures, np.array(HOME["left"]), shoulder)


def test_every_posture_reaches_the_pose_and_nearly_every_pose_has_one(
    chain: mujoco.MjModel,
) -> None:
    kinematics, postures = (kind(chain, JOINTS["left"], SITE) for kind in (Kinematics, ArmPostures))
    rng, reached = np.random.default_rng(0), 0
    for _ in range(100):
        pose = kinematics.pose(rng.uniform(kinematics.low, kinematics.high))
        found = postures.all_for(pose)
        reached += len(found) > 0
        for q in found[::9]:
            at = kinematics.pose(q)
            assert at.position == pytest.approx(pose.position, abs=1e-9)
            assert at.rotation == pytest.approx(pose.rotation, abs=1e-9)
            assert kinematics.margin(q) > 0.0
    assert reached >= 98


def test_a_pose_out_of_reach_has_no_posture_and_the_nearest_one_is_told(
    chain: mujoco.MjModel,
) -> None:
    far = Pose(np.array([1.6, 0.3, 1.0]), np.diag([1.0, -1.0, -1.0]))
    found, _ = choice(chain).solve(far)
    assert not found.reached
    assert 0.4 < found.distance < 0.9


def test_a_posture_that_touches_something_gives_way_to_another(chain: mujoco.MjModel) -> None:
    chosen = choice(chain)
    pose = Pose(np.array([0.5, 0.3, 0.9]), np.diag([1.0, -1.0, -1.0]))
    first, _ = chosen.solve(pose)
    other, cost = chosen.solve(pose, lambda q: int(np.abs(q - first.q).max() < 0.3))
    assert cost == 0
    assert np.abs(other.q - first.q).max() > 0.3


def test_a_sequence_is_continuous_and_begins_where_it_must(chain: mujoco.MjModel) -> None:
    chosen, down = choice(chain), np.diag([1.0, -1.0, -1.0])
    poses = [Pose(np.array([0.5, y, 0.95]), down) for y in np.linspace(0.1, 0.5, 15)]
    first, _ = chosen.solve(poses[0])
    knots: Array = chosen.sequence(poses, first=first.q)
    assert knots.shape == (15, 7)
    assert knots[0] == pytest.approx(first.q)
    assert np.abs(np.diff(knots, axis=0)).max() < 0.41


def test_another_kind_of_arm_is_refused(chain: mujoco.MjModel) -> None:
    with pytest.raises(ValueError, match="Franka"):
        ArmPostures(chain, JOINTS["left"][:6], SITE)
