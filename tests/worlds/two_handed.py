"""What the tests of bar, pizza kitchen and blocks share: worlds, and things moved by hand."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.worlds.kit.two_arms import ARM_Y_M
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.world import TwoArmWorld

REACH_M = (0.25, 0.85)
"""How far from the base of an arm a hand works, seen from above (worlds/kit/two_arms.py)."""


def kitchen(world: str, task: str | None = None, seed: int = 0) -> KitchenWorld:
    opened = open_world(world, task, seed)
    assert isinstance(opened, KitchenWorld)
    return opened


def hold_still(world: TwoArmWorld, seconds: float) -> None:
    control = world.data.ctrl.copy()
    for _ in range(round(100 * seconds)):
        world.advance(control)


def furthest_move(world: TwoArmWorld, seconds: float) -> float:
    """How far (m) any thing moves in that time when nobody touches it."""
    things = [thing.name for thing in world.scene.things.values() if thing.movable]
    before = {name: world.at(name) for name in things}
    hold_still(world, seconds)
    return max(float(np.linalg.norm(world.at(name) - before[name])) for name in things)


def deepest_overlap(world: TwoArmWorld) -> float:
    """How deep (m) any two bodies are in each other."""
    model, data = world.model, world.data
    flags = int(model.opt.enableflags)
    model.opt.enableflags = 0  # sleeping things have no contacts
    mujoco.mj_forward(model, data)
    model.opt.enableflags = flags
    return -float(data.contact.dist.min(initial=0.0))


def reach(world: TwoArmWorld, thing: str) -> float:
    """The distance (m) of a thing from the base of the nearer arm, seen from above."""
    x, y, _ = world.at(thing)
    return min(math.hypot(x, y - side * ARM_Y_M) for side in (-1.0, 1.0))


def put(world: TwoArmWorld, thing: str, place: str, offset: tuple[float, float] = (0, 0)) -> None:
    """Set a thing down on the middle of a place, at rest."""
    top = world.data.site(world.scene.things[place].place).xpos
    high = world.scene.things[thing].extent[1]
    joint = world.data.joint(f"{thing}_free")
    joint.qpos[:3] = top + np.array([*offset, high + 0.001])
    joint.qvel[:] = 0.0
    mujoco.mj_forward(world.model, world.data)
    hold_still(world, 0.2)
