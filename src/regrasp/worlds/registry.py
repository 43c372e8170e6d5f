"""Worlds by name, or by a file of yours."""

from __future__ import annotations

import importlib
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from regrasp.worlds.world import World, WorldPlan

__all__ = ["WORLDS", "open_world", "world_plan"]

WORLDS: Mapping[str, str] = {
    "cabinet": "regrasp.worlds.cabinet",
    "kitchen": "regrasp.worlds.kitchen",
    "lever": "regrasp.worlds.lever",
    "cubes": "regrasp.worlds.cubes",
    "sensor": "regrasp.worlds.sensor",
    "household": "regrasp.worlds.household.plan",
    "tabletop": "regrasp.worlds.tabletop.plan",
    "walker_room": "regrasp.worlds.walker_room.plan",
}
"""Every world and the module that has its `PLAN`: five of the Franka, then those of the mobile
robot, of the arm with a suction cup, and of the walking humanoid."""


def world_plan(name: str) -> WorldPlan:
    """How to build the world of that name, or of a Python file of yours that has a `PLAN`."""
    plan: WorldPlan
    if name.endswith(".py"):
        return _plan_in(Path(name))
    if name not in WORLDS:
        raise UnknownNameError("world", name, (*WORLDS, "a file.py of your own"))
    plan = importlib.import_module(WORLDS[name]).PLAN
    return plan


def _plan_in(path: Path) -> WorldPlan:
    from regrasp.worlds.world import WorldPlan  # noqa: PLC0415

    if not path.is_file():
        raise RegraspError(f"there is no world file {path}; there are {', '.join(WORLDS)}.")
    plan = runpy.run_path(str(path)).get("PLAN")
    if not isinstance(plan, WorldPlan):
        raise RegraspError(
            f"{path} has no PLAN that is a regrasp.worlds.world.WorldPlan; see "
            "examples/02_your_own_world.py."
        )
    return plan


def open_world(
    name: str, task: str | None = None, seed: int = 0, *, skin: str = "primitive"
) -> World:
    """Build a world at its seeded start, settled, its start predicates checked."""
    plan = world_plan(name)
    world = plan.open(task, seed, skin=skin)
    world.address = name
    plan.judge(world).check_start()
    return world
