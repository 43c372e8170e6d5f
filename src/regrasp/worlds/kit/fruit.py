"""Fruit, from primitives."""

from __future__ import annotations

import itertools
import math

import mujoco

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_apple", "add_banana", "add_orange"]

_STALK = (0.30, 0.20, 0.10, 1.0)


def add_apple(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    radius: float = 0.032,
    mass: float = 0.12,
    friction: float = 1.0,
    colour: str = "green",
) -> None:
    """Add an apple lying on the point `pos`, taken from above."""
    body = scene.movable_body(name, pos, radius)
    _add_ball(scene, body, "apple", (radius, 0.9 * radius), mass, friction, colour)
    scene.shape(
        body, "capsule", (0.003,), fromto=(0, 0, 0.8 * radius, 0.006, 0, 1.25 * radius),
        rgba=_STALK,
    )  # fmt: skip


def add_orange(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    radius: float = 0.034,
    mass: float = 0.15,
    friction: float = 1.0,
    colour: str = "orange",
) -> None:
    """Add an orange lying on the point `pos`, taken from above."""
    body = scene.movable_body(name, pos, 0.94 * radius)
    _add_ball(scene, body, "orange", (radius, 0.94 * radius), mass, friction, colour)
    scene.shape(
        body, "ellipsoid", (0.005, 0.005, 0.002), (0, 0, 0.94 * radius),
        rgba=scene.colour_of("green", 0.6),
    )  # fmt: skip


def _add_ball(
    scene: Scene,
    body: mujoco.MjsBody,
    kind: str,
    extent: tuple[float, float],
    mass: float,
    friction: float,
    colour: str,
) -> None:
    """A slightly flattened ball: it rolls away less readily than a sphere."""
    scene.shape(
        body, "ellipsoid", (extent[0], *extent), rgba=scene.colour_of(colour), mass=mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.add_movable(body, kind, Grasp(body.name, above=True, closing=""), extent=extent)


def add_banana(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    length: float = 0.16,
    radius: float = 0.017,
    mass: float = 0.12,
    friction: float = 1.0,
    colour: str = "yellow",
) -> None:
    """Add a banana lying on the point `pos` along y; taken from above, across its middle.

    It is a bow of capsules, thinner towards its ends; `radius` is that of the middle.
    """
    body = scene.movable_body(name, pos, radius, yaw=yaw)
    rgba = scene.colour_of(colour)
    bend, pieces = 1.3, 5  # rad from end to end, straight pieces
    arc = length / (2 * math.sin(bend / 2))
    points = [
        (arc * (math.cos(a) - 1), arc * math.sin(a))
        for a in (bend * (k / pieces - 0.5) for k in range(pieces + 1))
    ]
    for k, (start, end) in enumerate(itertools.pairwise(points)):
        thick = radius * (1.0, 0.93, 0.72)[abs(k - pieces // 2)]
        low = thick - radius  # every piece lies on the ground
        scene.shape(
            body, "capsule", (thick,), fromto=(*start, low, *end, low), rgba=rgba,
            mass=mass / pieces, friction=friction, collide=MOVABLE,
        )  # fmt: skip
    (x, y), low = points[-1], -0.3 * radius
    scene.shape(
        body, "capsule", (0.27 * radius,), fromto=(x, y, low, 1.35 * x, y + 0.020, low), rgba=_STALK
    )
    (x, y) = points[0]
    scene.shape(body, "sphere", (0.3 * radius,), (x - 0.003, y - 0.6 * radius, low), rgba=_STALK)
    scene.add_movable(
        body, "banana", Grasp(name, above=True, closing="x"), extent=(length / 2, radius)
    )
