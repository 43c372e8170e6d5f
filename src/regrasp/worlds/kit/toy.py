"""Toys: a duck and a car."""

from __future__ import annotations

from regrasp.core.errors import UnknownNameError
from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["SHAPES", "add_toy"]

SHAPES = ("duck", "car")
"""The kinds of toys."""

_UNSEEN = (0.0, 0.0, 0.0, 0.0)
_BLACK, _GLASS = (0.10, 0.10, 0.11, 1.0), (0.75, 0.88, 0.95, 1.0)


def add_toy(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    shape: str = "duck",
    yaw: float = 0.0,
    half: float = 0.035,
    mass: float = 0.08,
    friction: float = 1.0,
    colour: str = "yellow",
) -> None:
    """Add a toy standing on the point `pos` and looking to +x; `half` is half its width."""
    if shape not in SHAPES:
        raise UnknownNameError("shape of a toy", shape, SHAPES)
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "box", (1.2 * half, half, half), rgba=_UNSEEN, mass=mass, friction=friction,
        collide=MOVABLE,
    )  # fmt: skip
    rgba = scene.colour_of(colour)
    if shape == "duck":
        beak, eye = scene.colour_of("orange"), (0.10 * half, 0.10 * half, 0.12 * half)
        for size, at, paint in (
            ((1.25 * half, half, 0.85 * half), (0, 0, -0.15 * half), rgba),
            ((0.62 * half, 0.62 * half, 0.62 * half), (0.75 * half, 0, 0.95 * half), rgba),
            ((0.40 * half, 0.30 * half, 0.14 * half), (1.45 * half, 0, 0.85 * half), beak),
            ((0.45 * half, 0.35 * half, 0.35 * half), (-1.2 * half, 0, 0.35 * half), rgba),
            (eye, (1.2 * half, 0.35 * half, 1.15 * half), _BLACK),
            (eye, (1.2 * half, -0.35 * half, 1.15 * half), _BLACK),
        ):
            scene.shape(body, "ellipsoid", size, at, rgba=paint)
    else:
        scene.shape(
            body, "box", (1.4 * half, 0.75 * half, 0.35 * half), (0, 0, -0.3 * half), rgba=rgba
        )
        scene.shape(
            body, "box", (0.7 * half, 0.62 * half, 0.35 * half), (-0.15 * half, 0, 0.35 * half),
            rgba=_GLASS,
        )  # fmt: skip
        scene.shape(
            body, "box", (0.6 * half, 0.62 * half, 0.06 * half), (-0.15 * half, 0, 0.74 * half),
            rgba=rgba,
        )  # fmt: skip
        for x in (-0.85, 0.85):
            scene.shape(
                body, "cylinder", (0.38 * half, 0.9 * half), (x * half, 0, -0.62 * half),
                rgba=_BLACK, quat=(0.70710678, 0.70710678, 0, 0),
            )  # fmt: skip
    scene.add_movable(body, "toy", Grasp(name, above=True, closing="y"), extent=(1.2 * half, half))
