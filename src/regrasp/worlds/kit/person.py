"""A person who stands in a room; the world moves it, as nobody pushes a person."""

from __future__ import annotations

import math

from regrasp.worlds.kit.scene import FIXED, Scene, SceneObject, Vector

__all__ = ["PERSON_RADIUS_M", "add_person"]

PERSON_RADIUS_M = 0.25
_SKIN, _HAIR = (0.85, 0.64, 0.50, 1.0), (0.22, 0.15, 0.10, 1.0)


def add_person(
    scene: Scene,
    name: str,
    pos: Vector,
    *,
    yaw: float = 0.0,
    shirt: str = "green",
    trousers: str = "grey",
) -> None:
    """Add a person of 1.72 m who stands at `pos` and faces -x before it is turned by `yaw`."""
    body = scene.spec.worldbody.add_body(
        name=name, pos=list(pos), quat=[math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)], mocap=True
    )
    cloth, legs = scene.colour_of(shirt), scene.colour_of(trousers)
    for y in (-0.09, 0.09):
        scene.shape(
            body, "capsule", (0.075,), fromto=(0, y, 0.10, 0, y, 0.78), rgba=legs, collide=FIXED
        )
        scene.shape(body, "box", (0.13, 0.05, 0.04), (-0.04, y, 0.04), rgba=_HAIR, collide=FIXED)
        ends = (0, 2.3 * y, 1.32, -0.05, 2.8 * y, 0.85)
        scene.shape(body, "capsule", (0.045,), fromto=ends, rgba=cloth, collide=FIXED)
        scene.shape(body, "sphere", (0.05,), (-0.05, 2.8 * y, 0.80), rgba=_SKIN)
    scene.shape(
        body, "capsule", (0.15,), fromto=(0, 0, 0.92, 0, 0, 1.25), rgba=cloth, collide=FIXED
    )
    scene.shape(body, "capsule", (0.05,), fromto=(0, 0, 1.38, 0, 0, 1.48), rgba=_SKIN)
    scene.shape(body, "sphere", (0.11,), (0, 0, 1.58), rgba=_SKIN, collide=FIXED)
    scene.shape(body, "sphere", (0.112,), (0.02, 0, 1.61), rgba=_HAIR)
    scene.site(body, name, (0, 0, 1.1))
    scene.add_object(SceneObject(name, "person", name))
