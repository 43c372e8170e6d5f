"""A pie in its tin, which can be shown frozen, as it is, or steaming."""

from __future__ import annotations

import math

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector
from regrasp.worlds.kit.steam import add_steam

__all__ = ["add_pie"]

_TIN = (0.62, 0.64, 0.67, 1.0)
_DOUGH = (0.87, 0.76, 0.55, 1.0)
_ICE = (0.93, 0.97, 1.0, 0.0)
_CRYSTALS = 9


def add_pie(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.11,
    height: float = 0.05,
    mass: float = 0.6,
    friction: float = 0.9,
    colour: str = "red",
) -> None:
    """Add a pie standing on the point `pos`, taken by its edge; `colour` is that of its filling.

    Named geoms change its appearance: `NAME_crust_N`, and the frost `NAME_frost_N` and the steam
    `NAME_steam_N`, which are invisible until they get a colour.
    """
    half = height / 2
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=_TIN, mass=mass, friction=friction, collide=MOVABLE
    )
    filling, top = scene.colour_of(colour, 0.75), half + 0.002
    scene.shape(body, "cylinder", (0.90 * radius, 0.003), (0, 0, top), rgba=filling)
    shapes = 0
    for turn in (0.0, math.pi / 2):  # the lattice
        for k in (-1, 0, 1):
            away = 0.45 * radius * k
            long = 0.9 * math.sqrt(radius**2 - away**2)
            at = (-away * math.sin(turn), away * math.cos(turn), top + 0.005)
            scene.shape(
                body, "box", (long, 0.010, 0.004), at, rgba=_DOUGH, name=f"{name}_crust_{shapes}",
                quat=(math.cos(turn / 2), 0, 0, math.sin(turn / 2)),
            )  # fmt: skip
            shapes += 1
    around = 14  # pieces of the rim
    for k in range(around):
        angle = 2 * math.pi * k / around
        at = (0.93 * radius * math.cos(angle), 0.93 * radius * math.sin(angle), top + 0.004)
        scene.shape(
            body, "ellipsoid", (0.020, 0.030, 0.012), at, rgba=_DOUGH,
            quat=(math.cos(angle / 2), 0, 0, math.sin(angle / 2)), name=f"{name}_crust_{shapes}",
        )  # fmt: skip
        shapes += 1
    for k in range(_CRYSTALS):
        angle, away = 2.4 * k, radius * math.sqrt(k / _CRYSTALS) * 0.85
        at = (away * math.cos(angle), away * math.sin(angle), top + 0.012)
        scene.shape(
            body, "box", (0.011, 0.008, 0.012), at, rgba=_ICE, name=f"{name}_frost_{k}",
            quat=(math.cos(0.9 * k), 0.3, 0.2, math.sin(0.9 * k)),
        )  # fmt: skip
    add_steam(scene, body, name, half, radius)
    rim = scene.site(
        body, f"{name}_rim", (-radius + 0.02, 0, 0), approach=(1, 0, 0), closing=(0, 0, 1)
    )
    scene.add_movable(body, "pie", Grasp(rim), extent=(radius, half))
