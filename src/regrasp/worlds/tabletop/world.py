"""The tabletop: an arm with a suction cup, blocks, and disturbances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from regrasp.core.errors import RegraspError
from regrasp.worlds.disturbance import Disturbance
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.ur5e import add_ur5e
from regrasp.worlds.tabletop.tasks import build
from regrasp.worlds.tabletop.vacuum import Vacuum
from regrasp.worlds.world import CONTROL_DT, Setup, Task, World, WorldPlan

__all__ = ["CAMERAS", "TabletopPlan", "TabletopWorld", "add_body", "build_task"]

CAMERAS = ("front", "left")
"""One faces the robot, one faces the table from the robot's left."""
_FAILS_S = 0.25  # duration without vacuum after a drop: the object has left the cup by then


def add_body(scene: Scene) -> None:
    """Add the UR5e at the origin, and two cameras; the middle square of each shows the table."""
    if not scene.planning:
        add_camera(scene.spec, "front", (1.28, 0.0, 0.72), (0.47, 0.0, 0.12), 42.0)
        add_camera(scene.spec, "left", (0.52, 1.02, 0.64), (0.48, -0.08, 0.11), 40.0)
    add_ur5e(scene)


def build_task(scene: Scene, task: str) -> Setup:
    """Add the objects of a task; the disturbance after the colon of its name changes no object."""
    return build(scene, task.partition(":")[0])


@dataclass(frozen=True, slots=True)
class TabletopPlan(WorldPlan):
    """A plan whose tasks accept a disturbance: `stack-in-order:p=0.1,n=2`."""

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`."""
        plain, colon, disturbance = (name or self.tasks[0].name).partition(":")
        task = super(TabletopPlan, self).task(plain)
        return replace(task, name=f"{plain}:{Disturbance.parse(disturbance)}" if colon else plain)

    def open(self, task: str | None, seed: int, *, skin: str = "primitive") -> World:
        """See `WorldPlan.open`; this arm has one skin."""
        if skin != "primitive":
            raise RegraspError(f"the tabletop's arm has no skin {skin!r}; leave --skin out.")
        return TabletopWorld(self, task, seed)


class TabletopWorld(World):
    """A world of the suction arm: see `World`.

    A control is six joint targets (rad) and 1 for the pump or 0. `cup` is the vacuum.
    `on_disturbance` is called with a description of every disturbance when it happens.
    """

    def __init__(self, plan: TabletopPlan, task: str | None = None, seed: int = 0) -> None:
        self.disturbance = Disturbance.parse(plan.task(task).name.partition(":")[2])
        self.on_disturbance: Callable[[str], None] = lambda mishap: None
        super().__init__(plan, task, seed)

    def _settle(self) -> None:
        self.cup = Vacuum(self.model, self.data)
        super()._settle()

    @property
    def vacuum(self) -> float:
        """The reading of the gripper's pressure sensor: 0 none, 1 a full vacuum."""
        return self.cup.level

    def advance(self, control: npt.NDArray[np.float64]) -> None:
        """One control period under `control` (7,)."""
        self.cup.advance(bool(control[6] > 0.5), self.seconds, CONTROL_DT)
        self._let_slip()
        super().advance(np.append(control[:6], self.cup.level))

    def _let_slip(self) -> None:
        """Measure how long an object is held, and drop it at the drawn time."""
        cup = self.cup
        if not cup.holds:
            if cup.get("held_s"):
                self._let_go()
            return
        cup.set("held_s", cup.get("held_s") + CONTROL_DT)
        if cup.get("held_s") >= self.disturbance.hold_s(self.seed, int(cup.get("holds"))):
            self.on_disturbance(f"the vacuum fails, and the {cup.holds} falls")
            cup.set("fails_until_s", self.seconds + _FAILS_S)
            cup.set("level", 0.0)

    def _let_go(self) -> None:
        """A hold ended: the object was dropped, or placed with the drawn error."""
        cup = self.cup
        if cup.get("off_m") and self.seconds >= cup.get("fails_until_s"):
            self.on_disturbance(f"it is put down {100 * cup.get('off_m'):.1f} cm off")
        cup.set("holds", cup.get("holds") + 1)
        cup.set("held_s", 0.0)
        cup.set("off_m", 0.0)

    def misplacement(self) -> npt.NDArray[np.float64]:
        """The error (x, y), in m, of the next placement."""
        number = int(self.cup.get("placings"))
        self.cup.set("placings", number + 1)
        offset = self.disturbance.offset(self.seed, number)
        self.cup.set("off_m", float(np.hypot(*offset)))
        return offset
