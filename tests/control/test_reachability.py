"""The reachability map of an arm, compared with its kinematics."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest

from regrasp.control.chain import arm_chain
from regrasp.control.ik import Kinematics, Pose
from regrasp.control.reachability import (
    DEFAULT_RESOLUTION,
    ReachabilityMap,
    Resolution,
    map_name,
    reachability_map,
)
from regrasp.control.serial_chain import SerialChain, arm_chains, rotation_of
from regrasp.core.errors import RegraspError
from regrasp.worlds.kit.franka import add_franka
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.two_arms import add_two_arms

JOINTS = tuple(f"joint{k}" for k in range(1, 8))
COARSE = Resolution(step=0.06, parts=5, samples=400_000, agreement=0.6)


def scene_with(add: object) -> mujoco.MjModel:
    layout, look = (np.random.default_rng([0, stream]) for stream in (0, 1))
    scene = Scene(layout=layout, look=look, planning=True)
    add(scene)  # type: ignore[operator]
    return scene.compile()


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    return scene_with(add_franka)


@pytest.fixture(scope="module")
def chain(model: mujoco.MjModel) -> SerialChain:
    return SerialChain.of(model, JOINTS, "palm")


@pytest.fixture(scope="module")
def coarse(chain: SerialChain) -> ReachabilityMap:
    return ReachabilityMap.sampled(chain, COARSE)


@pytest.fixture(scope="module")
def kinematics(model: mujoco.MjModel) -> Kinematics:
    return Kinematics(arm_chain(model, JOINTS, "palm"), JOINTS, "palm")


@pytest.mark.parametrize("damage", ["cut", "pickled", "of another shape", "missing"])
def test_a_damaged_map_is_one_clear_error(
    chain: SerialChain, coarse: ReachabilityMap, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "map"
    coarse.store(folder)
    file = folder / "visits.npy"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:50])
    elif damage == "pickled":
        np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    elif damage == "of another shape":
        np.save(file, np.zeros(3, np.uint16))
    else:
        file.unlink()
    with pytest.raises(RegraspError, match="Delete its folder"):
        ReachabilityMap.load(folder, chain, COARSE)


def poses_of(kinematics: Kinematics, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    middle, half = (kinematics.low + kinematics.high) / 2, (kinematics.high - kinematics.low) / 2
    poses = [kinematics.pose(middle + 0.8 * half * rng.uniform(-1, 1, 7)) for _ in range(count)]
    return np.array([p.position for p in poses]), np.array([p.rotation for p in poses])


def search(kinematics: Kinematics, pose: Pose, rng: np.random.Generator, starts: int) -> bool:
    return any(
        kinematics.solve(
            pose, rng.uniform(kinematics.low, kinematics.high), distance=1e-3, angle=1e-2,
            iterations=50, patience=8,
        ).reached
        for _ in range(starts)
    )  # fmt: skip


def random_poses(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    positions = rng.uniform([-0.9, -0.9, 0.0], [0.9, 0.9, 1.2], (count, 3))
    quaternions = rng.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return positions, np.array([rotation_of(one) for one in quaternions])


def test_a_chain_has_the_poses_and_the_jacobian_of_the_simulator(
    model: mujoco.MjModel, chain: SerialChain, kinematics: Kinematics
) -> None:
    q = np.random.default_rng(0).uniform(chain.low, chain.high, (20, 7))
    hands = chain.poses(q.T.astype(np.float32))
    data = mujoco.MjData(model)
    for k, posture in enumerate(q):
        pose = kinematics.pose(posture)
        place = chain.base_position + chain.base_rotation @ hands.position[:, k]
        turn = chain.base_rotation @ rotation_of(hands.quaternion[:, k].astype(float))
        assert np.allclose(place, pose.position, atol=1e-5)
        assert np.allclose(turn, pose.rotation, atol=1e-5)
        data.qpos[[model.joint(name).qposadr[0] for name in JOINTS]] = posture
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        moved, turned = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacSite(model, data, moved, turned, model.site("palm").id)
        J = np.concatenate([moved, turned])[:, [model.joint(name).dofadr[0] for name in JOINTS]]
        expected = np.sqrt(max(0.0, np.linalg.det(J @ J.T)))
        own = chain.manipulability(posture[:, None].astype(np.float32))[0]
        assert own == pytest.approx(expected, abs=1e-5)


def test_poses_that_the_arm_takes_are_in_the_map(
    coarse: ReachabilityMap, kinematics: Kinematics
) -> None:
    found = coarse.query(*poses_of(kinematics, 400))
    assert found.reachable.mean() > 0.95
    assert (found.visits[found.reachable] > 0).mean() > 0.95
    assert 0.05 < np.median(found.manipulability[found.reachable]) <= 1.0


def test_poses_out_of_reach_are_not(coarse: ReachabilityMap, kinematics: Kinematics) -> None:
    positions, rotations = poses_of(kinematics, 200)
    away = positions - [0.0, 0.0, 0.333]
    far = coarse.chain.base_position + away / np.linalg.norm(away, axis=1, keepdims=True) * 1.3
    assert not coarse.query(far, rotations).reachable.any()


def test_a_lift_moves_what_is_in_reach(coarse: ReachabilityMap, kinematics: Kinematics) -> None:
    positions, rotations = poses_of(kinematics, 50)
    lift = np.array([0.0, 0.0, 0.35])
    raised = coarse.query(positions + lift, rotations, mount_offset=lift)
    assert (raised.reachable == coarse.query(positions, rotations).reachable).all()


def test_a_coarse_map_agrees_with_a_search_on_most_poses(
    coarse: ReachabilityMap, kinematics: Kinematics
) -> None:
    rng = np.random.default_rng(4)
    positions, rotations = random_poses(60, rng)
    truth = [
        search(kinematics, Pose(p, r), rng, 8) for p, r in zip(positions, rotations, strict=True)
    ]
    assert (coarse.query(positions, rotations).reachable == truth).mean() >= 0.85


@pytest.mark.long
def test_the_map_agrees_with_a_search_in_97_of_100_poses(
    chain: SerialChain, kinematics: Kinematics
) -> None:
    """Half a minute to sample, and two to search 2,000 random poses from 24 postures each."""
    made, rng = ReachabilityMap.sampled(chain), np.random.default_rng(5)
    positions, rotations = random_poses(2000, rng)
    truth = [
        search(kinematics, Pose(p, r), rng, 24) for p, r in zip(positions, rotations, strict=True)
    ]
    assert (made.query(positions, rotations).reachable == truth).mean() >= 0.97


def test_a_map_is_sampled_once_and_then_mapped_into_memory(
    chain: SerialChain, tmp_path: Path, kinematics: Kinematics
) -> None:
    small = Resolution(step=0.12, parts=3, samples=20_000)
    calls: list[float] = []
    first = reachability_map(chain, tmp_path, small, calls.append)
    assert calls[-1] == 1.0
    calls.clear()
    second = reachability_map(chain, tmp_path, small, calls.append)
    assert not calls
    assert isinstance(second.windows, np.memmap)
    poses = poses_of(kinematics, 50)
    assert (first.query(*poses).reachable == second.query(*poses).reachable).all()


def test_equal_arms_share_a_map_and_a_changed_arm_has_its_own(chain: SerialChain) -> None:
    left, right = arm_chains(scene_with(add_two_arms)).values()
    assert map_name(left, COARSE) == map_name(right, COARSE)
    shorter = dataclasses.replace(chain, high=chain.high - 0.1)
    assert map_name(shorter, COARSE) != map_name(chain, COARSE)
    assert map_name(chain, COARSE) != map_name(chain, DEFAULT_RESOLUTION)


def test_a_thousand_queries_take_less_than_five_milliseconds(coarse: ReachabilityMap) -> None:
    poses = random_poses(1000, np.random.default_rng(6))
    coarse.query(*poses)
    times = []
    for _ in range(9):
        begin = time.process_time()
        coarse.query(*poses)
        times.append(time.process_time() - begin)
    assert min(times) < 0.005
