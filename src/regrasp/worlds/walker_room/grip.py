"""The grip of two hands: the held object, the duration of the hold, and its failure.

Hands hold an object while both touch it. The pull of each is limited by its actuator, so a held
object can still slip or be torn away. After a loss the arms swing open, and nothing is held until
the command to hold was off for a moment. All of it is kept in the state of the simulation, so that
a snapshot includes it.
"""

from __future__ import annotations

from typing import ClassVar

import mujoco

from regrasp.core.arrays import Array
from regrasp.worlds.disturbance import HoldState
from regrasp.worlds.kit.walker import HANDS

__all__ = ["Grip"]


class Grip(HoldState):
    """Reads and sets the grip of both hands; `memory` (4,) is a piece of the state's user data."""

    SLOTS: ClassVar[tuple[str, ...]] = ("on", "held_s", "holds", "lost")

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, memory: Array) -> None:
        super().__init__(memory)
        self._model, self._data = model, data
        self._hands = [int(model.body(hand).id) for hand in HANDS]

    @property
    def between(self) -> str:
        """The loose object that both hands touch; empty for none."""
        model = self._model
        pairs = model.geom_bodyid[self._data.contact.geom].reshape(-1, 2)
        touched = [
            {int(b) for b in pairs[(pairs == hand).any(axis=1)].ravel()} - {hand}
            for hand in self._hands
        ]
        loose = [b for b in touched[0] & touched[1] if model.body_dofnum[b] == 6]
        return str(model.body(min(loose)).name) if loose else ""

    @property
    def holds(self) -> str:
        """The held object: both hands touch it while they hold; empty for none."""
        return self.between if self.get("on") else ""

    def advance(self, wanted: bool) -> None:
        """Hold, if that is commanded and both hands touch one object."""
        if not wanted:
            self.set("lost", 0.0)
        elif self.get("on") and not self.between:
            self.set("lost", 1.0)
        self.set("on", float(wanted and not self.get("lost") and bool(self.between)))

    def fail(self) -> None:
        """Drop the held object."""
        self.set("lost", 1.0)
        self.set("on", 0.0)
