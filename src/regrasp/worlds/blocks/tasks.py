"""The tasks of the blocks world: `stack`, `stack:12` for twelve blocks, or a problem's file.

`stack:blocks=12` is the same as `stack:12`; `scene:NAME` is a published scene
(`problems.published_problem`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.worlds.appearances import block_paints
from regrasp.worlds.blocks.problems import (
    TABLE,
    BlocksProblem,
    draw_problem,
    published_problem,
    read_blocks_problem,
)
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.world import Setup, Task, WorldPlan

__all__ = ["DEFAULT_BLOCKS", "HALF_M", "TASKS", "BlocksPlan", "build"]

DEFAULT_BLOCKS = 4
HALF_M = (0.025, 0.015)
"""Half the (width, height) of a block."""
_STACK, _SCENE, _COUNT = "stack", "scene:", "blocks="
TASKS = (Task(_STACK, "put b1 on b2 and b2 on b3", "CoPAL blocks world"),)
_SLOTS = tuple(
    (x, y) for x in (0.30, 0.42, 0.54) for y in (-0.45, -0.30, -0.15, 0.0, 0.15, 0.30, 0.45)
)
_FOR_BOTH = tuple((x, y) for x, y in _SLOTS if abs(y) < 0.2 or (abs(y) < 0.4 and x < 0.5))
"""Slots within reach of both hands: towers stand there while there are enough."""
_TURN_RAD, _JITTER_M = 0.15, 0.008
_FORMS = (".pddl", ".json")


@dataclass(frozen=True, slots=True)
class BlocksPlan(WorldPlan):
    """A plan whose tasks are also numbers of blocks, and files of problems."""

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`; numbers, files and published scenes are tasks too."""
        given = name or _STACK
        if _is_file(given) or given.startswith(_SCENE):
            return replace(self.tasks[0], name=given)
        plain, colon, count = given.partition(":")
        task = super(BlocksPlan, self).task(plain)
        if colon and not count.removeprefix(_COUNT).isdigit():
            raise RegraspError(f"{given!r}: write the number of blocks after the colon: stack:12.")
        return replace(task, name=given)


def build(scene: Scene, task: str) -> Setup:
    """The table and the towers of a task, at slots that the seed draws."""
    problem = _problem(scene, task)
    add_table(scene, TABLE, (0.50, 0.0, 0.0), size=(0.60, 1.40), height=TABLE_M, colour="grey")
    slots = _FOR_BOTH if len(problem.towers) <= len(_FOR_BOTH) else _SLOTS
    chosen = scene.layout.permutation(len(slots))[: len(problem.towers)]
    paints = block_paints(problem.blocks)
    for tower, slot in zip(problem.towers, chosen, strict=True):
        x, y = slots[int(slot)] + scene.layout.uniform(-_JITTER_M, _JITTER_M, 2)
        turn = float(scene.layout.uniform(-_TURN_RAD, _TURN_RAD))
        for level, block in enumerate(tower):
            at = (float(x), float(y), TABLE_M + 2 * level * HALF_M[1])
            paint = paints[block]
            add_block(
                scene, block, at, yaw=turn, half=HALF_M, colour=paint.colour, cross=paint.cross,
                fixed=True,
            )  # fmt: skip
    return Setup(
        [Literal.of("on", x, y) for x, y in problem.goal],
        [Literal.of("on", x, y) for x, y in problem.start],
        f"put {' and '.join(f'{x} on {_said(y)}' for x, y in problem.goal)}",
    )


def _problem(scene: Scene, task: str) -> BlocksProblem:
    if _is_file(task):
        return read_blocks_problem(task)
    if task.startswith(_SCENE):
        return published_problem(task.removeprefix(_SCENE))
    count = task.partition(":")[2].removeprefix(_COUNT)
    return draw_problem(scene.layout, int(count) if count else DEFAULT_BLOCKS)


def _is_file(task: str) -> bool:
    return task.partition("#")[0].endswith(_FORMS)


def _said(place: str) -> str:
    return f"the {place}" if place == TABLE else place
