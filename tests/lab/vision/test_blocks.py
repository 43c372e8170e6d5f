"""The tabletop's states: blocks at the cup, on each other, and what is not asked because of it."""

from __future__ import annotations

import functools

import mujoco
import numpy as np

from regrasp.lab.vision.blocks import BlockPoseSampler, clear_of_the_cup
from regrasp.lab.vision.rooms import VisionRoom, open_room
from regrasp.lab.vision.scene_sampler import Candidate
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.kit.ur5e import CUP
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.world import TabletopWorld


@functools.cache
def table() -> tuple[VisionRoom, TabletopWorld, TabletopJudge]:
    room = open_room("tabletop", 0, plain=True, held_out=False)
    assert isinstance(room.world, TabletopWorld)
    return room, room.world, TabletopJudge(room.world)


def put(name: str, x: float, y: float, z: float) -> None:
    _, world, _ = table()
    at = int(world.model.joint(f"{name}_free").qposadr[0])
    world.data.qpos[at : at + 7] = (x, y, z, 1, 0, 0, 0)
    mujoco.mj_forward(world.model, world.data)


def held(name: str) -> Candidate:
    return Candidate(Topic.HELD, name, "", "no", ((name,),))


def on(a: str, b: str) -> Candidate:
    return Candidate(Topic.ON, a, b, "no", ((a,), (b,)))


def test_states_have_blocks_in_the_cup_and_on_each_other() -> None:
    room, world, judge = table()
    poser = BlockPoseSampler(room, world, np.random.default_rng(3))
    taken, towers, fallen = 0, 0, 0
    for _ in range(25):
        poser.pose()
        taken += bool(world.cup.holds)
        blocks = room.truth.movable
        towers += any(judge.holds("on", a, b) for a in blocks for b in blocks if a != b)
        fallen += any(not judge.holds("upright", a) for a in blocks)
    assert taken >= 3 and towers >= 3 and fallen >= 3


def test_a_block_that_just_touches_the_cup_is_not_asked_to_be_held() -> None:
    room, world, judge = table()
    world.reset()
    name = room.truth.movable[0]
    high = world.scene.things[name].extent[1]
    x, y, z = world.data.site(CUP).xpos
    put(name, x, y, z - high - 0.005)
    assert not clear_of_the_cup(world, judge, held(name))
    put(name, x, y, z - high - 0.05)
    assert clear_of_the_cup(world, judge, held(name))


def test_a_block_at_the_edge_of_another_is_not_asked_to_be_on_it() -> None:
    room, world, judge = table()
    world.reset()
    a, b = room.truth.movable[:2]
    wide, high = world.scene.things[b].extent
    put(b, 0.45, 0.0, 0.06 + high)
    for off, clear in ((0.0, True), (wide, False), (wide + 0.03, True)):
        put(a, 0.45 + off, 0.0, 0.06 + 3 * high)
        assert clear_of_the_cup(world, judge, on(a, b)) is clear
    put(a, 0.45, 0.0, 0.06 + 3 * high - 0.0003)
    assert judge.holds("on", a, b) and min(judge.margins(a, b)) > 0
