"""Liquids and loose solids in vessels, in ml: they flow from a tilted vessel, spill, overflow.

There are no particles. An open vessel that is tilted past the angle at which its contents reach the
lip loses them at a rate; they fall straight down from the lip. The highest open mouth below takes
them; whatever finds none, or finds it full, is spilt. Every ml is in a vessel or in the account of
what is spilt. All of it is kept in the state of the simulation, so that a snapshot includes it.

A vessel without a substance of its own takes a mixture; one made for a substance, such as a bottle
or a bowl, takes only that one back. 1 ml weighs 1 g.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.core.errors import UnknownNameError
from regrasp.worlds.kit.vessel import Vessel
from regrasp.worlds.substances import SUBSTANCE_COLOURS

__all__ = ["LEAST_ML", "Liquids", "memory_size", "substances_of"]

LEAST_ML = 0.5
"""The least that counts: below it a vessel is empty of a substance, above capacity less it full."""
_FULL_RATE_RAD = 0.5  # tilt beyond the angle at which a vessel begins to flow, for its full rate
_UPRIGHT_COS = 0.7  # a vessel that leans further takes nothing


def substances_of(vessels: Iterable[Vessel]) -> tuple[str, ...]:
    """The substances that the vessels are made for, sorted."""
    return tuple(sorted({vessel.substance for vessel in vessels if vessel.substance}))


def memory_size(vessels: Iterable[Vessel]) -> int:
    """The length of the memory: every slot of every vessel, the caps, and what is spilt."""
    known = tuple(vessels)
    kinds = len(substances_of(known))
    return sum(1 if one.substance else kinds for one in known) + len(known) + kinds


class Liquids:
    """The contents of `vessels`; `memory` is a piece of the simulation's user data.

    At first every vessel has its stock, and the caps are on.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        vessels: Mapping[str, Vessel],
        memory: Array,
    ) -> None:
        self._model, self._data, self._memory = model, data, memory
        self.vessels = dict(vessels)
        self.substances = substances_of(self.vessels.values())
        self._rows: dict[str, tuple[tuple[str, int], ...]] = {}
        slot = 0
        for name, vessel in self.vessels.items():
            held = (vessel.substance,) if vessel.substance else self.substances
            self._rows[name] = tuple((s, slot + i) for i, s in enumerate(held))
            slot += len(held)
        self._caps = {name: slot + i for i, name in enumerate(self.vessels)}
        self._spilt = {s: slot + len(self.vessels) + i for i, s in enumerate(self.substances)}
        self._bodies = np.array([model.body(name).id for name in self.vessels], np.intp)
        self._least = np.cos([vessel.tilts[0] for vessel in self.vessels.values()])

    def fill(self) -> None:
        """Give every vessel its stock, put on all caps, and forget what was spilt."""
        self._memory[:] = 0.0
        for name, vessel in self.vessels.items():
            for substance, slot in self._rows[name]:
                self._memory[slot] = vessel.stock if substance == vessel.substance else 0.0
            self._memory[self._caps[name]] = float(vessel.capped)

    # ---- contents ------------------------------------------------------------------------------

    def contents(self, vessel: str) -> dict[str, float]:
        """The ml of each substance in a vessel; those of which there is none are left out."""
        row = self._row(vessel)
        return {s: float(self._memory[i]) for s, i in row if self._memory[i] > 0.0}

    def amount(self, vessel: str, substance: str) -> float:
        """The ml of one substance in a vessel; 0 also for one of which there is none anywhere."""
        if substance not in self.substances and substance not in SUBSTANCE_COLOURS:
            raise UnknownNameError("substance", substance, self.substances)
        return self.contents(vessel).get(substance, 0.0)

    def volume(self, vessel: str) -> float:
        """The ml in a vessel."""
        return float(sum(self._memory[i] for _, i in self._row(vessel)))

    def weight(self, vessel: str) -> float:
        """The weight of a vessel and what is in it, in grams."""
        return 1000.0 * float(self._model.body(vessel).mass[0]) + self.volume(vessel)

    def is_full(self, vessel: str) -> bool:
        """Whether nothing more goes in."""
        return self.volume(vessel) > self.vessels[vessel].capacity - LEAST_ML

    def spilt(self) -> dict[str, float]:
        """The ml of each substance that are in no vessel any more."""
        found = {s: float(self._memory[i]) for s, i in self._spilt.items()}
        return {s: ml for s, ml in found.items() if ml > 0.0}

    def key(self) -> bytes:
        """A key that changes when any contents or cap change."""
        return bytes(self._memory.tobytes())

    def set_amount(self, vessel: str, substance: str, ml: float) -> None:
        """Set the ml of a substance in a vessel that can hold it, e.g. to empty a bottle."""
        slots = dict(self._row(vessel))
        if substance not in slots:
            raise UnknownNameError(f"substance of {vessel}", substance, slots)
        self._memory[slots[substance]] = ml

    # ---- caps ----------------------------------------------------------------------------------

    def capped(self, vessel: str) -> bool:
        """Whether its cap is on."""
        self._row(vessel)
        return bool(self._memory[self._caps[vessel]] > 0.5)

    def set_cap(self, vessel: str, on: bool) -> None:
        """Put the cap of a bottle on, or take it off."""
        if not self.vessels[vessel].capped:
            raise UnknownNameError(
                "bottle with a cap", vessel, [v.name for v in self.vessels.values() if v.capped]
            )
        self._memory[self._caps[vessel]] = float(on)

    # ---- flow ----------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let everything flow for a control period, at the present poses."""
        upward = self._data.xmat[self._bodies, 8]
        for i in np.flatnonzero(upward < self._least):
            self._pour(tuple(self.vessels)[int(i)], float(upward[i]), seconds)

    def flow_rate(self, vessel: str) -> float:
        """The ml that leave a vessel in a second at its present tilt."""
        upward = float(self._data.body(vessel).xmat[8])
        return self._rate(vessel, upward)

    def _rate(self, name: str, upward: float) -> float:
        vessel, volume = self.vessels[name], self.volume(name)
        if volume <= 0.0 or self.capped(name):
            return 0.0
        full, drained = vessel.tilts
        begins = full + (1.0 - min(volume / vessel.capacity, 1.0)) * (drained - full)
        past = float(np.arccos(np.clip(upward, -1.0, 1.0))) - begins
        return vessel.rate * float(np.clip(past / _FULL_RATE_RAD, 0.0, 1.0))

    def _pour(self, name: str, upward: float, seconds: float) -> None:
        volume = self.volume(name)
        leaves = min(self._rate(name, upward) * seconds, volume)
        if leaves <= 0.0:
            return
        target = self.below(name)
        room = self.vessels[target].capacity - self.volume(target) if target else 0.0
        taken = min(leaves, max(room, 0.0)) / leaves
        slots = dict(self._row(target)) if target else {}
        for substance, slot in self._row(name):
            part = self._memory[slot] * leaves / volume
            self._memory[slot] -= part
            goes_in = part * taken if substance in slots else 0.0
            if goes_in:
                self._memory[slots[substance]] += goes_in
            self._memory[self._spilt[substance]] += part - goes_in

    def below(self, name: str) -> str:
        """The vessel whose mouth is under the lip of another; empty for none."""
        lip = self.lip(name)
        found, highest = "", -np.inf
        for other, vessel in self.vessels.items():
            if other == name or self.capped(other):
                continue
            mouth = self._data.site(vessel.mouth)
            open_up = mouth.xmat[8] > _UPRIGHT_COS and mouth.xpos[2] < lip[2]
            near = float(np.hypot(*(mouth.xpos[:2] - lip[:2]))) <= vessel.mouth_radius
            if open_up and near and mouth.xpos[2] > highest:
                found, highest = other, float(mouth.xpos[2])
        return found

    def lip(self, name: str) -> npt.NDArray[np.float64]:
        """The lowest point (3,) of a vessel's mouth, from which its contents fall."""
        vessel = self.vessels[name]
        mouth = self._data.site(vessel.mouth)
        axis = mouth.xmat.reshape(3, 3)[:, 2]
        down = np.array([0.0, 0.0, -1.0])
        across = down - (down @ axis) * axis
        length = float(np.linalg.norm(across))
        offset = vessel.mouth_radius * across / length if length > 1e-9 else 0.0
        return np.asarray(mouth.xpos + offset)

    def _row(self, vessel: str) -> tuple[tuple[str, int], ...]:
        if vessel not in self._rows:
            raise UnknownNameError("vessel", vessel, self._rows)
        return self._rows[vessel]
