"""Shows the contents of vessels: a column that rises, in the colour of the mixture, and caps."""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.worlds.liquids import Liquids
from regrasp.worlds.substances import mixed_colour

__all__ = ["LiquidLevels"]

_LEAST_LEVEL = 0.03  # of a vessel's depth, so that a little is seen


class LiquidLevels:
    """Moves and colours the fill geoms and caps of a compiled scene."""

    def __init__(self, model: mujoco.MjModel, liquids: Liquids) -> None:
        self._model, self._liquids = model, liquids
        self._caps = {
            name: int(model.geom(vessel.cap).id)
            for name, vessel in liquids.vessels.items()
            if vessel.capped
        }
        self._key = b""
        self._shown: dict[str, tuple[tuple[tuple[str, float], ...], bool]] = {}

    def update(self) -> None:
        """Show the present contents of every vessel that has changed."""
        key = self._liquids.key()
        if key == self._key:
            return
        self._key = key
        for name in self._liquids.vessels:
            now = tuple(self._liquids.contents(name).items()), self._liquids.capped(name)
            if self._shown.get(name) != now:
                self._shown[name] = now
                self._show(name)

    def _show(self, name: str) -> None:
        model, vessel = self._model, self._liquids.vessels[name]
        parts = self._liquids.contents(name)
        geom, ml = int(model.geom(vessel.fill).id), sum(parts.values())
        part = np.clip(ml / vessel.capacity, _LEAST_LEVEL, 1.0)
        half = float(part * vessel.depth / 2)
        model.geom_size[geom, 1] = half
        model.geom_pos[geom, 2] = vessel.bottom + half
        model.geom_aabb[geom, 5] = half
        model.geom_rbound[geom] = float(np.hypot(vessel.radius, half))
        model.geom_rgba[geom] = (*mixed_colour(parts.items()), 1.0 if ml > 0.0 else 0.0)
        if name in self._caps:
            model.geom_rgba[self._caps[name], 3] = float(self._liquids.capped(name))
