"""A stick of firewood: split, so that it does not roll."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_stick"]

_WOOD = (0.85, 0.68, 0.43, 1.0)


def add_stick(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    length: float = 0.36,
    radius: float = 0.026,
    mass: float = 0.5,
    friction: float = 1.0,
    colour: str = "brown",
) -> None:
    """Add a stick lying on the point `pos` along y before it is turned by `yaw`."""
    half = length / 2
    bark = scene.colour_of(colour)
    body = scene.movable_body(name, pos, radius, yaw=yaw)
    scene.shape(
        body, "box", (0.85 * radius, half, radius), rgba=(0, 0, 0, 0), mass=mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (radius, half - 0.002), rgba=bark, quat=(0.70710678, 0.70710678, 0, 0)
    )
    for end in (-1, 1):  # the pale wood where it was sawn
        scene.shape(
            body, "cylinder", (0.88 * radius, 0.002), (0, end * half, 0), rgba=_WOOD,
            quat=(0.70710678, 0.70710678, 0, 0),
        )  # fmt: skip
    for y, side in ((-0.45, 0.7), (0.15, -0.7), (0.55, 0.4)):  # knots, and a split face
        scene.shape(
            body, "ellipsoid", (0.35 * radius, 0.5 * radius, 0.35 * radius),
            (side * radius, y * half, 0.72 * radius), rgba=scene.colour_of(colour, 0.6),
        )  # fmt: skip
    scene.shape(body, "box", (0.3 * radius, 0.8 * half, 0.002), (0, 0, radius), rgba=_WOOD)
    hold = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(1, 0, 0), closing=(0, 0, 1))
    scene.add_movable(
        body, "stick", Grasp(hold), Grasp(name, above=True, closing="x"), extent=(half, radius)
    )
