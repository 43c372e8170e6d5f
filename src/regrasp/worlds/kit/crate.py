"""A small crate whose recessed top holds one cube and no more."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_crate"]


def add_crate(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    half: float = 0.07,
    height: float = 0.08,
    recess: float = 0.031,
    rim: float = 0.008,
    friction: float = 1.0,
    colour: str = "red",
) -> None:
    """Add a fixed crate at `pos`: a block of `height`, a rim around a square of 2 x `recess`."""
    rgba = scene.colour_of(colour)
    dark = (*(0.6 * c for c in rgba[:3]), 1.0)
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (half, half, height / 2), (0, 0, height / 2), rgba=rgba, friction=friction,
        collide=FIXED,
    )  # fmt: skip
    edge, mid = (half - recess) / 2, (half + recess) / 2
    for size, at in (
        ((edge, half, rim / 2), (mid, 0)),
        ((edge, half, rim / 2), (-mid, 0)),
        ((recess, edge, rim / 2), (0, mid)),
        ((recess, edge, rim / 2), (0, -mid)),
    ):
        scene.shape(
            body, "box", size, (*at, height + rim / 2), rgba=rgba, friction=friction, collide=FIXED
        )
    for z in (0.25 * height, 0.75 * height):  # slats, visual only
        scene.shape(body, "box", (half + 0.002, half + 0.002, 0.004), (0, 0, z), rgba=dark)
    scene.site(body, f"{name}_top", (0, 0, height))
    scene.site(body, name, (0, 0, height))
    scene.add_object(SceneObject(name, "crate", name, place=f"{name}_top"))
    scene.tops[name] = Region(name, (0, 0, height + 0.03), (recess, recess, 0.03))
