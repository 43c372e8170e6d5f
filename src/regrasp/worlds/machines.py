"""Machines with a push button, and what an oven does to a dough in it.

A push switches a machine on, the next one off: the switch acts when its button is pushed in, and
again only after it has come back. A dough is baked after `BAKING_S` inside a closed oven that is
on. All of it is kept in the state of the simulation.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco

from regrasp.core.arrays import Array
from regrasp.core.errors import UnknownNameError
from regrasp.worlds.kit.push_switch import switch_name
from regrasp.worlds.kit.scene import Scene

__all__ = ["BAKING_S", "Machines", "machine_memory"]

BAKING_S = 4.0
_PUSHED, _BACK = 0.6, 0.3  # fractions of the button's travel
_LAMP_ON, _GLOW, _BAKED = (0.25, 1.0, 0.30, 1.0), (1.0, 0.50, 0.12, 1.0), (0.72, 0.43, 0.16, 1.0)
_LIT = ("back", "floor", "left", "right")


def _switched(scene: Scene) -> tuple[str, ...]:
    return tuple(name for name in scene.things if switch_name(name) in scene.joints)


def _doughs(scene: Scene) -> tuple[str, ...]:
    return tuple(thing.name for thing in scene.things.values() if thing.kind == "dough")


def machine_memory(scene: Scene) -> int:
    """The length of the memory of a scene's machines and doughs."""
    return 2 * len(_switched(scene)) + len(_doughs(scene))


class Machines:
    """Switches and baking; `memory` is a piece of the simulation's user data, zeros at first.

    `fraction` tells how far a joint is open or pushed in.
    """

    def __init__(
        self, scene: Scene, model: mujoco.MjModel, memory: Array, fraction: Callable[[str], float]
    ) -> None:
        self._scene, self._model, self._memory, self._fraction = scene, model, memory, fraction
        names, doughs = _switched(scene), _doughs(scene)
        self._on = {name: 2 * i for i, name in enumerate(names)}
        self._baked = {name: 2 * len(names) + i for i, name in enumerate(doughs)}
        self._plain = model.geom_rgba.copy()

    def switched_on(self, machine: str) -> bool:
        """Whether a machine is on."""
        if machine not in self._on:
            raise UnknownNameError("machine with a switch", machine, self._on)
        return bool(self._memory[self._on[machine]])

    def baked(self, dough: str) -> bool:
        """Whether a dough has been in a hot oven for long enough."""
        if dough not in self._baked:
            raise UnknownNameError("dough", dough, self._baked)
        return bool(self._memory[self._baked[dough]] >= BAKING_S)

    def set_switch(self, machine: str, on: bool) -> None:
        """Switch a machine on or off without a push, for pictures of any state."""
        self.switched_on(machine)
        self._memory[self._on[machine]] = float(on)

    def set_baked(self, dough: str, done: bool) -> None:
        """Make a dough baked or raw, for pictures of any state."""
        self.baked(dough)
        self._memory[self._baked[dough]] = BAKING_S if done else 0.0

    def advance(
        self, seconds: float, shut: Callable[[str], bool], inside: Callable[[str, str], bool]
    ) -> None:
        """One control period: let switches follow their buttons, and ovens bake."""
        for machine, slot in self._on.items():
            pushed = self._fraction(switch_name(machine))
            if pushed > _PUSHED and not self._memory[slot + 1]:
                self._memory[slot] = 1.0 - self._memory[slot]
                self._memory[slot + 1] = 1.0
            elif pushed < _BACK:
                self._memory[slot + 1] = 0.0
        ovens = [m for m, slot in self._on.items() if self._memory[slot] and self._is_oven(m)]
        for oven in ovens:
            for dough, slot in self._baked.items():
                if shut(oven) and inside(dough, oven):
                    self._memory[slot] += seconds

    def show(self) -> None:
        """Light the lamps, the insides of ovens, and the crusts of what is baked."""
        for machine in self._on:
            on = self.switched_on(machine)
            self._paint(f"{machine}_lamp", _LAMP_ON, on)
            for part in _LIT if self._is_oven(machine) else ():
                self._paint(f"{machine}_{part}", _GLOW, on)
        for dough in self._baked:
            self._paint(f"{dough}_crust", _BAKED, self.baked(dough))

    def _is_oven(self, machine: str) -> bool:
        return self._scene.things[machine].kind == "oven"

    def _paint(self, name: str, rgba: tuple[float, ...], changed: bool) -> None:
        geom = int(self._model.geom(name).id)
        self._model.geom_rgba[geom] = rgba if changed else self._plain[geom]
