"""The walker's tasks: carry a box from one table to another, and walk through a forest."""

from __future__ import annotations

import numpy as np

from regrasp.control.walking import MEMORY
from regrasp.core.arrays import Array
from regrasp.core.fact import Literal
from regrasp.worlds.disturbance import Disturbance
from regrasp.worlds.kit.box import add_box
from regrasp.worlds.kit.gate import add_gate
from regrasp.worlds.kit.pillar import add_pillar
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.walker_room.grip import Grip
from regrasp.worlds.world import Setup, Task

__all__ = [
    "BOX_COLOURS", "FOREST", "FROM", "GATE", "KNOBS", "MOVE_BOX", "OBSTACLE", "TABLE_M",
    "TABLE_TOP_M", "TO", "build",
]  # fmt: skip

MOVE_BOX = Task(
    "move-box", "move the box from the white_table to the gray_table", "DoReMi humanoid task 1"
)
FOREST = Task("obstacle-forest", "go forward to the gate", "DoReMi humanoid task 2")
KNOBS = {MOVE_BOX.name: "p", FOREST.name: "d"}
"""The disturbance parameters of each task."""
FROM, TO = "white_table", "gray_table"
TABLE_M, TABLE_TOP_M = (0.36, 0.60), 0.42
"""Depth and width of a table, and the height of its top, within reach of a standing walker."""
BOX_COLOURS = ("yellow", "red", "green", "blue", "orange", "purple")
GATE, OBSTACLE = "gate", "obstacle_"
"""The exit of the forest; the prefix of the obstacles' names."""
_FOREST_M, _FOREST_WIDE_M, _GATE_M = (1.5, 10.0), 1.8, 11.0
_TRIES = 20
_GAP_M = 1.1  # between the centres of any two obstacles, so that there is a path between them
_AWAY_M, _ASIDE_RAD = (1.7, 2.0), (0.85, 1.15)  # position of a table, seen from the start


def build(scene: Scene, task: str) -> Setup:
    """Add the objects of a task; the text after the colon of its name sets the obstacle density."""
    scene.spec.nuserdata = MEMORY + len(Grip.SLOTS)
    plain, _, disturbance = task.partition(":")
    if plain == FOREST.name:
        return _forest(scene, Disturbance.parse(disturbance, KNOBS[plain]).d)
    return _room(scene)


def _forest(scene: Scene, density: float) -> Setup:
    """Random pillars between the walker and a gate; `density` is their number per metre.

    A higher density keeps the first pillars. A pillar without a free spot is left out.
    """
    draw, (near, far) = scene.layout, _FOREST_M
    spots: list[Array] = []
    for _ in range(round(density * (far - near))):
        for _ in range(_TRIES):
            spot = draw.uniform([near, -_FOREST_WIDE_M], [far, _FOREST_WIDE_M])
            if all(np.linalg.norm(spot - other) >= _GAP_M for other in spots):
                add_pillar(scene, f"{OBSTACLE}{len(spots)}", (*spot, 0.0))
                spots.append(spot)
                break
    add_gate(scene, GATE, (_GATE_M, 0.0, 0.0))
    return Setup(
        goal=[Literal.of("at", GATE), Literal.of("standing")], start=[Literal.of("standing")]
    )


def _room(scene: Scene) -> Setup:
    """A table to either side of the walker, each facing it, and the box on one of them."""
    draw = scene.layout
    side = draw.choice([-1.0, 1.0])
    at = {}
    for name, sign, paint in ((FROM, side, "white"), (TO, -side, "grey")):
        angle, away = sign * draw.uniform(*_ASIDE_RAD), draw.uniform(*_AWAY_M)
        at[name] = (away * np.cos(angle), away * np.sin(angle), 0.0), angle
        add_table(
            scene, name, at[name][0], yaw=angle, size=TABLE_M, height=TABLE_TOP_M, colour=paint
        )
    colour = str(draw.choice(BOX_COLOURS))
    box = f"{colour}_box"
    (x, y, _), angle = at[FROM]
    along = draw.uniform(-0.10, 0.10)
    spot = (x - along * np.sin(angle), y + along * np.cos(angle), TABLE_TOP_M)
    add_box(scene, box, spot, yaw=angle + draw.uniform(-0.15, 0.15), colour=colour)
    return Setup(
        goal=[Literal.of("on", box, TO)],
        start=[Literal.of("on", box, FROM), Literal.of("visible", box)],
        instruction=f"move the {box} from the {FROM} to the {TO}",
    )
