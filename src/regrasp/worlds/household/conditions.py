"""Conditions of objects that positions do not show: filled, frozen, hot, halved, running, held.

They are kept in the simulator's user data, so that a snapshot of a world includes them. They show
as water, steam, frost and lamps; an object that does not exist is invisible.
"""

from __future__ import annotations

from collections.abc import Iterable

import mujoco
import numpy as np

from regrasp.worlds.household.faults import FAULT_RATES
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.kit.scene import Scene

__all__ = ["ROBOT", "ConditionRenderer", "Conditions", "condition_slots"]

ROBOT = "robot"
"""The owner of conditions that belong to no object."""

_OF_KIND = {
    "mug": ("level", "hot"),
    "pie": ("frozen", "hot"),
    "egg": ("halved",),
    "sink": ("water",),
    "microwave": ("on",),
    "oven": ("on",),
}
_OF_ROBOT = ("held", "focus_x", "focus_y", "focus_z", "focus_m", "awake_s")
_SEEN = ("level", "hot", "frozen", "halved", "water", "on")

_WATER = (0.12, 0.46, 0.95, 1.0)
_JET = (0.55, 0.80, 1.0, 1.0)
_STEAM = (0.97, 0.97, 0.99, 0.55)
_FROST, _ICED = (0.95, 0.98, 1.0, 1.0), (0.72, 0.84, 0.95, 1.0)
_BAKED = (0.74, 0.45, 0.15, 1.0)
_LAMP, _WINDOW = (0.25, 1.0, 0.30, 1.0), (1.0, 0.80, 0.28, 1.0)
_GLOW = {"oven": (1.0, 0.50, 0.12, 1.0), "microwave": (1.0, 0.88, 0.45, 1.0)}
_BRIM, _BOTTOM = 0.86, -0.84  # water levels of a vessel, in half heights
_LIT = ("back", "floor", "left", "right")

Slot = tuple[str, str]


def condition_slots(scene: Scene) -> dict[Slot, int]:
    """The index in the user data of each condition of an object, and of each skill's use count."""
    pairs = [(c, t.name) for t in scene.things.values() for c in _OF_KIND.get(t.kind, ())]
    pairs += [(condition, ROBOT) for condition in _OF_ROBOT]
    pairs += [("used", skill) for skill in FAULT_RATES]
    return {pair: i for i, pair in enumerate(pairs)}


class Conditions:
    """The conditions of a world, by name and object: numbers, 1.0 for true."""

    def __init__(self, data: mujoco.MjData, slots: dict[Slot, int]) -> None:
        self._data, self._slots = data, slots

    def has(self, condition: str, thing: str) -> bool:
        """Whether that object has such a condition."""
        return (condition, thing) in self._slots

    def get(self, condition: str, thing: str) -> float:
        """Its value; 0 for an object without such a condition."""
        slot = self._slots.get((condition, thing))
        return 0.0 if slot is None else float(self._data.userdata[slot])

    def set(self, condition: str, thing: str, value: float) -> None:
        """Set its value."""
        self._data.userdata[self._slots[condition, thing]] = value

    def of(self, condition: str) -> list[str]:
        """The objects that have such a condition."""
        return [thing for name, thing in self._slots if name == condition]

    def true_of(self, condition: str) -> list[str]:
        """The objects for which a condition is not 0."""
        return [thing for thing in self.of(condition) if self.get(condition, thing)]

    def key(self) -> bytes:
        """A key that changes when something visible changes."""
        seen = [slot for (name, _), slot in self._slots.items() if name in _SEEN]
        return bytes(self._data.userdata[seen].tobytes())


class ConditionRenderer:
    """Changes the appearance and contacts of objects in a compiled scene, not their positions."""

    def __init__(self, scene: Scene, model: mujoco.MjModel, conditions: Conditions) -> None:
        self._scene, self._model, self._conditions = scene, model, conditions
        self._rgba = model.geom_rgba.copy()
        self._contacts = model.geom_contype.copy(), model.geom_conaffinity.copy()
        self._weights = model.body_gravcomp.copy()
        self._named = {model.geom(i).name: i for i in range(model.ngeom) if model.geom(i).name}
        self._shown: bytes = b""

    def update(self, carried: Iterable[str]) -> None:
        """Show all conditions; `carried` objects have no contacts and no weight."""
        carried = list(carried)
        now = self._conditions.key() + "/".join(carried).encode()
        if now == self._shown:
            return
        self._shown = now
        model, c = self._model, self._conditions
        model.geom_rgba[:] = self._rgba
        model.geom_contype[:], model.geom_conaffinity[:] = self._contacts
        model.body_gravcomp[:] = self._weights
        for thing in carried:
            self._untouchable(thing)
        for vessel in c.true_of("level"):
            self._water(vessel, c.get("level", vessel))
        for sink in c.true_of("water"):
            self._paint(f"{sink}_water", _WATER)
            self._paint(f"{sink}_stream", _JET)
        for food in c.true_of("frozen"):
            self._paint_all(f"{food}_frost_", _FROST)
            self._paint_all(f"{food}_crust_", _ICED)
        for hot in c.true_of("hot"):
            self._paint_all(f"{hot}_steam_", _STEAM)
            self._paint_all(f"{hot}_crust_", _BAKED)
        for appliance in c.true_of("on"):
            self._light(appliance)
        for egg in c.of("halved"):
            absent = (egg,) if c.get("halved", egg) else half_names(egg)
            for thing in absent:
                self._remove(thing)

    def _water(self, vessel: str, level: float) -> None:
        half = self._scene.things[vessel].extent[1]
        geom = self._named[f"{vessel}_water"]
        self._model.geom_pos[geom, 2] = half * (_BOTTOM + level * (_BRIM - _BOTTOM))
        self._paint(f"{vessel}_water", _WATER)

    def _light(self, appliance: str) -> None:
        glow = _GLOW[self._scene.things[appliance].kind]
        self._paint(f"{appliance}_lamp", _LAMP)
        self._paint(f"{appliance}_window", _WINDOW)
        for part in _LIT:
            self._paint(f"{appliance}_{part}", glow)

    def _remove(self, thing: str) -> None:
        """Make an object invisible and without contacts."""
        body = self._model.body(thing).id
        self._model.geom_rgba[self._model.geom_bodyid == body, 3] = 0.0
        self._untouchable(thing)

    def _untouchable(self, thing: str) -> None:
        """Remove contacts and weight, so that the object stays where it is put."""
        body = self._model.body(thing).id
        mine = self._model.geom_bodyid == body
        self._model.geom_contype[mine] = 0
        self._model.geom_conaffinity[mine] = 0
        self._model.body_gravcomp[body] = 1.0

    def _paint(self, geom: str, rgba: tuple[float, ...]) -> None:
        self._model.geom_rgba[self._named[geom]] = rgba

    def _paint_all(self, prefix: str, rgba: tuple[float, ...]) -> None:
        for name, geom in self._named.items():
            if name.startswith(prefix):
                self._model.geom_rgba[geom] = np.asarray(rgba)
