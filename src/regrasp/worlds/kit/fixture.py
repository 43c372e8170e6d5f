"""A fixture: a fixed plate or seat that marks where a block goes."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_fixture"]

_BEVEL_M = 0.004


def add_fixture(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    half: float = 0.06,
    height: float = 0.008,
    friction: float = 0.8,
    colour: str = "brown",
) -> None:
    """Add a fixed square seat on the point `pos`, 2 x `half` wide, with a flat top at `height`."""
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (half, half, height / 2), (0, 0, height / 2), rgba=scene.colour_of(colour),
        friction=friction, collide=FIXED,
    )  # fmt: skip
    scene.shape(  # a foot, visual only
        body, "box", (half + _BEVEL_M, half + _BEVEL_M, height / 4), (0, 0, height / 4),
        rgba=scene.colour_of(colour, 0.7),
    )  # fmt: skip
    scene.site(body, name, (0, 0, height))
    scene.add_object(SceneObject(name, "fixture", name, place=name))
    scene.tops[name] = Region(name, (0, 0, height + 0.05), (half, half, 0.05))
