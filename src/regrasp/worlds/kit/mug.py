"""A mug with a handle: taken around its rim from above, or around its body from the side."""

from __future__ import annotations

import itertools
import math

import mujoco

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector
from regrasp.worlds.kit.steam import add_steam

__all__ = ["add_mug"]

_BEND = 5  # straight pieces of the handle's bow
_STAVES = 18  # flat pieces of a hollow mug's wall
_UNSEEN, _WATER, _DARK = (0.0, 0.0, 0.0, 0.0), (0.16, 0.50, 0.92, 0.0), (0.24, 0.22, 0.21, 1.0)


def add_mug(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.034,
    height: float = 0.085,
    mass: float = 0.25,
    friction: float = 0.9,
    colour: str = "cyan",
    hollow: bool = False,
) -> None:
    """Add a mug standing on the point `pos`; its handle points to +x before it is turned by `yaw`.

    Its collision geom is solid: nothing can be put into it. A `hollow` mug only looks hollow and
    empty; to fill it, the world moves and colours `NAME_water`, and `NAME_steam_N` above.
    """
    half = height / 2
    rgba, bow, thick = scene.colour_of(colour), 0.32 * height, 0.0045
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=_UNSEEN if hollow else rgba, mass=0.9 * mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    if hollow:
        _add_hollow(scene, body, name, radius, half, rgba)
    else:
        scene.shape(
            body,
            "cylinder",
            (0.86 * radius, 0.0006),
            (0, 0, half),
            rgba=scene.colour_of("brown", 0.55),
        )
    angles = [math.pi * (k / _BEND - 0.5) for k in range(_BEND + 1)]
    points = [(radius - 0.003 + 0.9 * bow * math.cos(a), 0.0, bow * math.sin(a)) for a in angles]
    for start, end in itertools.pairwise(points):
        scene.shape(
            body, "capsule", (thick,), fromto=(*start, *end), rgba=rgba, mass=0.1 * mass / _BEND,
            friction=friction, collide=MOVABLE,
        )  # fmt: skip
    rim = scene.site(body, f"{name}_rim", (0, 0, half - 0.02))
    grip = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(0.95, 0, -0.3), closing=(0, 1, 0))
    # Either way the fingers close along y, clear of the handle.
    scene.add_movable(
        body, "mug", Grasp(rim, above=True, closing="y"), Grasp(grip), extent=(radius, half)
    )


def _add_hollow(
    scene: Scene, body: mujoco.MjsBody, name: str, radius: float, half: float, rgba: Vector
) -> None:
    """Visual geoms of a hollow mug: a ring of staves, a dark bottom, and water without colour."""
    thick = 0.08 * radius
    wide = 1.12 * radius * math.tan(math.pi / _STAVES)
    for k in range(_STAVES):
        angle = 2 * math.pi * k / _STAVES
        at = ((radius - thick) * math.cos(angle), (radius - thick) * math.sin(angle), 0.0)
        turn = (math.cos(angle / 2), 0, 0, math.sin(angle / 2))
        scene.shape(body, "box", (thick, wide, half), at, rgba=rgba, quat=turn)
    inner = 0.95 * radius
    scene.shape(
        body, "cylinder", (inner, 0.003), (0, 0, 0.004 - half), rgba=_DARK, name=f"{name}_bottom"
    )
    # Not at the body's origin: MuJoCo treats a geom there as fixed to it.
    scene.shape(
        body, "cylinder", (inner, 0.001), (0, 0, -half / 2), rgba=_WATER, name=f"{name}_water"
    )
    add_steam(scene, body, name, half, radius)
