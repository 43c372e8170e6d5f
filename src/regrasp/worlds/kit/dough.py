"""A pizza dough in a round tin with a raised handle, by which it is carried."""

from __future__ import annotations

from regrasp.worlds.kit.scene import MOVABLE, Grasp, Scene, Vector
from regrasp.worlds.kit.vessel import Vessel

__all__ = ["add_dough"]

_TIN, _DOUGH, _CRUST = (0.42, 0.43, 0.46, 1.0), (0.94, 0.87, 0.70, 1.0), (0.90, 0.79, 0.56, 1.0)
_CAPACITY = 1200.0  # ml of sauce and toppings
_TILTS = (1.2, 1.5)  # rad at which toppings slide off


def add_dough(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    radius: float = 0.11,
    mass: float = 0.5,
    friction: float = 0.9,
) -> None:
    """Add a dough lying on `pos`; the handle of its tin is at -x before it is turned by `yaw`.

    Toppings are a disc `NAME_fill` on it; `NAME_crust` changes colour when it is baked.
    """
    half = 0.010
    body = scene.movable_body(name, pos, half, yaw=yaw)
    scene.shape(
        body, "cylinder", (radius, half), rgba=_TIN, mass=0.9 * mass, friction=friction,
        collide=MOVABLE,
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (0.95 * radius, 0.006), (0, 0, half), rgba=_CRUST, name=f"{name}_crust"
    )
    scene.shape(body, "cylinder", (0.86 * radius, 0.0065), (0, 0, half), rgba=_DOUGH)
    x, z = -radius - 0.024, 0.050
    black = scene.colour_of("black")
    scene.shape(
        body, "box", (0.034, 0.007, 0.030), (x, 0, z), rgba=black, mass=0.1 * mass,
        friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.shape(body, "box", (0.008, 0.006, 0.016), (0.002 - radius, 0, 0.014), rgba=black)
    scene.add_vessel(
        body,
        Vessel(
            name, _CAPACITY, 0.82 * radius, half + 0.0065, 0.020, half + 0.012, 0.80 * radius,
            _TILTS, 200.0,
        ),
    )  # fmt: skip
    grip = scene.site(
        body, f"{name}_handle", (x - 0.01, 0, z), approach=(1, 0, 0), closing=(0, 1, 0)
    )
    above = scene.site(body, f"{name}_handle_top", (x, 0, z + 0.015))
    scene.add_movable(
        body, "dough", Grasp(grip), Grasp(above, above=True, closing="y"), extent=(radius, half)
    )
