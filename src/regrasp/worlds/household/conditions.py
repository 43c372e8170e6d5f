"""Conditions of objects that positions do not show: filled, frozen, hot, halved, running, held.

They are kept in the simulator's user data, so that a snapshot of a world includes them.
"""

from __future__ import annotations

import mujoco

from regrasp.worlds.household.faults import FAULT_RATES
from regrasp.worlds.kit.scene import Scene

__all__ = ["ROBOT", "Conditions", "condition_slots"]

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
