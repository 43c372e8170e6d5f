"""A weighing plate: a spring-loaded plate that goes down under a load and counts as pressed."""

from __future__ import annotations

from regrasp.worlds.kit.scene import (
    FIXED,
    MOVABLE,
    Articulation,
    Region,
    Scene,
    SceneObject,
    Vector,
)

__all__ = ["add_weight_sensor"]

_TRAVEL = 0.006  # m
_GRAVITY = 9.81


def add_weight_sensor(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    half: float = 0.065,
    height: float = 0.03,
    threshold: float = 0.12,
    plate_mass: float = 0.05,
    friction: float = 1.0,
    colour: str = "green",
) -> None:
    """Add a plate at `pos` that is half way down under `threshold` kilograms.

    Its joint `NAME` reads 0 at rest and 1 at its stop; more than one half is pressed.
    """
    body = scene.body(name, pos)
    scene.shape(
        body, "box", (half + 0.012, half + 0.012, height / 2), (0, 0, height / 2),
        rgba=scene.colour_of("grey"), collide=FIXED,
    )  # fmt: skip
    plate = scene.body(f"{name}_plate", (0, 0, height + _TRAVEL + 0.006), parent=body)
    plate.gravcomp = 1
    scene.hinge_or_slide(
        plate, name, kind="slide", axis=(0, 0, -1), reach=_TRAVEL, damping=4.0, friction=0.0,
        stiffness=threshold * _GRAVITY / (0.5 * _TRAVEL),
    )  # fmt: skip
    scene.shape(
        plate, "box", (half, half, 0.006), rgba=scene.colour_of(colour),
        mass=plate_mass, friction=friction, collide=MOVABLE,
    )  # fmt: skip
    scene.site(plate, f"{name}_top", (0, 0, 0.006), approach=(0.15, 0, -0.99), closing=(0, 1, 0))
    scene.add_object(
        SceneObject(name, "weight sensor", f"{name}_top", joint=name, place=f"{name}_top")
    )
    scene.add_joint(Articulation(name, name, 0.0, _TRAVEL))
    scene.tops[name] = Region(f"{name}_plate", (0, 0, 0.036), (half, half, 0.03))
