"""A refrigerator: a tall door over a cold compartment with one shelf; the freezer is a block."""

from __future__ import annotations

from regrasp.worlds.kit.cabinet import DOOR_OPEN, add_bar_handle
from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_refrigerator"]

_WALL = 0.02
_INSIDE = (0.96, 0.98, 1.0, 1.0)
_GLASS = (0.72, 0.86, 0.90, 1.0)


def add_refrigerator(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.66,
    height: float = 1.56,
    depth: float = 0.56,
    sill: float = 0.72,
    door_mass: float = 3.0,
    door_friction: float = 1.0,
    colour: str = "white",
    hinge: float = 1.0,
    shelf_gap: float = 0.10,
) -> None:
    """Add a refrigerator whose front stands at `pos` and faces -x before it is turned by `yaw`.

    Below `sill` it is a solid freezer; above is the compartment, its floor at `sill`, a glass shelf
    half-way up that begins `shelf_gap` behind the front, and the door `NAME_door`, hinged on the
    left, with `NAME_handle` on the right. With a `hinge` of -1 it is hinged on the right.
    """
    half, wall, door, handle = width / 2, _WALL, f"{name}_door", f"{name}_handle"
    rgba, room = scene.colour_of(colour), height - sill
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (depth / 2, half, sill / 2), (depth / 2, 0, sill / 2), rgba=rgba, collide=FIXED
    )
    for z in (0.06, sill - 0.05):  # the freezer's seams, visual only
        scene.shape(
            body, "box", (0.004, half - 0.01, 0.004), (-0.002, 0, z), rgba=(0.3, 0.3, 0.32, 1)
        )
    for size, at, paint in (
        ((wall, half, room / 2), (depth - wall, 0, sill + room / 2), _INSIDE),
        ((depth / 2, half, wall / 2), (depth / 2, 0, sill + wall / 2), _INSIDE),
        ((depth / 2, half, wall), (depth / 2, 0, height - wall), rgba),
        ((depth / 2, wall, room / 2), (depth / 2, half - wall, sill + room / 2), rgba),
        ((depth / 2, wall, room / 2), (depth / 2, wall - half, sill + room / 2), rgba),
    ):
        scene.shape(body, "box", size, at, rgba=paint, collide=FIXED)
    for side in (-1, 1):  # the white of the inner walls, visual only
        scene.shape(
            body, "box", (depth / 2 - 0.02, 0.002, room / 2 - 2 * wall),
            (depth / 2, side * (half - 2 * wall), sill + room / 2), rgba=_INSIDE,
        )  # fmt: skip
    deep = (depth - 0.02 - shelf_gap) / 2
    scene.shape(
        body, "box", (deep, half - 2 * wall, 0.006), (shelf_gap + deep, 0, sill + 0.52 * room),
        rgba=_GLASS, collide=FIXED,
    )  # fmt: skip

    panel = scene.body(door, (-0.025, hinge * half, sill + room / 2), parent=body)
    scene.hinge_or_slide(
        panel,
        door,
        kind="hinge",
        axis=(0, 0, -hinge),
        reach=1.7,
        damping=0.5,
        friction=door_friction,
    )
    scene.shape(
        panel, "box", (0.022, half - 0.003, room / 2 - 0.004), (0, -hinge * half, 0), rgba=rgba,
        mass=door_mass, collide=FIXED,
    )  # fmt: skip
    for z in (-0.28 * room, 0.05 * room):  # the shelves of the door
        scene.shape(panel, "box", (0.03, half - 0.06, 0.025), (0.05, -hinge * half, z), rgba=_GLASS)
    grip = (-0.07, -hinge * (width - 0.06), -0.1 * room)
    add_bar_handle(scene, panel, grip, (0, 0, 0.16))
    scene.add_handle(panel, handle, grip, (0, 1, 0), joint=door, opens=DOOR_OPEN, of=name)
    scene.site(body, name, (0.0, 0.0, sill + 0.3 * room))
    scene.site(body, f"{name}_inside", (0.26, 0.0, sill + wall))
    scene.add_object(SceneObject(name, "refrigerator", name, place=f"{name}_inside"))
    scene.insides[name] = Region(
        name, (depth / 2, 0.0, sill + room / 2), (depth / 2, half - 2 * wall, room / 2)
    )
