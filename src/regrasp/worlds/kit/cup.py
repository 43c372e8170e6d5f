"""Round open vessels: a drinking glass, a mixing cup, and a small bowl of loose things."""

from __future__ import annotations

import math

import mujoco

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector
from regrasp.worlds.kit.vessel import Vessel

__all__ = ["add_bowl", "add_glass"]

_STAVES = 10  # flat pieces of a wall
_UNSEEN = (0.0, 0.0, 0.0, 0.0)
_GLASS, _BASE = (0.86, 0.92, 0.95, 1.0), (0.70, 0.77, 0.82, 1.0)
_TILTS = (0.30, 1.75)  # rad
_RATE = 40.0  # ml/s


def add_glass(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.034,
    height: float = 0.12,
    mass: float = 0.25,
    friction: float = 0.9,
    capacity: float = 300.0,
    colour: str = "",
) -> None:
    """Add an empty glass standing on `pos`; with a `colour` it is a cup of metal or china."""
    rgba = scene.colour_of(colour) if colour else _GLASS
    body = _add_wall(scene, name, pos, yaw, (radius, height / 2), rgba, mass, friction)
    half = height / 2
    inside = Vessel(
        name, capacity, radius + 0.0005 if not colour else 0.92 * radius, 0.006 - half,
        height - 0.014, half, 0.92 * radius, _TILTS, _RATE,
    )  # fmt: skip
    scene.add_vessel(body, inside)
    grip = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(0.95, 0, -0.3), closing=(0, 1, 0))
    rim = scene.site(body, f"{name}_rim", (0, 0, half - 0.02))
    scene.add_movable(
        body, "glass", Grasp(grip), Grasp(rim, above=True, closing=""), extent=(radius, half)
    )


def add_bowl(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.034,
    height: float = 0.05,
    mass: float = 0.20,
    friction: float = 0.9,
    capacity: float = 150.0,
    substance: str = "",
    stock: float = 0.0,
    colour: str = "white",
) -> None:
    """Add a bowl standing on `pos`, with `stock` ml of a `substance` heaped in it."""
    half = height / 2
    rgba = scene.colour_of(colour)
    body = _add_wall(scene, name, pos, yaw, (radius, half), rgba, mass, friction)
    inside = Vessel(
        name, capacity, 0.88 * radius, 0.006 - half, height, half, 0.92 * radius, _TILTS, _RATE,
        False, substance, stock,
    )  # fmt: skip
    scene.add_vessel(body, inside)
    rim = scene.site(body, f"{name}_rim", (0, 0, 0))
    scene.add_movable(body, "bowl", Grasp(rim, above=True, closing=""), extent=(radius, half))


def _add_wall(
    scene: Scene,
    name: str,
    pos: Vector,
    yaw: float,
    size: tuple[float, float],
    rgba: Vector,
    mass: float,
    friction: float,
) -> mujoco.MjsBody:
    """A body that collides as a solid cylinder of `size` (radius, half height) and looks hollow."""
    radius, half = size
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(body, "cylinder", size, rgba=_UNSEEN, mass=mass, friction=friction, collide=MOVABLE)
    thick = 0.05 * radius
    wide = (radius - thick) * math.tan(math.pi / _STAVES)
    for k in range(_STAVES):
        angle = 2 * math.pi * k / _STAVES
        at = ((radius - thick) * math.cos(angle), (radius - thick) * math.sin(angle), 0.0)
        turn = (math.cos(angle / 2), 0, 0, math.sin(angle / 2))
        scene.shape(body, "box", (thick, wide, half), at, rgba=rgba, quat=turn)
    scene.shape(body, "cylinder", (0.93 * radius, 0.003), (0, 0, 0.003 - half), rgba=_BASE)
    return body
