"""A bottle: taken around its body from the side, or by its neck from above."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_bottle"]


def add_bottle(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.030,
    height: float = 0.20,
    mass: float = 0.30,
    friction: float = 0.9,
    colour: str = "green",
) -> None:
    """Add a bottle standing on the point `pos`: 60% of its `height` is body, the rest neck."""
    rgba = scene.colour_of(colour)
    half, neck = 0.3 * height, 0.42 * radius
    shoulder, lip = half, height - half  # heights above the middle of the body
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=rgba, mass=0.9 * mass, friction=friction,
        collide=MOVABLE,
    )  # fmt: skip
    scene.shape(body, "ellipsoid", (radius, radius, 0.16 * height), (0, 0, shoulder), rgba=rgba)
    long = (lip - shoulder) / 2
    scene.shape(
        body, "cylinder", (neck, long), (0, 0, shoulder + long), rgba=rgba, mass=0.1 * mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (1.25 * neck, 0.05 * height), (0, 0, lip - 0.03 * height),
        rgba=scene.colour_of("white"),
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (radius + 0.0006, 0.55 * half), (0, 0, -0.1 * half),
        rgba=scene.colour_of("white", 0.95),
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (radius + 0.0010, 0.14 * half), (0, 0, 0.2 * half), rgba=rgba,
    )  # fmt: skip
    grip = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(0.95, 0, -0.3), closing=(0, 1, 0))
    top = scene.site(body, f"{name}_neck", (0, 0, lip - 0.08 * height))
    scene.add_movable(
        body, "bottle", Grasp(grip), Grasp(top, above=True, closing=""), extent=(radius, half)
    )
