"""An open shelf: boards between two sides and a back."""

from __future__ import annotations

from regrasp.core.errors import RegraspError
from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_shelf", "board_name"]

_WALL = 0.009


def board_name(shelf: str, number: int) -> str:
    """The name of a shelf's board, counted from 1 at the bottom."""
    return f"{shelf}_board_{number}"


def add_shelf(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.50,
    height: float = 0.56,
    depth: float = 0.22,
    boards: int = 3,
    friction: float = 0.8,
    colour: str = "brown",
) -> None:
    """Add a shelf whose open front stands at `pos` and faces -x before it is turned by `yaw`.

    It has `boards` boards at even heights, the lowest near the ground, each a place to put things,
    and a cover on top.
    """
    if boards < 1:
        raise RegraspError(f"the shelf {name!r} has {boards} boards; it needs at least one.")
    half, wall = width / 2, _WALL
    rgba, inside = scene.colour_of(colour, 1.15), scene.colour_of(colour, 1.4)
    body = scene.body(name, pos, yaw=yaw)
    for size, at, paint in (
        ((wall, half, height / 2), (depth - wall, 0, height / 2), inside),
        ((depth / 2, wall, height / 2), (depth / 2, half - wall, height / 2), rgba),
        ((depth / 2, wall, height / 2), (depth / 2, wall - half, height / 2), rgba),
        ((depth / 2, half, wall), (depth / 2, 0, height - wall), rgba),
    ):
        scene.shape(body, "box", size, at, rgba=paint, friction=friction, collide=FIXED)
    low = 0.04
    pitch = (height - low) / boards
    for number in range(1, boards + 1):
        board, z = board_name(name, number), low + (number - 1) * pitch
        scene.shape(
            body, "box", (depth / 2 - 0.004, half - wall, wall), (depth / 2 + 0.004, 0, z - wall),
            rgba=rgba, friction=friction, collide=FIXED,
        )  # fmt: skip
        room = (pitch - 2 * wall) / 2
        scene.site(body, board, (depth / 2, 0, z))
        scene.add_object(SceneObject(board, "place", board, place=board, of=name))
        scene.tops[board] = Region(
            name, (depth / 2, 0, z + room), (depth / 2, half - 2 * wall, room)
        )
    scene.site(body, name, (0, 0, height / 2))
    scene.add_object(SceneObject(name, "shelf", name, place=board_name(name, 1)))
