"""The vacuum of a suction cup: pump, seal and leak.

The cup is sealed while its whole lip touches one object. The pump then evacuates it in
`EVACUATE_S`. Without a seal, or with the valve open, the vacuum is lost at once. The level, 0 to 1,
is the reading of the gripper's pressure sensor and scales the pull of the cup. All of it is kept in
the state of the simulation, so that a snapshot includes it.
"""

from __future__ import annotations

from typing import ClassVar

import mujoco
import numpy as np

from regrasp.worlds.disturbance import HoldState
from regrasp.worlds.kit.ur5e import CUP, LIPS

__all__ = ["EVACUATE_S", "Vacuum"]

EVACUATE_S = 0.06
_ON = 0.5


class Vacuum(HoldState):
    """Reads and sets the vacuum of the cup in a model's state."""

    SLOTS: ClassVar[tuple[str, ...]] = (
        "level", "held_s", "holds", "fails_until_s", "placings", "off_m",
    )  # fmt: skip

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        super().__init__(data.userdata)
        self._model, self._data = model, data
        self._cup = int(model.body(CUP).id)

    @property
    def level(self) -> float:
        """The fraction of a full vacuum, 0 to 1."""
        return self.get("level")

    @property
    def sealed(self) -> str:
        """The body that the whole lip touches; empty for none."""
        model, contacts = self._model, self._data.contact
        bodies = model.geom_bodyid[contacts.geom]  # (n, 2)
        mine = bodies == self._cup
        others = bodies[mine[:, ::-1]]
        if len(others) < LIPS:
            return ""
        body, touching = np.unique(others, return_counts=True)
        most = int(np.argmax(touching))
        return str(model.body(int(body[most])).name) if touching[most] >= LIPS else ""

    @property
    def holds(self) -> str:
        """The body that the vacuum holds; empty for none."""
        return self.sealed if self.level > _ON else ""

    def advance(self, pump: bool, seconds: float, dt: float) -> None:
        """One control period that begins at `seconds`, with the pump on or the valve open."""
        works = pump and seconds >= self.get("fails_until_s") and self.sealed != ""
        self.set("level", min(1.0, self.level + dt / EVACUATE_S) if works else 0.0)
