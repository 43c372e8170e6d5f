"""A cube that the robot can pick up from above."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_cube"]


def add_cube(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    half: float = 0.023,
    mass: float = 0.08,
    friction: float = 1.0,
    colour: str = "yellow",
) -> None:
    """Add a cube whose bottom face is centred at `pos`; `half` is half its edge (m), `mass` in kg.

    It is grasped from above, at any two opposite faces.
    """
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "box", (half, half, half), rgba=scene.colour_of(colour), mass=mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.add_movable(body, "cube", Grasp(name, above=True, closing="xyz"), extent=(half, half))
