"""The room of the walker: two tables, and a box to be carried from one to the other."""

from __future__ import annotations

import numpy as np

from regrasp.control.walking import MEMORY
from regrasp.worlds.kit.box import add_box
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.walker_room.grip import SLOTS
from regrasp.worlds.world import Setup, Task

__all__ = ["BOX_COLOURS", "FROM", "MOVE_BOX", "TABLE_M", "TABLE_TOP_M", "TO", "build"]

MOVE_BOX = Task(
    "move-box", "move the box from the white_table to the gray_table", "DoReMi humanoid task 1"
)
FROM, TO = "white_table", "gray_table"
TABLE_M, TABLE_TOP_M = (0.36, 0.60), 0.42
"""Depth and width of a table, and the height of its top: what a walker reaches over standing."""
BOX_COLOURS = ("yellow", "red", "green", "blue", "orange", "purple")
_AWAY_M, _ASIDE_RAD = (1.7, 2.0), (0.85, 1.15)  # where a table stands, as seen from the start


def build(scene: Scene, task: str) -> Setup:
    """A table to either side of the walker, each facing it, and the box on one of them."""
    scene.spec.nuserdata = MEMORY + len(SLOTS)
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
        goal=[("on", box, TO)],
        start=[("on", box, FROM)],
        instruction=f"move the {box} from the {FROM} to the {TO}",
    )
