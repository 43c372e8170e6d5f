"""An open bucket with a handle that stands up over it."""

from __future__ import annotations

import math

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_bucket"]

_STAVES = 12
_GRIP_M = 0.012  # radius of the handle's grip


def add_bucket(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.12,
    height: float = 0.18,
    mass: float = 0.6,
    friction: float = 0.9,
    colour: str = "blue",
) -> None:
    """Add a bucket that stands on the point `pos`; the grip of its handle lies along y."""
    body = scene.movable_body(name, pos, height / 2, yaw=yaw)
    rgba, wall, low = scene.colour_of(colour), 0.006, -height / 2
    scene.shape(
        body, "cylinder", (radius - wall, wall), (0, 0, low + wall), rgba=rgba, mass=0.4 * mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    half = radius * math.tan(math.pi / _STAVES) + 0.002
    for k in range(_STAVES):
        turn = 2 * math.pi * k / _STAVES
        at = (radius * math.cos(turn), radius * math.sin(turn), 0.0)
        scene.shape(
            body, "box", (wall, half, height / 2), at, rgba=rgba, mass=0.5 * mass / _STAVES,
            quat=(math.cos(turn / 2), 0, 0, math.sin(turn / 2)), friction=friction, collide=MOVABLE,
        )  # fmt: skip
    top, arm = height / 2 + 0.10, 0.06
    wire, wood = scene.colour_of("grey"), scene.colour_of("brown", 1.3)
    for side in (-1, 1):
        ends = (0, side * radius, height / 2 - 0.01, 0, side * arm, top)
        scene.shape(body, "capsule", (0.004,), fromto=ends, rgba=wire, collide=MOVABLE)
    scene.shape(
        body, "capsule", (_GRIP_M,), fromto=(0, -arm, top, 0, arm, top), rgba=wood,
        mass=0.1 * mass, friction=1.2, collide=MOVABLE,
    )  # fmt: skip
    grip = scene.site(body, f"{name}_grip", (0, 0, top))
    scene.add_movable(
        body, "bucket", Grasp(grip, above=True, closing="x"), extent=(radius, height / 2)
    )
