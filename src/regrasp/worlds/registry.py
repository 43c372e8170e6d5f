"""Worlds by name, or by the user's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.loading import is_address, load_object

if TYPE_CHECKING:
    from regrasp.worlds.world import World, WorldPlan

__all__ = ["WORLDS", "is_world_file", "open_world", "world_plan"]

WORLDS: Mapping[str, str] = {
    "cabinet": "regrasp.worlds.cabinet",
    "kitchen": "regrasp.worlds.kitchen",
    "lever": "regrasp.worlds.lever",
    "cubes": "regrasp.worlds.cubes",
    "sensor": "regrasp.worlds.sensor",
    "household": "regrasp.worlds.household.plan",
    "tabletop": "regrasp.worlds.tabletop.plan",
    "walker_room": "regrasp.worlds.walker_room.plan",
    "bar": "regrasp.worlds.bar.plan",
    "pizza": "regrasp.worlds.pizza.plan",
    "blocks": "regrasp.worlds.blocks.plan",
    "apartment": "regrasp.worlds.apartment.plan",
}
"""Every world and the module that has its `PLAN`: five of the Franka, then those of the mobile
robot, of the arm with a suction cup, of the walking humanoid, three of the robot with two
hands, and one of the mobile robot with two arms."""


def is_world_file(name: str) -> bool:
    """Whether a world is one of the user's own, by `FILE.py`, `FILE.py:NAME` or `MODULE:NAME`."""
    return name not in WORLDS and is_address(name)


def world_plan(name: str) -> WorldPlan:
    """The plan of the world of that name, or of yours by `FILE.py`, `FILE.py:NAME`, `MODULE:NAME`.

    In a file without a NAME, the plan is called `PLAN`.
    """
    if name not in WORLDS and not is_address(name):
        raise UnknownNameError("world", name, (*WORLDS, "FILE.py"))
    plan = load_object(f"{WORLDS[name]}:PLAN" if name in WORLDS else name, "PLAN")
    if "WorldPlan" not in [base.__name__ for base in type(plan).__mro__]:
        raise RegraspError(
            f"{name} gives no PLAN that is a regrasp.worlds.world.WorldPlan; see "
            "examples/02_your_own_world.py."
        )
    return cast("WorldPlan", plan)


def open_world(
    name: str, task: str | None = None, seed: int = 0, *, skin: str = "primitive"
) -> World:
    """Build a world at its seeded start, settled, its start predicates checked."""
    if seed < 0:
        raise RegraspError(f"the seed of a world is 0 or more, not {seed}.")
    plan = world_plan(name)
    world = plan.open(task, seed, skin=skin)
    world.address = name
    plan.judge(world).check_start()
    return world
