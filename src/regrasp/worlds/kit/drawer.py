"""A chest with one drawer that is pulled out by a horizontal bar handle."""

from __future__ import annotations

from regrasp.worlds.kit.cabinet import add_bar_handle, place_name
from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_drawer"]

_WALL = 0.01
_GAP = 0.004  # m between the drawer and the chest around it


def add_drawer(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    width: float = 0.40,
    height: float = 0.18,
    depth: float = 0.30,
    base: float = 0.10,
    mass: float = 1.0,
    friction: float = 1.0,
    handle_friction: float = 1.0,
    colour: str = "white",
) -> None:
    """Add a chest whose front stands at `pos` and faces -x before it is turned by `yaw`.

    The drawer slides out by 70% of its depth on the joint `NAME_drawer` (its `friction` is in
    newtons); its handle is `NAME_handle` and the spot in it `target_position_in_NAME`.
    """
    half, wall, joint, handle = width / 2, _WALL, f"{name}_drawer", f"{name}_handle"
    rgba, front_rgba = scene.colour_of(colour, 0.9), scene.colour_of(colour)
    body = scene.body(name, (pos[0], pos[1], pos[2] + base), yaw=yaw)
    for size, at in (
        ((wall, half, height / 2), (depth - wall, 0, height / 2)),
        ((depth / 2, half, wall), (depth / 2, 0, wall)),
        ((depth / 2, half, wall), (depth / 2, 0, height - wall)),
        ((depth / 2, wall, height / 2), (depth / 2, half - wall, height / 2)),
        ((depth / 2, wall, height / 2), (depth / 2, wall - half, height / 2)),
        ((depth / 2 - 0.01, half - 0.01, base / 2), (depth / 2 + 0.01, 0, -base / 2)),
    ):
        scene.shape(body, "box", size, at, rgba=rgba, collide=FIXED)

    tray = scene.body(joint, (-wall, 0, 2 * wall + _GAP), parent=body)
    travel = 0.7 * depth
    scene.hinge_or_slide(
        tray, joint, kind="slide", axis=(-1, 0, 0), reach=travel, damping=5.0, friction=friction
    )
    inner, long, high = half - 2 * wall - _GAP, depth - 3 * wall, height - 4 * wall - 2 * _GAP
    side = 0.75 * high
    for size, at in (
        ((long / 2, inner, wall / 2), (long / 2, 0, wall / 2)),
        ((long / 2, wall / 2, side / 2), (long / 2, inner - wall / 2, side / 2)),
        ((long / 2, wall / 2, side / 2), (long / 2, wall / 2 - inner, side / 2)),
        ((wall / 2, inner, side / 2), (long - wall / 2, 0, side / 2)),
    ):
        scene.shape(tray, "box", size, at, rgba=rgba, mass=mass / 6, collide=FIXED)
    middle = height / 2 - 2 * wall - _GAP  # of the front, in the tray's frame
    scene.shape(
        tray, "box", (wall, half - 0.004, height / 2 - 0.004), (-0.002, 0, middle),
        rgba=front_rgba, mass=mass / 3, collide=FIXED,
    )  # fmt: skip
    grip = (-0.055, 0, middle)
    add_bar_handle(scene, tray, grip, (0, 0.06, 0), friction=handle_friction)
    scene.add_handle(tray, handle, grip, (0, 0, 1), joint=joint, opens=0.9 * travel, of=name)
    spot = place_name(name)
    scene.site(body, name, (0, 0, height / 2))
    scene.site(tray, spot, (long / 2, 0, wall))
    scene.add_object(SceneObject(name, "drawer", name, place=spot))
    scene.add_object(SceneObject(spot, "place", spot, place=spot, of=name))
    scene.insides[name] = Region(joint, (long / 2, 0, height / 2), (long / 2, inner, height / 2))
