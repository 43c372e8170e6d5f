"""Fruit, from primitives."""

from __future__ import annotations

import itertools
import math

from regrasp.worlds.kit.scene import LOOSE, Grasp, Scene, SceneObject, Vector

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
    body = scene.body(name, (pos[0], pos[1], pos[2] + radius))
    scene.loose(body)
    rgba = scene.paint(colour)
    # A flattened ball rests on its side less readily than a sphere rolls away.
    scene.shape(
        body, "ellipsoid", (radius, radius, 0.9 * radius), rgba=rgba, mass=mass, friction=friction,
        collide=LOOSE,
    )  # fmt: skip
    scene.shape(
        body, "capsule", (0.003,), fromto=(0, 0, 0.8 * radius, 0.006, 0, 1.25 * radius),
        rgba=_STALK,
    )  # fmt: skip
    scene.site(body, name, (0, 0, 0))
    grasp = Grasp(name, above=True, closing="")
    scene.add_thing(
        SceneObject(
            name, "apple", name, grasps=(grasp,), movable=True, extent=(radius, 0.9 * radius)
        )
    )


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
    body = scene.body(name, (pos[0], pos[1], pos[2] + 0.94 * radius))
    scene.loose(body)
    scene.shape(
        body, "ellipsoid", (radius, radius, 0.94 * radius), rgba=scene.paint(colour), mass=mass,
        friction=friction, collide=LOOSE,
    )  # fmt: skip
    scene.shape(
        body, "ellipsoid", (0.005, 0.005, 0.002), (0, 0, 0.94 * radius),
        rgba=scene.paint("green", 0.6),
    )  # fmt: skip
    scene.site(body, name, (0, 0, 0))
    grasp = Grasp(name, above=True, closing="")
    scene.add_thing(
        SceneObject(
            name, "orange", name, grasps=(grasp,), movable=True, extent=(radius, 0.94 * radius)
        )
    )


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
    body = scene.body(name, (pos[0], pos[1], pos[2] + radius), yaw=yaw)
    scene.loose(body)
    rgba = scene.paint(colour)
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
            mass=mass / pieces, friction=friction, collide=LOOSE,
        )  # fmt: skip
    (x, y), low = points[-1], -0.3 * radius
    scene.shape(
        body, "capsule", (0.27 * radius,), fromto=(x, y, low, 1.35 * x, y + 0.020, low), rgba=_STALK
    )
    (x, y) = points[0]
    scene.shape(body, "sphere", (0.3 * radius,), (x - 0.003, y - 0.6 * radius, low), rgba=_STALK)
    scene.site(body, name, (0, 0, 0))
    grasp = Grasp(name, above=True, closing="x")
    scene.add_thing(
        SceneObject(
            name, "banana", name, grasps=(grasp,), movable=True, extent=(length / 2, radius)
        )
    )
