"""A serving tray, fixed to what it lies on."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_tray"]

_RIM = 0.006


def add_tray(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float] = (0.22, 0.30),
    height: float = 0.012,
    friction: float = 0.9,
    colour: str = "brown",
) -> None:
    """Add a tray lying on the point `pos`; `size` is its (depth, width)."""
    x, y = size[0] / 2, size[1] / 2
    rgba, dark = scene.colour_of(colour, 1.2), scene.colour_of(colour, 0.7)
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (x, y, height / 2), (0, 0, height / 2), rgba=rgba, friction=friction,
        collide=FIXED,
    )  # fmt: skip
    for side in (-1, 1):  # its rim, visual only
        for half, at in (((_RIM / 2, y), (side * x, 0.0)), ((x, _RIM / 2), (0.0, side * y))):
            scene.shape(body, "box", (*half, height / 2 + _RIM), (*at, height / 2), rgba=dark)
    scene.site(body, name, (0, 0, height))
    scene.add_object(SceneObject(name, "tray", name, place=name))
    scene.tops[name] = Region(name, (0, 0, height + 0.1), (x, y, 0.1))
