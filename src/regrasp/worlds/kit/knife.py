"""A carving knife that lies flat; taken by its handle."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_knife"]

_STEEL, _EDGE = (0.80, 0.82, 0.85, 1.0), (0.93, 0.95, 0.97, 1.0)


def add_knife(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    length: float = 0.32,
    mass: float = 0.15,
    friction: float = 0.8,
    colour: str = "black",
) -> None:
    """Add a knife lying on the point `pos`, its blade towards +x before it is turned by `yaw`.

    The middle of the body is where the handle ends; `colour` is the handle's.
    """
    grip, blade, thick = 0.38 * length, 0.62 * length, 0.011
    body = scene.movable_body(name, pos, thick, yaw=yaw)
    scene.shape(
        body, "box", (grip / 2, 0.014, thick), (-grip / 2, 0, 0), rgba=scene.colour_of(colour),
        mass=0.7 * mass, friction=friction, collide=MOVABLE,
    )  # fmt: skip
    # The collision geom is as thick as the handle, so that it lies flat; the visual geom is thin.
    scene.shape(
        body, "box", (0.44 * blade, 0.015, thick), (0.45 * blade, 0, 0), rgba=(0, 0, 0, 0),
        mass=0.3 * mass, friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.shape(body, "box", (0.40 * blade, 0.017, 0.003), (0.40 * blade, 0, 0), rgba=_STEEL)
    scene.shape(body, "ellipsoid", (0.20 * blade, 0.017, 0.003), (0.80 * blade, 0, 0), rgba=_STEEL)
    scene.shape(body, "box", (0.40 * blade, 0.003, 0.0035), (0.40 * blade, -0.015, 0), rgba=_EDGE)
    for x in (-0.75, -0.25):  # rivets
        scene.shape(body, "cylinder", (0.005, 0.0008), (x * grip, 0, thick), rgba=_EDGE)
    hold = scene.site(
        body, f"{name}_grip", (-grip / 2, 0, 0), approach=(1, 0, 0), closing=(0, 0, 1)
    )
    scene.add_movable(
        body, "knife", Grasp(hold), Grasp(hold, above=True, closing="y"), extent=(blade, thick)
    )
