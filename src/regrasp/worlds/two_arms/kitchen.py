"""A world of the two-armed robot with vessels, doors and machines: bar and pizza kitchen."""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.fact import Fact, State
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.push_switch import switch_name
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.liquid_levels import LiquidLevels
from regrasp.worlds.liquids import Liquids, memory_size
from regrasp.worlds.machines import Machines, machine_memory
from regrasp.worlds.task_options import TaskOptions
from regrasp.worlds.two_arms.grip import MEMORY
from regrasp.worlds.two_arms.world import TwoArmWorld
from regrasp.worlds.world import CONTROL_DT, Snapshot

__all__ = ["CAP_REACH_M", "SHUT", "KitchenWorld", "add_memory", "doors_of"]

CAP_REACH_M = 0.04
"""Largest distance of the point between the fingers from a cap that they turn."""
SHUT = 0.1
"""Largest fraction of its range at which a door is closed."""


def add_memory(scene: Scene) -> None:
    """Reserve the user data of a scene that is complete: liquids and machines, after the grips."""
    scene.spec.nuserdata = MEMORY + memory_size(scene.vessels.values()) + machine_memory(scene)


def doors_of(scene: Scene, place: str) -> tuple[str, ...]:
    """The joints of the doors of an object."""
    handles = (t for t in scene.things.values() if t.of == place and t.kind == "handle")
    return tuple(handle.joint for handle in handles)


class KitchenWorld(TwoArmWorld):
    """See `TwoArmWorld`. `liquids` are the contents of its vessels, `machines` its switches."""

    def _settle(self) -> None:
        scene, user = self.scene, self.data.userdata
        end = MEMORY + memory_size(scene.vessels.values())
        self.liquids = Liquids(self.model, self.data, scene.vessels, user[MEMORY:end])
        self.machines = Machines(scene, self.model, user[end:], self.fraction)
        self._levels = LiquidLevels(self.model, self.liquids)
        self.options = TaskOptions.parse(self.task.name)
        self.liquids.fill()
        for name in self.options.empty:
            self.liquids.set_amount(name, scene.vessels[name].substance, 0.0)
        super()._settle()
        self._show()

    # ---- time ----------------------------------------------------------------------------------

    def advance(self, control: Array) -> None:
        """One control period under `control` (16,); then everything flows, switches and bakes."""
        super().advance(control)
        self.liquids.advance(CONTROL_DT)
        self.machines.advance(CONTROL_DT, self.shut, self._is_inside)
        self._show()

    def restore(self, snapshot: Snapshot) -> None:
        """See `World.restore`."""
        super().restore(snapshot)
        self._show()

    def set_state(self, qpos: Array, user: Array) -> None:
        """See `World.set_state`."""
        self.data.userdata[:] = user
        self._show()
        super().set_state(qpos, user)

    def _show(self) -> None:
        self._levels.update()
        self.machines.show()

    # ---- what a hand feels and does ------------------------------------------------------------

    def contents_g(self, thing: str) -> float:
        """See `TwoArmWorld.contents_g`."""
        return self.liquids.volume(thing) if thing in self.scene.vessels else 0.0

    def room_ml(self, vessel: str) -> float:
        """See `TwoArmWorld.room_ml`."""
        if vessel not in self.scene.vessels:
            return super().room_ml(vessel)
        return self.scene.vessels[vessel].capacity - self.liquids.volume(vessel)

    def turn_cap(self, side: str, bottle: str, *, on: bool) -> bool:
        """Let a hand turn a bottle's cap on or off; whether the cap was between its fingers."""
        palm = self.data.site(f"{side}_{PALM}").xpos
        cap = self.data.site(self.scene.vessels[bottle].cap).xpos
        at_cap = float(np.linalg.norm(palm - cap)) <= CAP_REACH_M
        if at_cap:
            self.liquids.set_cap(bottle, on)
        return at_cap

    # ---- knowledge of its robot ----------------------------------------------------------------

    def objects(self) -> tuple[ObjectDescription, ...]:
        """See `World.objects`."""
        described = {one.name: one for one in super().objects()}
        return tuple(
            ObjectDescription(one.name, one.kind, tuple(self._uses(one.name)), one.joints)
            for one in described.values()
        )

    def _uses(self, name: str) -> list[Affordance]:
        thing, scene = self.scene.things[name], self.scene
        uses = {
            Affordance.OPEN: bool(doors_of(scene, name)),
            Affordance.TURN: switch_name(name) in scene.joints,
            Affordance.PICK: thing.movable,
            Affordance.PUT_IN: name in scene.insides,
            Affordance.PUT_ON: name in scene.tops,
        }
        return [use for use, allowed in uses.items() if allowed]

    def inventory(self) -> State:
        """What the robot is told before it begins: where things are, and what is in them.

        An empty bottle of the task's options is told to be full.
        """
        told = {one.fact for one in self.start if one.positive}
        for name in self.options.empty:
            told -= {Fact.of("empty", name)}
            told |= {Fact.of("contains", name, self.scene.vessels[name].substance)}
        return frozenset(told)

    # ---- ground truth (not for agents) ---------------------------------------------------------

    def shut(self, place: str) -> bool:
        """Whether every door of an object is closed."""
        return all(self.fraction(door) <= SHUT for door in doors_of(self.scene, place))

    def _is_inside(self, thing: str, place: str) -> bool:
        return self.within(thing, self.scene.insides[place])
