"""A hard-boiled egg, and half an egg that shows its yolk."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_egg", "add_egg_half"]

_WHITE, _YOLK = (0.98, 0.97, 0.94, 1.0), (0.98, 0.74, 0.10, 1.0)


def add_egg(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.034,
    mass: float = 0.06,
    friction: float = 1.0,
    colour: str = "orange",
) -> None:
    """Add an egg lying on the point `pos` along x, in its brown shell; taken from above.

    It rests on a flat side, so that it does not roll.
    """
    long, low = 1.35 * radius, 0.92 * radius
    red, green, blue, _ = scene.colour_of(colour)
    shell = (0.55 * red + 0.42, 0.45 * green + 0.42, 0.40 * blue + 0.40, 1.0)
    body = scene.movable_body(name, pos, low, yaw=yaw)
    scene.shape(body, "ellipsoid", (long, radius, radius), (0, 0, radius - low), rgba=shell)
    scene.shape(
        body, "box", (0.55 * long, 0.55 * radius, low), rgba=(0, 0, 0, 0), mass=mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.add_movable(body, "egg", Grasp(name, above=True, closing="y"), extent=(long, low))


def add_egg_half(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.034,
    mass: float = 0.03,
    friction: float = 1.0,
) -> None:
    """Add half an egg of that `radius`, lying on its back with the yolk up."""
    long, half = 1.35 * radius, 0.42 * radius
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "box", (0.6 * long, 0.6 * radius, half), rgba=(0, 0, 0, 0), mass=mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.shape(body, "ellipsoid", (long, radius, half), rgba=_WHITE)
    scene.shape(
        body, "ellipsoid", (0.62 * radius, 0.58 * radius, 0.35 * half),
        (0.12 * long, 0, 0.82 * half), rgba=_YOLK,
    )  # fmt: skip
    scene.add_movable(body, "egg half", Grasp(name, above=True, closing="y"), extent=(long, half))
