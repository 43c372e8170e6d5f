"""A small box of cardboard that one hand can take: a paper box, a pill box."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_carton"]


def add_carton(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float, float] = (0.14, 0.07, 0.10),
    mass: float = 0.2,
    friction: float = 0.9,
    colour: str = "brown",
    label: str = "white",
) -> None:
    """Add a box of `size` (m) that stands on the point `pos`, with a label of another colour."""
    x, y, z = (edge / 2 for edge in size)
    body = scene.movable_body(name, pos, z, yaw=yaw)
    scene.shape(
        body, "box", (x, y, z), rgba=scene.colour_of(colour), mass=mass, friction=friction,
        collide=MOVABLE,
    )  # fmt: skip
    paint = scene.colour_of(label)
    scene.shape(body, "box", (0.35 * x, y + 0.0008, 0.6 * z), rgba=paint)
    scene.shape(body, "box", (0.35 * x, 0.7 * y, z + 0.0008), rgba=paint)
    top = scene.site(body, f"{name}_top", (0, 0, 0.2 * z))
    scene.add_movable(body, "box", Grasp(top, above=True, closing="y"), extent=(x, z))
