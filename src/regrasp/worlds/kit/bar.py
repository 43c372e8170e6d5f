"""A bar through the two handles of a cabinet, which keeps its doors shut by contact."""

from __future__ import annotations

import math

from regrasp.worlds.kit.cabinet import HANDLE_GAP
from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_bar"]


def add_bar(
    scene: Scene,
    name: str,
    cabinet_pos: Vector,
    *,
    yaw: float = 0.0,
    cabinet_base: float = 0.10,
    cabinet_height: float = 0.42,
    half_length: float = 0.19,
    radius: float = 0.0135,
    mass: float = 0.3,
    friction: float = 0.6,
    colour: str = "red",
) -> None:
    """Add a bar behind both handles of a two-door cabinet at `cabinet_pos`, turned by `yaw`.

    It lies on the handles' lower stand-offs and fills the gap between door and handle but for
    4.5 mm a side with its usual `radius` (m): a looser one lets the doors open. Like a bolt it has
    a grip at its left end, a stub towards the robot and an upright peg, by which it is drawn out to
    the left.
    """
    x, y, z = cabinet_pos
    half = radius  # round: a box touches in many more points, and each costs time
    before, left = -0.012 - (HANDLE_GAP - 0.009 + 0.01) / 2, 0.01  # of the cabinet's front, m
    along, across = math.cos(yaw), math.sin(yaw)
    body = scene.body(
        name,
        (
            x + along * before - across * left,
            y + across * before + along * left,
            z + cabinet_base + cabinet_height / 2 - 0.07 + 0.009 + half,
        ),
        yaw=yaw,
    )
    scene.add_free_joint(body)
    rgba = scene.colour_of(colour)
    scene.shape(
        body, "capsule", (half,), fromto=(0, -half_length, 0, 0, half_length, 0), rgba=rgba,
        mass=0.1 * mass, friction=friction, collide=MOVABLE, hard=True,
    )  # fmt: skip
    # Its weight lies low and to the back, so that it does not roll over with its grip.
    keel_x, keel_z = 0.0012, 0.002 - half
    scene.shape(
        body, "capsule", (0.001,), rgba=rgba, mass=0.9 * mass, collide=MOVABLE,
        fromto=(keel_x, -half_length, keel_z, keel_x, half_length, keel_z),
    )  # fmt: skip
    out, end = -0.055, half_length - 0.012
    scene.shape(
        body, "capsule", (0.009,), fromto=(0, end, 0, out, end, 0), rgba=rgba, mass=0.004,
        collide=MOVABLE,
    )  # fmt: skip
    scene.shape(
        body, "capsule", (0.009,), fromto=(out, end, 0, out, end, 0.07), rgba=rgba, mass=0.004,
        friction=1.0, collide=MOVABLE,
    )  # fmt: skip
    grip = scene.site(
        body, f"{name}_grip", (out, end, 0.055), approach=(0.35, 0, -0.94), closing=(0, 1, 0)
    )
    scene.add_movable(
        body, "bar", Grasp(grip), Grasp(name, above=True, closing="x"), extent=(half_length, half)
    )
