"""An oven at the height of the hands: a door that folds down, a window in it, a lamp above."""

from __future__ import annotations

from regrasp.worlds.kit.push_switch import add_push_switch
from regrasp.worlds.kit.scene import FIXED, MOVABLE, Region, Scene, SceneObject, Vector

__all__ = ["add_oven"]

_WALL = 0.02
_FOLDED, _STAY = 1.45, 1.31  # rad that count as fully open; where a stay holds a falling door
_ENAMEL, _WINDOW, _METAL = (0.23, 0.22, 0.24, 1.0), (0.05, 0.05, 0.06, 1.0), (0.7, 0.7, 0.72, 1.0)
_LAMP = (0.25, 0.10, 0.08, 1.0)


def add_oven(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.60,
    height: float = 1.20,
    depth: float = 0.50,
    sill: float = 0.68,
    door_mass: float = 2.0,
    door_friction: float = 1.0,
    colour: str = "grey",
    switch: bool = False,
    balanced: bool = True,
) -> None:
    """Add an oven whose front stands at `pos` and faces -x before it is turned by `yaw`.

    Its door `NAME_door` is hinged at `sill`, the floor of the oven, and folds down towards -x.
    Geoms that change colour as it runs: `NAME_lamp` on the panel, `NAME_window` in the door, and
    the enamel `NAME_back`, `NAME_floor`, `NAME_left`, `NAME_right`. With a `switch` it has a push
    button on its panel, and the lamp is the ring around it. A door that is not `balanced` by
    springs falls open once it is pulled a third of the way, and stops at 75 degrees.
    """
    half, wall, door, handle = width / 2, _WALL, f"{name}_door", f"{name}_handle"
    panel_height, rgba = 0.14, scene.colour_of(colour, 0.75)
    room = height - sill - panel_height
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (depth / 2, half, sill / 2 - wall), (depth / 2, 0, sill / 2 - wall), rgba=rgba,
        collide=FIXED,
    )  # fmt: skip
    scene.shape(
        body, "box", (0.004, half - 0.03, 0.17), (-0.003, 0, 0.3),
        rgba=(*(0.85 * c for c in rgba[:3]), 1.0),
    )  # fmt: skip
    top = sill + room
    for part, size, at in (
        ("back", (wall, half, room / 2), (depth - wall, 0, sill + room / 2)),
        ("floor", (depth / 2, half, wall), (depth / 2, 0, sill - wall)),
        ("left", (depth / 2, wall, room / 2), (depth / 2, half - wall, sill + room / 2)),
        ("right", (depth / 2, wall, room / 2), (depth / 2, wall - half, sill + room / 2)),
    ):
        scene.shape(body, "box", size, at, rgba=_ENAMEL, collide=FIXED, name=f"{name}_{part}")
    scene.shape(
        body, "box", (depth / 2, half, panel_height / 2), (depth / 2, 0, top + panel_height / 2),
        rgba=rgba, collide=FIXED,
    )  # fmt: skip
    middle = top + panel_height / 2
    for y in () if switch else (-0.22, -0.12, 0.12, 0.22):  # knobs, and the lamp between them
        scene.shape(
            body, "cylinder", (0.024, 0.012), (-0.012, y, middle),
            quat=(0.70710678, 0, 0.70710678, 0), rgba=_METAL,
        )  # fmt: skip
    if switch:
        add_push_switch(scene, body, name, (-0.002, 0, middle), (-1, 0, 0))
    else:
        scene.shape(
            body, "box", (0.008, 0.055, 0.03), (-0.006, 0, middle), rgba=_LAMP, name=f"{name}_lamp"
        )

    leaf = scene.body(door, (-0.016, 0.0, sill), parent=body)
    leaf.gravcomp = 1.0 if balanced else 0.0
    scene.hinge_or_slide(
        leaf, door, kind="hinge", axis=(0, -1, 0), reach=1.5 if balanced else _STAY, damping=0.5,
        friction=door_friction,
    )  # fmt: skip
    scene.shape(
        leaf, "box", (0.014, half - 0.003, room / 2 - 0.003), (0, 0, room / 2), rgba=rgba,
        mass=door_mass, collide=FIXED,
    )  # fmt: skip
    scene.shape(
        leaf, "box", (0.003, half - 0.09, room / 2 - 0.08), (-0.013, 0, room / 2 - 0.02),
        rgba=_WINDOW, name=f"{name}_window",
    )  # fmt: skip
    x, z = -0.06, room - 0.045
    scene.shape(
        leaf, "capsule", (0.010,), fromto=(x, -0.2, z, x, 0.2, z), rgba=_METAL, mass=0.05,
        collide=MOVABLE,
    )  # fmt: skip
    for y in (-0.2, 0.2):
        scene.shape(leaf, "capsule", (0.008,), fromto=(x, y, z, 0, y, z), rgba=_METAL)
    scene.add_handle(leaf, handle, (x, 0.0, z), (0, 0, 1), joint=door, opens=_FOLDED, of=name)
    scene.site(body, name, (0.0, 0.0, sill + room / 2))
    scene.site(body, f"{name}_inside", (0.2, 0.0, sill))
    scene.add_object(SceneObject(name, "oven", name, place=f"{name}_inside"))
    scene.insides[name] = Region(
        name, (depth / 2, 0.0, sill + room / 2), (depth / 2, half - 2 * wall, room / 2)
    )
