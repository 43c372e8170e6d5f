"""A list of the worlds and their tasks, without compiling a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.registry import WORLDS, world_plan
from regrasp.worlds.world import Task

__all__ = ["ListedTask", "list_tasks"]


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A task of a world, and the names that a reward can use in it."""

    world: str
    task: Task
    things: tuple[str, ...]
    joints: tuple[str, ...]


def list_tasks() -> Iterator[ListedTask]:
    """Every task of every world, in the order of the worlds."""
    for name in WORLDS:
        plan = world_plan(name)
        for task in plan.tasks:
            layout, look = (np.random.default_rng([0, stream]) for stream in (0, 1))
            scene = Scene(layout=layout, look=look, planning=True)
            plan.body(scene)
            plan.build(scene, task.name)
            yield ListedTask(name, task, tuple(scene.things), tuple(scene.joints))
