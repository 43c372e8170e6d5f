"""Worlds: seeded MuJoCo scenes with tasks, each from one file over the kit."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from regrasp.core.errors import UnknownNameError

if TYPE_CHECKING:
    from regrasp.worlds.world import World, WorldPlan

__all__ = ["WORLDS", "open_world", "world_plan"]

WORLDS = ("cabinet", "kitchen", "lever", "cubes", "sensor")


def world_plan(name: str) -> WorldPlan:
    """How to build the world of that name."""
    if name not in WORLDS:
        raise UnknownNameError("world", name, WORLDS)
    plan: WorldPlan = importlib.import_module(f"regrasp.worlds.{name}").PLAN
    return plan


def open_world(
    name: str, task: str | None = None, seed: int = 0, *, skin: str = "primitive"
) -> World:
    """Build a world at its seeded start, settled, its start predicates checked."""
    from regrasp.worlds.judge import WorldJudge  # noqa: PLC0415
    from regrasp.worlds.world import World  # noqa: PLC0415

    world = World(world_plan(name), task, seed, skin=skin)
    WorldJudge(world).check_start()
    return world
