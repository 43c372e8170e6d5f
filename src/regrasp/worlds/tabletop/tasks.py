"""The two tasks at the table: a block into a fixture, and a stack in a given order."""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.fact import Literal
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.fixture import add_fixture
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.tabletop.vacuum import Vacuum
from regrasp.worlds.world import Setup, Task

__all__ = ["FIXTURE", "PICK_AND_PLACE", "STACK", "TABLE", "TABLE_M", "build"]

PICK_AND_PLACE = Task("pick-and-place", "place the red_block on the fixture", "DoReMi arm task 1")
_STACK_IN_ORDER = "stack the blocks on the fixture in the order"
STACK = Task(
    "stack-in-order", f"{_STACK_IN_ORDER} red_block, green_block, blue_block", "DoReMi arm task 2"
)
TABLE, FIXTURE = "table", "fixture"
TABLE_M = (0.50, 1.00)
"""Depth and width of the table; its near edge is 25 cm before the arm's base."""
_HEIGHT_M, _MIDDLE = 0.06, (0.50, 0.0)
_LARGE, _SMALL = (0.04, 0.03), (0.02, 0.02)  # half (width, height) of the blocks, m
_COLOURS = ("red", "green", "blue")
_NEAR, _FAR = np.array([0.37, -0.28]), np.array([0.62, 0.28])  # where things stand
_APART_M = {PICK_AND_PLACE.name: 0.35, STACK.name: 0.13}


def build(scene: Scene, task: str) -> Setup:
    """The table, the fixture, and the blocks of a task around it.

    The disturbance after the colon of its name changes no object.
    """
    scene.spec.nuserdata = len(Vacuum.SLOTS)
    task = task.partition(":")[0]
    add_table(
        scene, TABLE, (*_MIDDLE, 0.0), size=TABLE_M, height=_HEIGHT_M, leg=0.019, colour="black"
    )
    order = [f"{_COLOURS[i]}_block" for i in scene.layout.permutation(3)]
    single = task == PICK_AND_PLACE.name
    colours, half = (("red",), _LARGE) if single else (_COLOURS, _SMALL)
    spots = _spots(scene.layout, 1 + len(colours), _APART_M[task])
    turn = scene.layout.uniform
    wide, high = (0.036, 0.035) if single else (0.06, 0.008)
    at = (*spots[0], _HEIGHT_M)
    add_fixture(scene, FIXTURE, at, yaw=turn(-0.7, 0.7), half=wide, height=high)
    for colour, spot in zip(colours, spots[1:], strict=True):
        add_block(
            scene, f"{colour}_block", (*spot, _HEIGHT_M), yaw=turn(-0.7, 0.7), half=half,
            colour=colour,
        )  # fmt: skip
    names = ["red_block"] if single else order
    return Setup(
        goal=[Literal.of("on", x, y) for x, y in zip(names, [FIXTURE, *names], strict=False)],
        start=[Literal.of("handempty"), *(Literal.of("on", name, TABLE) for name in names)],
        instruction="" if single else f"{_STACK_IN_ORDER} {', '.join(names)}",
    )


def _spots(layout: np.random.Generator, count: int, apart: float) -> list[Array]:
    """`count` points of the table, drawn until any two are `apart` (m)."""
    while True:
        spots = [layout.uniform(_NEAR, _FAR) for _ in range(count)]
        gaps = [np.linalg.norm(a - b) for i, a in enumerate(spots) for b in spots[:i]]
        if min(gaps) >= apart:
            return spots
