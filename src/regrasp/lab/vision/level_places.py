"""Level places of a scene, such as boards, trays and floors of ovens, and the free room on them."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from regrasp.lab.vision.placing import Doubles
from regrasp.worlds.kit.scene import Scene

__all__ = ["Level", "TakenSpace", "levels_of", "table_obstacles"]

_LEAST_M = 0.04  # smallest half width of a level place
_GAP_M = 0.004  # least distance of two things that stand side by side
_WALL_M = 0.03  # around closed furniture


@dataclass(frozen=True, slots=True)
class Level:
    """A level rectangle of an object: its `centre` (3,) and half sizes in the body's frame (m)."""

    place: str
    body: str
    centre: tuple[float, float, float]
    half: tuple[float, float]
    inside: bool = False


def levels_of(scene: Scene, model: mujoco.MjModel) -> dict[str, list[Level]]:
    """The level rectangles of each object that others stand on or in: its flat boxes."""
    found: dict[str, list[Level]] = {}
    for place, region in (*scene.tops.items(), *scene.insides.items()):
        low, high = region.centre[2] - region.half[2], region.centre[2] + 0.7 * region.half[2]
        inside = place in scene.insides
        for geom in np.flatnonzero(model.geom_bodyid == model.body(region.body).id).tolist():
            size, at = model.geom_size[geom], model.geom_pos[geom]
            box = model.geom_type[geom] == int(mujoco.mjtGeom.mjGEOM_BOX)
            flat = size[2] <= min(size[:2]) and min(size[:2]) >= _LEAST_M
            top = float(at[2] + size[2])
            fits = low - 0.03 <= top <= high if inside else True
            if box and flat and fits and model.geom_contype[geom]:
                x, y, half = float(at[0]), float(at[1]), (float(size[0]), float(size[1]))
                if scene.things[place].kind == "mixer":  # the plate for the cup
                    x, half = region.centre[0], (_LEAST_M, _LEAST_M)
                found.setdefault(place, []).append(
                    Level(place, region.body, (x, y, top), half, inside)
                )
    return found


def table_obstacles(scene: Scene, table: str) -> list[Level]:
    """The rectangles on a table that furniture takes."""
    found = []
    for place, region in (*scene.tops.items(), *scene.insides.items()):
        if place == table or scene.things[place].movable:
            continue
        wall = _WALL_M if place in scene.insides else 0.0
        half = (region.half[0] + wall, region.half[1] + 2 * wall)
        found.append(Level(place, region.body, region.centre, half))
    return found


@dataclass(slots=True)
class TakenSpace:
    """Upright cylinders that things take: x, y, low, high, radius (m), by name."""

    cylinders: dict[str, tuple[float, float, float, float, float]] = field(default_factory=dict)

    def add(self, name: str, at: Doubles, half: float, radius: float) -> None:
        """Take a cylinder around the point `at` (3,)."""
        low, high = float(at[2]) - half, float(at[2]) + half
        self.cylinders[name] = (float(at[0]), float(at[1]), low, high, radius)

    def remove(self, name: str) -> None:
        """Give the space of a thing back, if it has some."""
        self.cylinders.pop(name, None)

    def is_free(self, at: Doubles, half: float, radius: float) -> bool:
        """Whether a cylinder around the point `at` (3,) meets none that is there."""
        if not self.cylinders:
            return True
        x, y, low, high, wide = np.array(list(self.cylinders.values())).T
        level = (at[2] - half < high) & (at[2] + half > low)
        near = np.hypot(x - at[0], y - at[1]) < wide + radius + _GAP_M
        return not bool((level & near).any())
