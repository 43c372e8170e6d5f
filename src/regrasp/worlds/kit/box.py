"""A box to be carried between two hands."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Scene, Vector

__all__ = ["add_box"]

_TAPE_M, _TAPE_THICK_M = 0.018, 0.0006


def add_box(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    half: float = 0.10,
    mass: float = 0.6,
    friction: float = 0.8,
    colour: str = "yellow",
) -> None:
    """Add a cube of cardboard standing on the point `pos`; `half` is half its edge (m).

    A cube, so that it can be taken by any two opposite faces, whichever it has fallen on.
    """
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "box", (half, half, half), rgba=scene.colour_of(colour), friction=friction, mass=mass,
        collide=MOVABLE,
    )  # fmt: skip
    tape = half + _TAPE_THICK_M
    scene.shape(body, "box", (_TAPE_M, tape, tape), rgba=scene.colour_of(colour, 0.7))
    scene.add_movable(body, "box", place=f"{name}_top", extent=(half, half))
    scene.site(body, f"{name}_top", (0, 0, half))
