"""A pillar as an obstacle. It is no registered object: the robot does not know it by name."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Scene, Vector

__all__ = ["PILLAR_M", "add_pillar"]

PILLAR_M = 0.10
"""Its radius."""
_HIGH_M = 0.9


def add_pillar(scene: Scene, name: str, pos: Vector, *, colour: str = "red") -> None:
    """Add a pillar that stands on the point `pos` of the floor."""
    body = scene.body(name, pos)
    scene.shape(
        body, "cylinder", (PILLAR_M, _HIGH_M / 2), (0, 0, _HIGH_M / 2),
        rgba=scene.colour_of(colour), collide=FIXED,
    )  # fmt: skip
    scene.shape(
        body, "cylinder", (1.02 * PILLAR_M, 0.04), (0, 0, 0.8 * _HIGH_M),
        rgba=scene.colour_of("white"),
    )  # fmt: skip
