"""A closed front door in a wall: panel, frame and knob."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Scene, SceneObject, Vector

__all__ = ["add_front_door"]

_FRAME = (0.93, 0.92, 0.88, 1.0)


def add_front_door(
    scene: Scene, name: str, pos: Vector, *, yaw: float = 0.0, colour: str = "brown"
) -> None:
    """Add a door whose middle stands at `pos` and which faces -x before it is turned by `yaw`."""
    body, rgba, dark = scene.body(name, pos, yaw=yaw), *_paints(scene, colour)
    scene.shape(body, "box", (0.02, 0.45, 1.0), (0.02, 0, 1.0), rgba=rgba, collide=FIXED)
    for z in (0.55, 1.45):
        scene.shape(body, "box", (0.004, 0.30, 0.32), (-0.002, 0, z), rgba=dark)
    for y in (-0.49, 0.49):
        scene.shape(body, "box", (0.03, 0.04, 1.04), (0.02, y, 1.04), rgba=_FRAME, collide=FIXED)
    scene.shape(body, "box", (0.03, 0.53, 0.04), (0.02, 0, 2.04), rgba=_FRAME)
    scene.shape(body, "sphere", (0.03,), (-0.05, 0.38, 1.02), rgba=scene.colour_of("yellow", 0.8))
    scene.site(body, name, (0, 0, 1.0))
    scene.add_object(SceneObject(name, "door", name))


def _paints(scene: Scene, colour: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return scene.colour_of(colour, 1.15), scene.colour_of(colour, 0.9)
