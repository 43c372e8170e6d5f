"""A kettle that is carried by the handle on its lid."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_kettle"]


def add_kettle(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.055,
    height: float = 0.14,
    mass: float = 0.6,
    friction: float = 0.7,
    colour: str = "blue",
) -> None:
    """Add a kettle standing on the point `pos`; `yaw` turns its handle, which lies along x."""
    rgba = scene.colour_of(colour)
    dark = (0.12, 0.12, 0.14, 1.0)
    half = height / 2
    top = half + 0.05
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=rgba, mass=mass, friction=friction, collide=MOVABLE
    )
    scene.shape(body, "sphere", (0.6 * radius,), (0, 0, half - 0.012), rgba=rgba)
    scene.shape(
        body, "capsule", (0.010,), fromto=(radius - 0.01, 0, 0.0, radius + 0.035, 0, 0.045),
        rgba=rgba,
    )  # fmt: skip
    scene.shape(
        body, "capsule", (0.009,), fromto=(-0.045, 0, top, 0.045, 0, top), rgba=dark, mass=0.03,
        collide=MOVABLE,
    )  # fmt: skip
    for x in (-0.045, 0.045):
        scene.shape(
            body, "capsule", (0.008,), fromto=(x, 0, half - 0.01, x, 0, top), rgba=dark, mass=0.02,
            collide=MOVABLE,
        )  # fmt: skip
    grip = scene.site(
        body, f"{name}_grip", (0, 0, top), approach=(0.25, 0, -0.97), closing=(0, 1, 0)
    )
    scene.add_movable(body, "kettle", Grasp(grip), extent=(radius, half))
