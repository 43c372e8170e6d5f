"""A block to be taken from above, by suction or by fingers, and stacked."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector

__all__ = ["add_block"]


def add_block(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    half: tuple[float, float] = (0.02, 0.02),
    density: float = 600.0,
    friction: float = 0.7,
    colour: str = "red",
    cross: str = "",
    fixed: bool = False,
) -> None:
    """Add a block standing on the point `pos`; `half` is half its (width, height), m.

    It is of beech wood (`density`, kg/m³) and stiff: the weight of other blocks compresses it by
    less than 0.1 mm, so that a tower does not lean because of soft contacts. `cross` is the colour
    of two bands over it, if any; `fixed` colours are not repainted.
    """
    wide, high = half
    body = scene.movable_body(name, pos, high, yaw=yaw)
    scene.shape(
        body, "box", (wide, wide, high), rgba=scene.colour_of(colour, fixed=fixed),
        friction=friction,
        mass=8 * wide * wide * high * density, collide=MOVABLE, hard=True,
    )  # fmt: skip
    over, narrow = wide + 0.0004, wide / 3.0
    for band in ((over, narrow), (narrow, over)) if cross else ():
        rgba = scene.colour_of(cross, fixed=fixed)
        scene.shape(body, "box", (*band, high + 0.0004), rgba=rgba)
    scene.add_movable(
        body, "block", Grasp(name, above=True, closing="xyz"), place=f"{name}_top", extent=half
    )
    scene.site(body, f"{name}_top", (0, 0, high))
