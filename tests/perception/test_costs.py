"""What the map of an apartment, a path, reachability and a look cost in processor time."""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from regrasp.core.fact import Fact
from regrasp.core.grounded import BasePose
from regrasp.episodes.grounding import arm_maps, perceived_grounding
from regrasp.episodes.setting import world_setting
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.kit.mobile_two_arms import BASE
from regrasp.worlds.registry import open_world

SIX = ("find", "at", "detected", "graspable", "reachable")


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


@pytest.mark.long
def test_costs_of_perception() -> None:
    world = open_world("apartment", "place-box", 20)
    assert isinstance(world, ApartmentWorld)
    with world_setting(world, size=(320, 240)) as setting:
        robot = setting.robot
        pictures: list = []
        tour = spent(lambda: pictures.extend(robot.survey()))  # type: ignore[attr-defined]
        made: list = []
        fused = spent(lambda: made.append(perceived_grounding(setting, pictures)))
        evidence = made[0]
        print(f"\n{len(pictures)} pictures of the tour {tour:.1f} s, their map {fused:.1f} s")
        print(f"arrays of the map: {evidence.voxels.memory_bytes / 1e6:.0f} MB")
        grid, paths = evidence.floor_grid(), []
        print(f"grid of the map {1e3 * spent(evidence.floor_grid):.1f} ms (kept)")
        for name, piece in evidence.pieces.items():
            paths.append(spent(lambda p=piece: grid.path(BasePose(), p.centre, within=1.4)))
            print(f"A* to {name}: {1e3 * paths[-1]:.1f} ms")
        maps = arm_maps(world)
        rng = np.random.default_rng(0)
        points = rng.uniform((-0.2, -0.9, 0.2), (0.9, 0.9, 1.4), (1000, 3))
        turns = np.linalg.qr(rng.normal(size=(1000, 3, 3)))[0]
        turns[:, :, 2] *= np.linalg.det(turns)[:, None]
        reach = [spent(lambda: maps["left"].query(points, turns)) for _ in range(20)]
        print(f"1,000 reachability queries: {1e3 * np.median(reach[1:]):.1f} ms")
        oracle, looks, rendered = OracleGrounding(world), [], []
        asked = EvidencePredicates(robot, evidence, lambda: maps)
        start = world.base
        for number, far in enumerate((0.62, 0.7, 0.8, 0.62, 0.7)):
            _face(world, oracle, "paper_box", far, start)
            world.data.time = number + 1.0
            rendered.append(spent(lambda: robot.look("head")))
            looks.append(spent(lambda: _ask(asked, "paper_box")))
        print("a look with all predicates of the paper box, the picture itself left out: "
              + ", ".join(f"{1e3 * one:.0f}" for one in looks) + " ms")  # fmt: skip
        print(f"the picture: {1e3 * np.median(rendered):.0f} ms")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"memory of the process: {memory:.2f} GB")
    assert fused * 200 / len(pictures) < 40.0  # 20 s of two cores
    assert max(paths) < 0.06 and memory < 2.0


def _ask(asked: EvidencePredicates, thing: str) -> None:
    asked.look()
    for predicate in SIX:
        asked.ground(Fact.of(predicate, thing))


def _face(
    world: ApartmentWorld, oracle: OracleGrounding, thing: str, far: float, start: np.ndarray
) -> None:
    """Put the robot before a thing, as if it had driven there."""
    at = world.at(thing)
    turn = oracle._front(thing)
    x, y = at[0] + far * math.cos(turn), at[1] + far * math.sin(turn)
    yaw = math.atan2(at[1] - y, at[0] - x)
    for joint, value in zip(BASE, (x, y, yaw), strict=True):
        world.data.joint(joint).qpos = value
    world.data.joint("head_tilt").qpos = math.atan2(1.2 - at[2], far)
    mujoco.mj_forward(world.model, world.data)
    world.odometry.carry(start, world.base)
