"""A stepped shelf for bottles: two boards, the rear one higher, open to the front and above."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["ROW_DEPTH_M", "add_rack", "board_height"]

ROW_DEPTH_M = 0.10
"""Depth of a board; the boards stand one behind the other."""
_BOARD = 0.02


def board_height(row: int, rise: float = 0.24) -> float:
    """The height of a row's top above the ground of the shelf; row 0 is the front one."""
    return _BOARD + row * rise


def add_rack(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.92,
    rows: int = 2,
    rise: float = 0.24,
    friction: float = 0.9,
    colour: str = "brown",
) -> None:
    """Add a shelf whose front edge is centred at `pos` and faces -x before it is turned by `yaw`.

    Each of its `rows` is `rise` m higher than the one before it. All are one place, called `name`.
    """
    half, deep = width / 2, ROW_DEPTH_M / 2
    rgba, dark = scene.colour_of(colour, 1.25), scene.colour_of(colour, 0.9)
    body = scene.body(name, pos, yaw=yaw)
    for row in range(rows):
        x, top = deep + row * ROW_DEPTH_M, board_height(row, rise)
        scene.shape(
            body, "box", (deep, half, _BOARD / 2), (x, 0, top - _BOARD / 2), rgba=rgba,
            friction=friction, collide=FIXED,
        )  # fmt: skip
        for y in (-half + 0.012, 0.0, half - 0.012) if row else ():  # posts
            scene.shape(
                body, "box", (0.012, 0.012, top / 2 - _BOARD / 2),
                (x + deep - 0.012, y, top / 2 - _BOARD / 2), rgba=dark, collide=FIXED,
            )  # fmt: skip
    last = board_height(rows - 1, rise)
    scene.site(body, name, (deep, 0, board_height(0, rise)))
    scene.add_object(SceneObject(name, "shelf", name, place=name))
    room = (last + 0.25) / 2
    scene.tops[name] = Region(name, (rows * deep, 0, room), (rows * deep, half, room))
