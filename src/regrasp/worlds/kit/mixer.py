"""An electric mixer: a base with a push button, on which a mixing cup stands."""

from __future__ import annotations

from regrasp.worlds.kit.push_switch import add_push_switch
from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["MIXER_HEIGHT_M", "add_mixer"]

MIXER_HEIGHT_M = 0.07
"""Height of the plate for the cup."""


def add_mixer(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float] = (0.16, 0.11),
    friction: float = 0.9,
    colour: str = "grey",
) -> None:
    """Add a mixer standing on `pos`; `size` is its (depth, width), its button is at its -x side."""
    x, y, high = size[0] / 2, size[1] / 2, MIXER_HEIGHT_M
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (x, y, high / 2), (0, 0, high / 2), rgba=scene.colour_of(colour, 0.8),
        friction=friction, collide=FIXED,
    )  # fmt: skip
    plate = (0.03, 0, high)
    scene.shape(body, "cylinder", (0.042, 0.002), plate, rgba=scene.colour_of("black"))
    add_push_switch(scene, body, name, (0.022 - x, 0, high + 0.002), (0, 0, 1))
    scene.site(body, name, plate)
    scene.add_object(SceneObject(name, "mixer", name, place=name))
    scene.tops[name] = Region(name, (0.03, 0, high + 0.1), (x - 0.03, y, 0.1))
