"""An open container that can be carried about, with a lip at its rear to take it by."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Region, Scene, Vector

__all__ = ["add_container"]

_WALL = 0.006


def add_container(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float] = (0.24, 0.30),
    height: float = 0.11,
    mass: float = 0.6,
    friction: float = 0.9,
    colour: str = "blue",
) -> None:
    """Add a container standing on `pos`; `size` is its (depth, width), the lip is at -x."""
    x, y, half, wall = size[0] / 2, size[1] / 2, height / 2, _WALL
    rgba = scene.colour_of(colour)
    body = scene.movable_body(name, pos, half, yaw=yaw)
    for part, at in (
        ((x - 0.002, y - 0.002, wall), (0, 0, wall - half + 0.001)),
        ((wall, y, half), (x - wall, 0, 0)),
        ((wall, y, half), (wall - x, 0, 0)),
        ((x, wall, half), (0, y - wall, 0)),
        ((x, wall, half), (0, wall - y, 0)),
    ):
        scene.shape(
            body, "box", part, at, rgba=rgba, mass=mass / 5, friction=friction, collide=MOVABLE
        )
    for rim, where in (
        ((0.016, y, 0.004), (x, 0, half)),
        ((x, 0.014, 0.004), (0, y, half)),
        ((x, 0.014, 0.004), (0, -y, half)),
    ):  # the rim
        scene.shape(body, "box", rim, where, rgba=rgba)
    scene.shape(
        body, "box", (0.02, 0.8 * y, 0.005), (-x - 0.02, 0, half - 0.005), rgba=rgba, mass=0.02,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    lip = scene.site(
        body, f"{name}_lip", (-x - 0.02, 0, half - 0.005), approach=(1, 0, 0), closing=(0, 0, 1)
    )
    scene.add_movable(
        body, "container", Grasp(lip), place=f"{name}_inside", extent=(max(x, y), half)
    )
    scene.site(body, f"{name}_inside", (0, y / 2, 2 * wall - half))  # so that two things fit in
    scene.insides[name] = Region(name, (0, 0, 0.01), (x - 2 * wall, y - 2 * wall, half + 0.01))
