"""The physics of a world with the two-armed robot: servos, grips, and the load in each hand."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import mujoco

from regrasp.core.arrays import Array
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.two_arms import CONTROLS, add_two_arms
from regrasp.worlds.two_arms.grip import MEMORY, both_grips
from regrasp.worlds.world import Snapshot, World

__all__ = ["TwoArmWorld", "add_body"]

_STEP_S = 0.005


def add_body(scene: Scene) -> None:
    """Add the robot, and the memory of its grips as the first of the user data.

    Things at rest sleep: a scene of 45 things is simulated seven times as fast (docs/control.md). A
    world that keeps more in the user data adds its count to `scene.spec.nuserdata` when it is
    built, and starts where it was.
    """
    scene.spec.nuserdata = MEMORY
    if not scene.planning:
        scene.spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        # With sleeping things, MuJoCo 4.0's implicitfast diverged where a held thing met others.
        scene.spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICIT
    add_two_arms(scene)


class TwoArmWorld(World):
    """A world of the two-armed robot: see `World`.

    A control is 16 numbers, in the order of `CONTROLS`: the joint targets (rad) and the fingers'
    target (m; below 0 closes them) of the left arm, then of the right one. `grips` are what the
    hands hold, by side. Another robot with such hands has its own `CONTROLS`.
    """

    CONTROLS: ClassVar[tuple[str, ...]] = CONTROLS

    def __init__(
        self, plan: Any, task: str | None = None, seed: int = 0, *, timestep: float = _STEP_S
    ) -> None:
        super().__init__(plan, task, seed, timestep=timestep)

    def _settle(self) -> None:
        self.grips = both_grips(self.model, self.data)
        super()._settle()

    def advance(self, control: Array) -> None:
        """One control period under `control` (16,)."""
        applied = control.copy()
        for side, grip in self.grips.items():
            slot = self.CONTROLS.index(f"{side}_grip")
            applied[slot] = grip.advance(float(control[slot]))
        super().advance(applied)

    def restore(self, snapshot: Snapshot) -> None:
        """See `World.restore`."""
        super().restore(snapshot)
        for grip in self.grips.values():
            grip.sync()

    def gripped(self, side: str) -> str:
        """The body between the closed fingers of a side; "" for none."""
        return self.grips[side].holds

    def hand_load(self, side: str) -> float:
        """The weight in a hand (g), as its force sensor reads it: a free thing and its contents."""
        held = self.grips[side].holds
        if not held or self.model.body(held).dofnum[0] != 6:
            return 0.0
        return 1000.0 * float(self.model.body(held).mass[0]) + self.contents_g(held)

    def turn_cap(self, side: str, bottle: str, *, on: bool) -> bool:
        """Let a hand turn a bottle's cap; whether it was there: see a world with bottles."""
        return False

    def room_ml(self, vessel: str) -> float:
        """How much more a vessel takes, from the level seen in it: see a world with liquids."""
        return math.inf

    def contents_g(self, thing: str) -> float:
        """The weight (g) of what a vessel contains; a world with liquids knows it."""
        return 0.0
