"""Two rooms with a doorway between them: walls, floors, and furniture in a random order.

All furniture is along the wall at +x and faces -x; a table stands free. Room 1 has tiles and room 2
has boards, so that an image of the floor shows the room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco

from regrasp.worlds.kit.cabinet import add_cabinet
from regrasp.worlds.kit.counter import add_counter
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.oven import add_oven
from regrasp.worlds.kit.refrigerator import add_refrigerator
from regrasp.worlds.kit.scene import Scene, SceneObject
from regrasp.worlds.kit.shelf import add_shelf
from regrasp.worlds.kit.sink import add_sink
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.wall import add_doorway, add_wall

__all__ = ["BOARDS", "COUNTER_M", "DOORWAY", "ROOM_1", "ROOM_2", "Rect", "add_floor", "furnish"]

BOARDS = "boards"
"""The prefix of the names of room 2's floor boards."""
COUNTER_M = 0.82
"""Height of the counters."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on the floor (m)."""

    left: float
    right: float
    near: float
    far: float

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is in it, `margin` from its edges."""
        inside = self.left + margin <= x <= self.right - margin
        return inside and self.near + margin <= y <= self.far - margin


ROOM_1, ROOM_2 = Rect(-1.7, 2.0, -2.5, 2.5), Rect(-1.7, 2.0, -5.2, -2.5)
DOORWAY = (-0.2, -2.5)
_BACK = 1.94  # x of the backs of the furniture
_HEIGHT = 1.5  # m of wall: no higher, or its shadow would darken the rooms
_WALLS = ("white", "yellow", "cyan", "pink", "green")
_WOODS = ("brown", "brown", "white", "grey")
_TOPS = ("green", "blue", "brown", "grey")
_COUNTER = {"size": (0.52, 1.10), "height": COUNTER_M, "edge": 0.0}


def furnish(scene: Scene) -> None:
    """Add walls, floors and furniture; the scene's seed determines their layout."""
    look = scene.look
    colour = str(look.choice(_WALLS))
    low, high, near, far = ROOM_1.left, ROOM_1.right, ROOM_2.near, ROOM_1.far
    add_wall(scene, "wall_east", (high, near), (high, far), height=_HEIGHT + 0.5, colour=colour)
    add_wall(scene, "wall_north", (low, far), (high, far), height=_HEIGHT, colour=colour)
    add_wall(scene, "wall_west", (low, near), (low, far), height=_HEIGHT - 0.5, colour=colour)
    add_wall(scene, "wall_south", (low, near), (high, near), height=_HEIGHT - 0.5, colour=colour)
    add_doorway(
        scene, "wall_between", (low, DOORWAY[1]), (high, DOORWAY[1]), at=DOORWAY[0] - low,
        width=1.1, lintel=_HEIGHT + 0.25, height=_HEIGHT + 0.3, colour=colour,
    )  # fmt: skip
    _add_boards(scene)
    _add_row(scene)
    jitter = scene.layout.uniform
    add_table(
        scene, "table", (-0.75 + jitter(-0.1, 0.1), 1.25 + jitter(-0.2, 0.2), 0.0),
        size=(0.60, 0.90), height=0.56, leg=0.03, colour=str(look.choice(_WOODS)),
    )  # fmt: skip
    add_shelf(
        scene, "bookshelf", (_BACK - 0.32, -3.9 + jitter(-0.4, 0.4), 0.0), width=0.9, height=1.3,
        depth=0.3,
    )  # fmt: skip
    if not scene.planning:
        add_camera(scene.spec, "room", (-2.9, 3.4, 3.1), (0.75, -0.25, 0.35), 46.0)


def add_floor(scene: Scene, name: str, at: tuple[float, float]) -> None:
    """Register a floor as a place to go to and to put objects on, at one of its points."""
    scene.site(scene.spec.worldbody, name, (*at, 0.0))
    scene.add_object(SceneObject(name, "floor", name, place=name))


def _add_row(scene: Scene) -> None:
    """Add furniture along the wall, in random order, with the remaining space as gaps."""
    order = [str(name) for name in scene.layout.permutation(list(_ROW))]
    gaps = scene.layout.dirichlet([3.0] * (len(order) + 1))
    room = ROOM_1.far - ROOM_1.near - 0.2 - sum(width for width, *_ in _ROW.values())
    at = ROOM_1.near + 0.1
    for name, gap in zip(order, gaps, strict=False):
        width, front, add, sizes, colours = _ROW[name]
        at += gap * room + width / 2
        colour = str(scene.look.choice(colours))
        add(scene, name, (_BACK - front, at, 0.0), colour=colour, **sizes)
        at += width / 2


def _add_microwave(scene: Scene, name: str, at: tuple[float, float, float], *, colour: str) -> None:
    """Add a stand of that colour with the microwave on it."""
    add_counter(
        scene, f"{name}_stand", at, size=(0.50, 0.60), height=COUNTER_M, edge=0.0, colour=colour
    )
    add_microwave(
        scene, name, (_BACK - 0.44, at[1], COUNTER_M), width=0.54, height=0.34, depth=0.38,
        lamp=True, colour=str(scene.look.choice(["grey", "white", "red"])),
    )  # fmt: skip


def _add_cabinet(scene: Scene, name: str, at: tuple[float, float, float], *, colour: str) -> None:
    """Add the cabinet, with a strip behind the gap between its doors that hides the inside."""
    width, height = 0.60, 0.50
    add_cabinet(scene, name, at, width=width, height=height, depth=0.40, base=0.70, colour=colour)
    scene.shape(
        scene.spec.body(f"{name}_left_door"), "box", (0.003, 0.016, height / 2 - 0.012),
        (0.012, -(width / 2 - 0.006), 0.0), rgba=scene.colour_of(colour),
    )  # fmt: skip


_ROW: dict[str, tuple[float, float, Callable[..., None], dict[str, object], tuple[str, ...]]] = {
    "refrigerator": (0.66, 0.56, add_refrigerator, {}, ("white", "grey", "cyan")),
    "oven": (0.60, 0.50, add_oven, {}, ("grey", "white", "black")),
    "countertop": (1.10, 0.52, add_counter, _COUNTER, _TOPS),
    "sink": (0.60, 0.50, add_sink, {"height": COUNTER_M}, ("white", "brown")),
    "microwave": (0.60, 0.50, _add_microwave, {}, _WOODS),
    "cabinet": (0.60, 0.42, _add_cabinet, {}, _WOODS),
}
"""Width, distance of the front from `_BACK` (m), builder, sizes and colours of each unit."""


def _add_boards(scene: Scene) -> None:
    """Add room 2's floor of wooden boards: visual only, on top of the tiles."""
    count = 9
    wide = (ROOM_2.far - ROOM_2.near) / count
    middle = (ROOM_2.left + ROOM_2.right) / 2
    for k in range(count):
        scene.spec.worldbody.add_geom(
            name=f"{BOARDS}_{k}", type=mujoco.mjtGeom.mjGEOM_BOX, contype=0, conaffinity=0,
            pos=[middle, ROOM_2.near + (k + 0.5) * wide, 0.0006],
            size=[(ROOM_2.right - ROOM_2.left) / 2, 0.48 * wide, 0.0006],
            rgba=list(scene.colour_of("brown", 1.3 if k % 2 else 1.2)),
        )  # fmt: skip
