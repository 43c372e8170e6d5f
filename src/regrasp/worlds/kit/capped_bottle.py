"""A bottle of pale glass with a cap: its contents, its label and its cap tell it from others."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector
from regrasp.worlds.kit.vessel import Vessel

__all__ = ["add_capped_bottle"]

_GLASS = (0.80, 0.86, 0.84, 1.0)
_TILTS = (0.9, 1.9)  # rad: a neck lets nothing out of an upright bottle
_RATE = 40.0  # ml/s


def add_capped_bottle(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.030,
    height: float = 0.20,
    mass: float = 0.35,
    friction: float = 0.9,
    capacity: float = 350.0,
    substance: str = "",
    stock: float = 0.0,
    label: tuple[str, str] = ("white", "white"),
    cap: str = "black",
) -> None:
    """Add a bottle standing on `pos`, with `stock` ml of a `substance` in it and its cap on.

    65% of its `height` is body, the rest neck. `label` are the colours of its upper and lower
    band (geoms `NAME_label0`, `NAME_label1`), `cap` is that of the cap. The cap is the geom
    `NAME_cap`, unseen while it is off, and is turned at the site of that name.
    """
    half, neck = 0.325 * height, 0.40 * radius
    lip = height - half  # above the middle of the body
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=_GLASS, mass=0.9 * mass, friction=friction,
        collide=MOVABLE,
    )  # fmt: skip
    long = (lip - half) / 2
    scene.shape(
        body, "cylinder", (neck, long), (0, 0, half + long), rgba=_GLASS, mass=0.1 * mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    shoulder = (0.97 * radius, 0.97 * radius, 0.15 * height)
    scene.shape(body, "ellipsoid", shoulder, (0, 0, half), rgba=_GLASS)
    for k, colour in enumerate(label):
        scene.shape(
            body, "cylinder", (radius + 0.0010, 0.25 * half), (0, 0, (0.25 - 0.50 * k) * half),
            rgba=scene.colour_of(colour, fixed=True), name=f"{name}_label{k}",
        )  # fmt: skip
    high = 0.055 * height
    scene.shape(
        body, "cylinder", (1.35 * neck, high), (0, 0, lip - 0.9 * high),
        rgba=scene.colour_of(cap, fixed=True), name=f"{name}_cap",
    )  # fmt: skip
    scene.add_vessel(
        body,
        Vessel(
            name, capacity, radius + 0.0005, 0.002 - half, 2 * half - 0.004, lip, neck, _TILTS,
            _RATE, True, substance, stock,
        ),
    )  # fmt: skip
    grip = scene.site(body, f"{name}_grip", (0, 0, 0), approach=(0.95, 0, -0.3), closing=(0, 1, 0))
    top = scene.site(body, f"{name}_neck", (0, 0, lip - 0.15 * height))
    scene.add_movable(
        body, "bottle", Grasp(grip), Grasp(top, above=True, closing=""), extent=(radius, half)
    )
