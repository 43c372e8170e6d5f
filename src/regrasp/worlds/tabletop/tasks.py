"""The two tasks at the table: a block into a fixture, and a stack in a given order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.core.fact import Literal
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.fixture import add_fixture
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.tabletop.vacuum import Vacuum
from regrasp.worlds.world import Setup, Task

__all__ = ["FIXTURE", "PICK_AND_PLACE", "STACK", "TABLE", "TABLE_M", "build"]

PICK_AND_PLACE = Task("pick-and-place", "place the red_block on the fixture", "DoReMi arm task 1")
STACK = Task(
    "stack-in-order",
    "stack the blocks on the fixture in the order red_block, green_block, blue_block",
    "DoReMi arm task 2",
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
    order = [_COLOURS[i] for i in scene.layout.permutation(3)]
    count = 1 if task == PICK_AND_PLACE.name else len(order)
    spots = _spots(scene.layout, 1 + count, _APART_M[task])
    turn = scene.layout.uniform
    place = (*spots[0], _HEIGHT_M)
    if task == PICK_AND_PLACE.name:
        add_fixture(scene, FIXTURE, place, yaw=turn(-0.7, 0.7), half=0.036, height=0.035)
        add_block(
            scene, "red_block", (*spots[1], _HEIGHT_M), yaw=turn(-0.7, 0.7), half=_LARGE,
            colour="red",
        )  # fmt: skip
        return Setup(
            goal=[Literal.of("on", "red_block", FIXTURE)],
            start=[Literal.of("on", "red_block", TABLE), Literal.of("handempty")],
        )
    add_fixture(scene, FIXTURE, place, yaw=turn(-0.7, 0.7))
    for colour, spot in zip(_COLOURS, spots[1:], strict=True):
        add_block(
            scene, f"{colour}_block", (*spot, _HEIGHT_M), yaw=turn(-0.7, 0.7), half=_SMALL,
            colour=colour,
        )  # fmt: skip
    names = [f"{colour}_block" for colour in order]
    return Setup(
        goal=[Literal.of("on", x, y) for x, y in zip(names, [FIXTURE, *names], strict=False)],
        start=[Literal.of("handempty"), *(Literal.of("on", name, TABLE) for name in names)],
        instruction=f"stack the blocks on the fixture in the order {', '.join(names)}",
    )


def _spots(layout: np.random.Generator, count: int, apart: float) -> list[npt.NDArray[np.float64]]:
    """`count` points of the table, drawn until any two are `apart` (m)."""
    while True:
        spots = [layout.uniform(_NEAR, _FAR) for _ in range(count)]
        gaps = [np.linalg.norm(a - b) for i, a in enumerate(spots) for b in spots[:i]]
        if min(gaps) >= apart:
            return spots
