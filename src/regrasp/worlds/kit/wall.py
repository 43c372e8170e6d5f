"""Walls of a room, with a skirting board; a doorway is a wall with a gap and a lintel."""

from __future__ import annotations

import math

from regrasp.worlds.kit.scene import FIXED, Scene

__all__ = ["add_doorway", "add_wall"]

_THICK = 0.05  # m, half
_PALE = 1.75
_WOOD = (0.55, 0.38, 0.22, 1.0)

Point = tuple[float, float]


def add_wall(
    scene: Scene,
    name: str,
    start: Point,
    end: Point,
    *,
    height: float = 2.2,
    base: float = 0.0,
    colour: str = "white",
) -> None:
    """Add a wall from `start` to `end` (m), from `base` up to `height`."""
    along = math.dist(start, end) / 2
    turn = math.atan2(end[1] - start[1], end[0] - start[0])
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, 0.0)
    body = scene.body(name, middle, yaw=turn)
    scene.shape(
        body, "box", (along, _THICK, (height - base) / 2), (0, 0, (height + base) / 2),
        rgba=scene.colour_of(colour, _PALE), collide=FIXED,
    )  # fmt: skip
    if base == 0.0:
        scene.shape(body, "box", (along, _THICK + 0.008, 0.05), (0, 0, 0.05), rgba=_WOOD)


def add_doorway(
    scene: Scene,
    name: str,
    start: Point,
    end: Point,
    *,
    at: float,
    width: float = 1.0,
    lintel: float = 1.95,
    height: float = 2.2,
    colour: str = "white",
) -> None:
    """Add a wall from `start` to `end` with a doorway whose middle is `at` metres from `start`."""
    length = math.dist(start, end)
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def point(far: float) -> Point:
        return start[0] + far * ahead[0], start[1] + far * ahead[1]

    left, right = point(at - width / 2), point(at + width / 2)
    add_wall(scene, f"{name}_1", start, left, height=height, colour=colour)
    add_wall(scene, f"{name}_2", right, end, height=height, colour=colour)
    add_wall(scene, f"{name}_lintel", left, right, height=height, base=lintel, colour=colour)
    for side, where in (("left", left), ("right", right)):
        post = scene.body(f"{name}_{side}_post", (*where, 0.0))
        scene.shape(post, "box", (0.035, 0.07, lintel / 2), (0, 0, lintel / 2), rgba=_WOOD)
