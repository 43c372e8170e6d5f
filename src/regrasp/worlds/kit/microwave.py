"""A microwave with a door hinged on its left and a bar handle on its right."""

from __future__ import annotations

from regrasp.worlds.kit.cabinet import DOOR_OPEN, add_bar_handle
from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_microwave"]

_WALL = 0.01
_LAMP = (0.25, 0.10, 0.08, 1.0)


def add_microwave(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.40,
    height: float = 0.26,
    depth: float = 0.26,
    door_mass: float = 0.8,
    door_friction: float = 0.3,
    colour: str = "grey",
    lamp: bool = False,
) -> None:
    """Add a microwave whose front stands at `pos` and faces -x before it is turned by `yaw`.

    With a `lamp` it has a clock and a lamp in its door. These geoms change colour as it runs:
    `NAME_lamp`, the window `NAME_window`, and the walls `NAME_back`, `NAME_floor`, `NAME_left` and
    `NAME_right`.
    """
    rgba = scene.colour_of(colour, 0.55)
    half, wall, door, handle = width / 2, _WALL, f"{name}_door", f"{name}_handle"
    body = scene.body(name, pos, yaw=yaw)
    for part, size, at in (
        ("back", (wall, half, height / 2), (depth, 0, height / 2)),
        ("floor", (depth / 2, half, wall), (depth / 2, 0, wall)),
        ("top", (depth / 2, half, wall), (depth / 2, 0, height)),
        ("left", (depth / 2, wall, height / 2), (depth / 2, half, height / 2)),
        ("right", (depth / 2, wall, height / 2), (depth / 2, -half, height / 2)),
    ):
        scene.shape(body, "box", size, at, rgba=rgba, collide=FIXED, name=f"{name}_{part}")
    panel = scene.body(door, (-0.012, half, height / 2), parent=body)
    scene.hinge_or_slide(
        panel, door, kind="hinge", axis=(0, 0, -1), reach=1.6, damping=0.3, friction=door_friction
    )
    scene.shape(
        panel, "box", (0.01, half - 0.004, height / 2 - 0.01), (0, -half, 0), rgba=rgba,
        mass=door_mass, collide=FIXED,
    )  # fmt: skip
    scene.shape(
        panel, "box", (0.003, half - 0.09, height / 2 - 0.05), (-0.009, -half + 0.03, 0),
        rgba=(0.06, 0.07, 0.09, 1.0), name=f"{name}_window",
    )  # fmt: skip
    if lamp:
        scene.shape(
            panel, "box", (0.003, 0.028, 0.022), (-0.010, 0.045 - width, height / 2 - 0.04),
            rgba=_LAMP, name=f"{name}_lamp",
        )  # fmt: skip
    grip = (-0.06, -(width - 0.05), 0.0)
    add_bar_handle(scene, panel, grip, (0, 0, 0.07))
    scene.add_handle(panel, handle, grip, (0, 1, 0), joint=door, opens=DOOR_OPEN, of=name)
    scene.site(body, name, (0.0, 0.0, height / 2))
    scene.site(body, f"{name}_inside", (0.11, 0.0, 2 * wall))
    scene.add_object(SceneObject(name, "microwave", name, place=f"{name}_inside"))
    scene.insides[name] = Region(
        name, (depth / 2, 0.0, height / 2), (depth / 2, half - wall, height / 2)
    )
