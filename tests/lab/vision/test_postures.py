"""Moments of the walker's episodes: kept and put elsewhere, they are the same moments."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.lab.vision.postures import Posture, postures
from regrasp.lab.vision.rooms import open_room
from regrasp.lab.vision.walk_poses import WalkerPoseSampler
from regrasp.worlds.kit.walker import BASE, JOINTS, SOLES
from regrasp.worlds.registry import world_plan
from regrasp.worlds.walker_room.judge import FLOOR, WalkerJudge
from regrasp.worlds.walker_room.world import WalkerWorld


def test_the_package_has_moments_of_every_kind() -> None:
    kept = postures()
    assert len(kept) > 1_000
    for held, by_box in ((True, True), (False, True), (False, False)):
        assert any(one.held is held and (one.box is not None) is by_box for one in kept)
    squatting = [one for one in kept if one.height < 0.45 and not one.held]
    assert any(one.box is not None and one.box[2] < 0.15 for one in squatting)
    assert all(one.box is not None for one in kept if one.held)


def test_a_moment_put_before_another_table_is_the_same_moment() -> None:
    taken = next(one for one in postures() if one.held and one.table is not None)
    world = world_plan("walker_room").open("move-box", 3)
    assert isinstance(world, WalkerWorld)
    data, box = world.data, next(t.name for t in world.scene.things.values() if t.movable)
    table = next(iter(world.scene.tops))
    stands = taken.from_table(data, table)
    data.joint(f"{BASE}_free").qpos[:] = taken.trunk(stands)
    data.joint(f"{box}_free").qpos[:] = taken.thing(stands)
    for name, angle in zip(JOINTS, taken.joints, strict=True):
        data.joint(name).qpos[0] = angle
    world.grip.set("on", 1.0)
    mujoco.mj_forward(world.model, data)
    again = Posture.in_world(world)
    assert again.held and again.row == pytest.approx(taken.row, abs=1e-4)
    assert Posture.of(again.row).row == pytest.approx(again.row)


def test_states_that_are_recalled_are_held_or_lie_as_they_did() -> None:
    rooms = (open_room("walker_room", n, plain=True, held_out=False) for n in range(20))
    room = next(one for one in rooms if one.truth.movable)
    world = room.world
    assert isinstance(world, WalkerWorld)
    poser, judge = WalkerPoseSampler(room, world, np.random.default_rng(0)), WalkerJudge(world)
    (box,) = room.truth.movable
    held = floored = 0
    for _ in range(60):
        poser.pose()
        soles = [float(world.data.site(sole).xpos[2]) for sole in SOLES]
        assert -0.02 < min(soles) < 0.05
        held += judge.holds("holding", box)
        floored += judge.holds("on", box, FLOOR)
        assert not (judge.holds("holding", box) and judge.holds("on", box, FLOOR))
    assert held > 10 and floored > 10
