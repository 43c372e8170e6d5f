"""The tabletop: an arm with a suction cup, blocks, and disturbances."""

from __future__ import annotations

import numpy as np

from regrasp.core.arrays import Array
from regrasp.worlds.disturbance import DisturbedWorld
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.ur5e import add_ur5e
from regrasp.worlds.tabletop.vacuum import Vacuum
from regrasp.worlds.world import CONTROL_DT

__all__ = ["CAMERAS", "TabletopWorld", "add_body"]

CAMERAS = ("front", "left")
"""One faces the robot, one faces the table from the robot's left."""
_FAILS_S = 0.25  # duration without vacuum after a drop: the object has left the cup by then


def add_body(scene: Scene) -> None:
    """Add the UR5e at the origin, and two cameras; the middle square of each shows the table."""
    if not scene.planning:
        add_camera(scene.spec, "front", (1.28, 0.0, 0.72), (0.47, 0.0, 0.12), 42.0)
        add_camera(scene.spec, "left", (0.52, 1.02, 0.64), (0.48, -0.08, 0.11), 40.0)
    add_ur5e(scene)


class TabletopWorld(DisturbedWorld):
    """A world of the suction arm: see `DisturbedWorld`.

    A control is six joint targets (rad) and 1 for the pump or 0. `cup` is the vacuum.
    """

    def _settle(self) -> None:
        self.cup = Vacuum(self.model, self.data)
        super()._settle()

    @property
    def vacuum(self) -> float:
        """The reading of the gripper's pressure sensor: 0 none, 1 a full vacuum."""
        return self.cup.level

    def advance(self, control: Array) -> None:
        """One control period under `control` (7,)."""
        self.cup.advance(bool(control[6] > 0.5), self.seconds, CONTROL_DT)
        self._disturb()
        super().advance(np.append(control[:6], self.cup.level))

    def _disturb(self) -> None:
        """Report the error of a placement, and drop a held object at the drawn time."""
        cup = self.cup
        if cup.get("off_m") and cup.get("held_s") and not cup.holds:
            if self.seconds >= cup.get("fails_until_s"):
                self.on_disturbance(f"it is put down {100 * cup.get('off_m'):.1f} cm off")
            cup.set("off_m", 0.0)
        if self._slips(cup):
            self.on_disturbance(f"the vacuum fails, and the {cup.holds} falls")
            cup.set("fails_until_s", self.seconds + _FAILS_S)
            cup.set("level", 0.0)

    def misplacement(self) -> Array:
        """The error (x, y), in m, of the next placement."""
        number = int(self.cup.get("placings"))
        self.cup.set("placings", number + 1)
        offset = self.disturbance.offset(self.seed, number)
        self.cup.set("off_m", float(np.hypot(*offset)))
        return offset
