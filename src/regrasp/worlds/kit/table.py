"""A table on four legs."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_table"]

_TOP = 0.02  # m: thickness of the board


def add_table(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    size: tuple[float, float] = (0.40, 0.60),
    height: float = 0.20,
    leg: float = 0.02,
    friction: float = 0.8,
    colour: str = "brown",
    shade: float = 1.25,
) -> None:
    """Add a table centred on `pos`; `size` is its (depth, width), `leg` half a leg's thickness."""
    x, y = size[0] / 2, size[1] / 2
    rgba, dark = scene.colour_of(colour, shade), scene.colour_of(colour)
    body = scene.body(name, pos, yaw=yaw)
    scene.shape(
        body, "box", (x, y, _TOP / 2), (0, 0, height - _TOP / 2), rgba=rgba, friction=friction,
        collide=FIXED,
    )  # fmt: skip
    foot = (height - _TOP) / 2
    for side in (-1, 1):
        for end in (-1, 1):
            scene.shape(
                body, "box", (leg, leg, foot), (side * (x - 2 * leg), end * (y - 2 * leg), foot),
                rgba=dark, collide=FIXED,
            )  # fmt: skip
    for at, half in (
        ((0, y - 2 * leg), (x - 2 * leg, 0.4 * leg)),
        ((0, 2 * leg - y), (x - 2 * leg, 0.4 * leg)),
        ((x - 2 * leg, 0), (0.4 * leg, y - 2 * leg)),
        ((2 * leg - x, 0), (0.4 * leg, y - 2 * leg)),
    ):  # the apron between the legs, visual only
        scene.shape(body, "box", (*half, leg), (*at, height - _TOP - leg), rgba=dark)
    scene.site(body, name, (0, 0, height))
    scene.add_object(SceneObject(name, "table", name, place=name))
    scene.tops[name] = Region(name, (0, 0, height + 0.1), (x, y, 0.1))
