"""The apartment: three rooms in a ring, 8.0 x 7.5 m, furniture along the walls in a seeded order.

Every room has two doorways, so that a blocked one leaves a detour:

    y 7.5 ┌───────────────┬──────[door]┐
          │               │    hall    │
          │  living room  ╪            │
          │               ├─────╪──────┤ y 3.6
          │               ╪   study    │
    y 0   └───────────────┴────────────┘
          x 0            4.8           8
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import mujoco

from regrasp.worlds.household.rooms import Rect
from regrasp.worlds.kit.drawer import add_drawer
from regrasp.worlds.kit.front_door import add_front_door
from regrasp.worlds.kit.garment import add_coat_stand
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.person import add_person
from regrasp.worlds.kit.scene import Region, Scene
from regrasp.worlds.kit.shelf import add_shelf
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.wall import add_doorway, add_wall

__all__ = ["ROOMS", "Spot", "furnish"]

ROOMS = {
    "living_room": Rect(0.0, 4.8, 0.0, 7.5),
    "hall": Rect(4.8, 8.0, 3.6, 7.5),
    "study": Rect(4.8, 8.0, 0.0, 3.6),
}
_WIDE, _DEEP, _SPLIT_X, _SPLIT_Y = 8.0, 7.5, 4.8, 3.6
_HEIGHT, _DOORWAY_M, _LINTEL = 2.3, 1.25, 2.05
_WALLS = ("white", "yellow", "cyan", "pink", "green")
TABLE_M, _LOW_TABLE_M = 0.72, 0.45


@dataclass(frozen=True, slots=True)
class Spot:
    """A place along a wall: its middle at the wall (m), and the yaw of furniture that faces away.

    Furniture is built to face -x: its back is at the wall where yaw 0 has the wall at +x.
    """

    x: float
    y: float
    yaw: float

    def ahead(self, far: float, aside: float = 0.0) -> tuple[float, float, float]:
        """The floor point `far` m in front of the wall and `aside` m to the side."""
        cos, sin = math.cos(self.yaw), math.sin(self.yaw)
        return self.x - far * cos - aside * sin, self.y - far * sin + aside * cos, 0.0


_EAST, _NORTH, _WEST, _SOUTH = 0.0, math.pi / 2, math.pi, -math.pi / 2
_SPOTS = (
    Spot(0.05, 1.30, _WEST), Spot(0.05, 3.75, _WEST), Spot(0.05, 6.20, _WEST),
    Spot(2.60, 7.45, _NORTH), Spot(2.60, 0.05, _SOUTH), Spot(4.75, 3.60, _EAST),
    Spot(7.95, 5.40, _EAST), Spot(7.95, 1.80, _EAST), Spot(6.40, 0.05, _SOUTH),
)  # fmt: skip
"""Where furniture, the bucket and the person are, in an order that the seed draws."""


def furnish(scene: Scene) -> dict[str, Spot]:
    """Add walls, floors and furniture; returns the spot of each, the person and the bucket."""
    _add_walls(scene)
    names = [*_FURNITURE, "blue_bucket", "person"]
    order = scene.layout.permutation(len(_SPOTS))
    slide = scene.layout.uniform(-0.2, 0.2, len(_SPOTS))
    spots = {}
    for name, k, aside in zip(names, order, slide, strict=False):
        x, y, _ = _SPOTS[k].ahead(0.0, float(aside))
        spots[name] = Spot(x, y, _SPOTS[k].yaw)
        if name in _FURNITURE:
            _FURNITURE[name](scene, name, spots[name])
    spots["door"] = Spot(6.4 + float(scene.layout.uniform(-0.3, 0.3)), 7.44, _NORTH)
    add_front_door(scene, "door", spots["door"].ahead(0.0), yaw=_NORTH)
    _add_person(scene, spots["person"])
    if not scene.planning:
        add_camera(scene.spec, "room", (4.0, 3.7, 12.5), (4.0, 3.75, 0.0), 42.0, up=(0, 1, 0))
    return spots


def _add_walls(scene: Scene) -> None:
    colour = str(scene.look.choice(_WALLS))
    for name, start, end in (
        ("wall_south", (0.0, 0.0), (_WIDE, 0.0)),
        ("wall_north", (0.0, _DEEP), (_WIDE, _DEEP)),
        ("wall_west", (0.0, 0.0), (0.0, _DEEP)),
        ("wall_east", (_WIDE, 0.0), (_WIDE, _DEEP)),
    ):
        add_wall(scene, name, start, end, height=_HEIGHT, colour=colour)
    for name, start, end, at in (
        ("wall_hall", (_SPLIT_X, _SPLIT_Y), (_SPLIT_X, _DEEP), 5.75 - _SPLIT_Y),
        ("wall_study", (_SPLIT_X, 0.0), (_SPLIT_X, _SPLIT_Y), 1.50),
        ("wall_middle", (_SPLIT_X, _SPLIT_Y), (_WIDE, _SPLIT_Y), 1.55),
    ):
        add_doorway(
            scene, name, start, end, at=at, width=_DOORWAY_M, lintel=_LINTEL, height=_HEIGHT,
            colour=colour,
        )  # fmt: skip
    if not scene.planning:
        _add_carpet(
            scene, "study_carpet", ROOMS["study"], str(scene.look.choice(["grey", "brown"]))
        )


def _add_carpet(scene: Scene, name: str, room: Rect, colour: str) -> None:
    """Add a thin floor of another colour, visual only."""
    scene.spec.worldbody.add_geom(
        name=name, type=mujoco.mjtGeom.mjGEOM_BOX, contype=0, conaffinity=0,
        pos=[(room.left + room.right) / 2, (room.near + room.far) / 2, 0.0006],
        size=[(room.right - room.left) / 2, (room.far - room.near) / 2, 0.0006],
        rgba=list(scene.colour_of(colour, 1.4)),
    )  # fmt: skip


def _add_person(scene: Scene, spot: Spot) -> None:
    shirt = str(scene.look.choice(["green", "orange", "purple", "pink"]))
    add_person(scene, "person", spot.ahead(0.35), yaw=spot.yaw, shirt=shirt)


# ---- furniture ---------------------------------------------------------------------------------


def _table(colour: str, height: float) -> Callable[[Scene, str, Spot], None]:
    def add(scene: Scene, name: str, spot: Spot) -> None:
        add_table(
            scene, name, spot.ahead(0.32), yaw=spot.yaw, size=(0.55, 1.00), height=height,
            leg=0.025, colour=colour, shade=1.02 if colour == "black" else 1.25,
        )  # fmt: skip

    return add


def _hanger(scene: Scene, name: str, spot: Spot) -> None:
    add_coat_stand(scene, name, spot.ahead(0.35), yaw=spot.yaw)


def _chest(scene: Scene, name: str, spot: Spot) -> None:
    add_drawer(
        scene, name, spot.ahead(0.52), yaw=spot.yaw, width=0.55, height=0.20, depth=0.48, base=0.52,
        friction=2.0, handle_friction=1.2, colour="white",
    )  # fmt: skip


def _bookshelf(scene: Scene, name: str, spot: Spot) -> None:
    width, height, depth = 0.80, 1.35, 0.30
    add_shelf(
        scene, name, spot.ahead(depth + 0.02), yaw=spot.yaw, width=width, height=height,
        depth=depth, colour="brown",
    )  # fmt: skip
    scene.tops[name] = Region(name, (depth / 2, 0, height / 2), (depth / 2, width / 2, height / 2))


_FURNITURE: dict[str, Callable[[Scene, str, Spot], None]] = {
    "wooden_table": _table("brown", TABLE_M),
    "black_table": _table("black", TABLE_M),
    "white_table": _table("white", _LOW_TABLE_M),
    "cloth_hanger": _hanger,
    "drawer": _chest,
    "bookshelf": _bookshelf,
}
