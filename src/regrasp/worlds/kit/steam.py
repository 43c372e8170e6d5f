"""Steam over a hot object, as small ellipsoids that are transparent until the object is hot."""

from __future__ import annotations

import math

import mujoco

from regrasp.worlds.kit.scene import Scene

__all__ = ["add_steam"]

_TRANSPARENT = (0.97, 0.97, 0.98, 0.0)
_WISPS, _PUFFS = 3, 4


def add_steam(scene: Scene, body: mujoco.MjsBody, name: str, top: float, radius: float) -> None:
    """Add geoms `NAME_steam_N` over a body whose surface is at height `top` (m, body frame)."""
    count = 0
    for wisp in range(_WISPS):
        angle = 2 * math.pi * wisp / _WISPS
        x, y = 0.45 * radius * math.cos(angle), 0.45 * radius * math.sin(angle)
        for puff in range(_PUFFS):
            height = top + 0.03 + 0.032 * puff
            sway = 0.12 * radius * math.sin(2.1 * puff + wisp)
            size = 0.010 + 0.12 * radius * (1 + 0.25 * puff)
            scene.shape(
                body, "ellipsoid", (0.6 * size, 0.6 * size, 1.5 * size),
                (x + sway, y - sway, height), rgba=_TRANSPARENT, name=f"{name}_steam_{count}",
            )  # fmt: skip
            count += 1
