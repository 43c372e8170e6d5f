"""The walker's room: the legs follow a policy, the hands hold objects and may drop them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.gait import PERIOD_S, TALL_M
from regrasp.control.walking import MEMORY, LegController, WalkingPolicy
from regrasp.core.errors import RegraspError
from regrasp.core.object_description import ObjectDescription
from regrasp.worlds.disturbance import Disturbance
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.walker import ARMS, BASE, HEAD, HOME, LEGS, add_walker
from regrasp.worlds.walker_room.grip import Grip
from regrasp.worlds.walker_room.tasks import FOREST, MOVE_BOX, build
from regrasp.worlds.world import CONTROL_DT, Setup, Task, World, WorldPlan

__all__ = [
    "CAMERAS",
    "FLOOR",
    "KNOBS",
    "STAND",
    "WalkerPlan",
    "WalkerWorld",
    "add_body",
    "build_task",
]

Array = npt.NDArray[np.float64]

CAMERAS = (HEAD, "room")
"""The walker's own camera, and one behind its start that looks down into the room."""
_TIMESTEP_S = 0.001  # the servos of the joints run at 1 kHz
_SETTLE_S = 1.0
_OPEN_RAD = 0.25  # how far the arms swing open after a drop
_ROLLS = [ARMS.index(name) for name in ("left_shoulder_roll", "right_shoulder_roll")]
FLOOR = ObjectDescription("floor", "floor", ())
"""The support of a dropped box."""
KNOBS = {MOVE_BOX.name: "p", FOREST.name: "d"}
"""The disturbance parameters of each task."""
STAND: Array = np.array([0.0, 0.0, 0.0, TALL_M, *HOME[: len(ARMS)], 0.0])
"""The control for standing at full height with hanging arms."""


def add_body(scene: Scene) -> None:
    """Add the walker at the origin, and the cameras."""
    if not scene.planning:
        add_camera(scene.spec, "room", (-2.0, 0.0, 2.6), (0.7, 0.0, 0.25), 68.0)
    add_walker(scene)


def build_task(scene: Scene, task: str) -> Setup:
    """Add the objects of a task; the text after the colon of its name sets the obstacle density."""
    plain, _, disturbance = task.partition(":")
    return build(scene, plain, Disturbance.parse(disturbance, KNOBS[plain]).d)


@dataclass(frozen=True, slots=True)
class WalkerPlan(WorldPlan):
    """A plan whose tasks accept a disturbance: `move-box:p=0.02`, `obstacle-forest:d=0.3`."""

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`."""
        plain, colon, disturbance = (name or self.tasks[0].name).partition(":")
        task = super(WalkerPlan, self).task(plain)
        given = Disturbance.parse(disturbance, KNOBS[plain])
        return replace(task, name=f"{plain}:{given}" if colon else plain)

    def open(self, task: str | None, seed: int, *, skin: str = "primitive") -> World:
        """See `WorldPlan.open`; the walker has one skin."""
        if skin != "primitive":
            raise RegraspError(f"the walker has no skin {skin!r}; leave --skin out.")
        return WalkerWorld(self, task, seed)


class WalkerWorld(World):
    """A world of the walker: see `World`.

    A control is a command (4,) of the legs, six targets of the arm joints (rad), and 1 for holding
    hands or 0: `STAND` is one. `grip` is the state of the hands. `on_disturbance` is called with a
    description of every disturbance when it happens. `policy` is by default the package's.
    """

    def __init__(
        self,
        plan: WalkerPlan,
        task: str | None = None,
        seed: int = 0,
        *,
        policy: WalkingPolicy | None = None,
    ) -> None:
        plain, _, disturbance = plan.task(task).name.partition(":")
        self.disturbance = Disturbance.parse(disturbance, KNOBS[plain])
        self.on_disturbance: Callable[[str], None] = lambda mishap: None
        self._policy = policy or WalkingPolicy.load()
        super().__init__(plan, task, seed, timestep=_TIMESTEP_S)

    def _settle(self) -> None:
        model, data = self.model, self.data
        memory = data.userdata
        self.legs = LegController(
            model, data, self._policy, memory[:MEMORY], LEGS, HOME[len(ARMS) :], BASE
        )
        self.grip = Grip(model, data, memory[MEMORY:])
        for joint, value in self.scene.start.items():
            data.joint(joint).qpos = value
        data.ctrl[: len(HOME)] = HOME
        mujoco.mj_forward(model, data)
        self.legs.reset()
        for _ in range(round(_SETTLE_S / CONTROL_DT)):
            self.advance(STAND)
        data.time = 0.0
        mujoco.mj_forward(model, data)

    def objects(self) -> tuple[ObjectDescription, ...]:
        """See `World.objects`; the floor is included."""
        return (*super().objects(), FLOOR)

    @property
    def holding(self) -> str:
        """The held object, by the touch sensors of the hands; empty for none."""
        return self.grip.thing

    @property
    def fallen(self) -> bool:
        """Whether it has fallen, by its own orientation sensor."""
        return bool(self.data.body(BASE).xmat[8] < 0.5)

    def advance(self, control: Array) -> None:
        """One control period under `control` (11,); the leg targets change every second period."""
        data, servos = self.data, len(HOME)
        arms, legs = control[4:10].copy(), data.ctrl[len(ARMS) : servos].copy()
        if round(self.seconds / CONTROL_DT) % round(PERIOD_S / CONTROL_DT) == 0:
            legs = self.legs.act(control[:4])
        self.grip.advance(bool(control[10] > 0.5))
        self._let_slip()
        if self.grip.get("lost"):
            arms[_ROLLS] += _OPEN_RAD
        super().advance(np.array([*arms, *legs, *[self.grip.get("on")] * 2]))

    def _let_slip(self) -> None:
        """Measure how long an object is held, and drop it at the drawn time."""
        grip = self.grip
        if not grip.thing:
            if grip.get("held_s"):
                grip.set("holds", grip.get("holds") + 1)
                grip.set("held_s", 0.0)
            return
        grip.set("held_s", grip.get("held_s") + CONTROL_DT)
        if grip.get("held_s") >= self.disturbance.hold_s(self.seed, int(grip.get("holds"))):
            self.on_disturbance(f"the hands slip, and the {grip.thing} falls")
            grip.fail()
