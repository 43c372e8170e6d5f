"""A book that lies flat or stands upright."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_book"]

_PAGES = (0.95, 0.93, 0.86, 1.0)


def add_book(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float, float] = (0.15, 0.035, 0.21),
    mass: float = 0.35,
    friction: float = 0.9,
    colour: str = "red",
) -> None:
    """Add a book that stands on the point `pos`; its spine is at +x. `size` in m."""
    x, y, z = (edge / 2 for edge in size)
    body = scene.movable_body(name, pos, z, yaw=yaw)
    cover = scene.colour_of(colour)
    scene.shape(body, "box", (x, y, z), rgba=cover, mass=mass, friction=friction, collide=MOVABLE)
    scene.shape(body, "box", (x - 0.008, y - 0.004, z + 0.0008), (-0.009, 0, 0), rgba=_PAGES)
    scene.shape(body, "box", (0.6 * x, y + 0.0006, 0.15 * z), (0, 0, 0.5 * z), rgba=_PAGES)
    edge = scene.site(
        body, f"{name}_edge", (-0.45 * x, 0, 0.1 * z), approach=(1, 0, 0), closing=(0, 1, 0)
    )
    top = scene.site(body, f"{name}_top", (0, 0, 0.7 * z))
    grasps = (Grasp(edge), Grasp(top, above=True))
    scene.add_movable(body, "book", *grasps, extent=(x, z))
