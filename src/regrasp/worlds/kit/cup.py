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
_RIM_M = 0.018  # height of the coloured band of a glass


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
    rim: str = "",
) -> None:
    """Add an empty glass standing on `pos`; with a `colour` it is a cup of metal or china.

    `rim` is the colour of a band around the top, and of the bottom.
    """
    rgba = scene.colour_of(colour) if colour else _GLASS
    half, band = height / 2, scene.colour_of(rim, fixed=True) if rim else None
    body = _add_wall(
        scene, name, pos, yaw, (radius, half), (rgba, rgba), mass, friction, base=band or _BASE
    )
    if band is not None:
        wall = (radius + 0.001, _RIM_M / 2)
        _add_staves(scene, body, wall, half - _RIM_M / 2, (band, band), f"{name}_band")
    inside = Vessel(
        name, capacity, radius + 0.0005 if not colour else 0.92 * radius, 0.006 - half,
        height - 0.014, half, 0.92 * radius, _TILTS, _RATE,
    )  # fmt: skip
    scene.add_vessel(body, inside)
    grip = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(0.95, 0, -0.3), closing=(0, 1, 0))
    lip = scene.site(body, f"{name}_rim", (0, 0, half - 0.02))
    scene.add_movable(
        body, "glass", Grasp(grip), Grasp(lip, above=True, closing=""), extent=(radius, half)
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
    staves: tuple[str, str] = ("white", "white"),
) -> None:
    """Add a bowl standing on `pos`, with `stock` ml of a `substance` heaped in it.

    `staves` are the colours of the pieces of its wall, in turn.
    """
    half = height / 2
    first, second = (scene.colour_of(colour, fixed=True) for colour in staves)
    wall = (first, first if staves[0] == staves[1] else second)
    body = _add_wall(scene, name, pos, yaw, (radius, half), wall, mass, friction)
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
    rgba: tuple[Vector, Vector],
    mass: float,
    friction: float,
    base: Vector = _BASE,
) -> mujoco.MjsBody:
    """A body that collides as a solid cylinder of `size` (radius, half height) and looks hollow."""
    radius, half = size
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(body, "cylinder", size, rgba=_UNSEEN, mass=mass, friction=friction, collide=MOVABLE)
    _add_staves(scene, body, size, 0.0, rgba)
    scene.shape(
        body, "cylinder", (0.93 * radius, 0.003), (0, 0, 0.003 - half), rgba=base,
        name=f"{name}_base",
    )  # fmt: skip
    return body


def _add_staves(
    scene: Scene,
    body: mujoco.MjsBody,
    size: tuple[float, float],
    z: float,
    rgba: tuple[Vector, Vector],
    name: str = "",
) -> None:
    """A ring of flat pieces of `size` (radius, half height) around height `z`, in two colours."""
    radius, half = size
    thick = 0.05 * radius
    wide = (radius - thick) * math.tan(math.pi / _STAVES)
    for k in range(_STAVES):
        angle = 2 * math.pi * k / _STAVES
        at = ((radius - thick) * math.cos(angle), (radius - thick) * math.sin(angle), z)
        turn = (math.cos(angle / 2), 0, 0, math.sin(angle / 2))
        called = f"{name}{k}" if name else ""
        scene.shape(
            body, "box", (thick, wide, half), at, rgba=rgba[k % 2], quat=turn, name=called
        )  # fmt: skip
