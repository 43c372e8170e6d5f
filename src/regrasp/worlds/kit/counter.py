"""A kitchen counter with a raised front edge that keeps things from being pushed off it."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Region, Scene, SceneObject, Vector

__all__ = ["add_counter"]


def add_counter(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    size: tuple[float, float] = (0.5, 0.8),
    height: float = 0.10,
    edge: float = 0.03,
    friction: float = 0.8,
    colour: str = "white",
) -> None:
    """Add a counter whose front edge is centred at `pos`; `size` is its (depth, width).

    `edge` is how far the front rim stands above the top; 0 leaves it out.
    """
    depth, width = size
    body = scene.body(name, pos)
    scene.shape(
        body, "box", (depth / 2, width / 2, height / 2), (depth / 2, 0, height / 2),
        rgba=scene.colour_of(colour, 0.9), friction=friction, collide=FIXED,
    )  # fmt: skip
    if edge:
        scene.shape(
            body, "box", (0.008, width / 2, edge / 2), (0.008, 0, height + edge / 2),
            rgba=scene.colour_of("brown", 1.3), friction=friction, collide=FIXED,
        )  # fmt: skip
    scene.site(body, name, (depth / 2, 0, height))
    scene.add_object(SceneObject(name, "counter", name, place=name))
    scene.tops[name] = Region(name, (depth / 2, 0, height + 0.1), (depth / 2, width / 2, 0.1))
