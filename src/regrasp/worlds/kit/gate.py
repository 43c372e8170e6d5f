"""A gate to walk through: two posts and a beam over them."""

from __future__ import annotations

from regrasp.worlds.kit.scene import FIXED, Scene, SceneObject, Vector

__all__ = ["add_gate"]

_POST_M, _HIGH_M = 0.05, 1.6


def add_gate(
    scene: Scene, name: str, pos: Vector, *, yaw: float = 0.0, half: float = 0.9,
    colour: str = "green",
) -> None:  # fmt: skip
    """Add a gate whose middle is the point `pos` of the floor; `half` is half its width (m)."""
    body = scene.body(name, pos, yaw=yaw)
    for side in (-1, 1):
        scene.shape(
            body, "box", (_POST_M, _POST_M, _HIGH_M / 2), (0, side * half, _HIGH_M / 2),
            rgba=scene.colour_of(colour), collide=FIXED,
        )  # fmt: skip
    scene.shape(
        body, "box", (_POST_M, half + _POST_M, _POST_M), (0, 0, _HIGH_M + _POST_M),
        rgba=scene.colour_of(colour, 0.8),
    )  # fmt: skip
    scene.site(body, name, (0, 0, 0))
    scene.add_object(SceneObject(name, "gate", name))
