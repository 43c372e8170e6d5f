"""The walker's room: the legs follow a policy, the hands hold objects and may drop them."""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.control.gait import CONTROL_PERIOD_S, MAX_HEIGHT_M
from regrasp.control.walking import MEMORY, LegController, WalkingPolicy
from regrasp.core.arrays import Array
from regrasp.core.object_description import ObjectDescription
from regrasp.worlds.disturbance import DisturbedPlan, DisturbedWorld
from regrasp.worlds.kit.look import add_camera
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.walker import ARMS, BASE, HEAD, HOME, LEGS, add_walker
from regrasp.worlds.walker_room.grip import Grip
from regrasp.worlds.world import CONTROL_DT

__all__ = ["CAMERAS", "FLOOR", "STAND", "WalkerWorld", "add_body"]

CAMERAS = (HEAD, "room")
"""The walker's own camera, and one behind its start that looks down into the room."""
_TIMESTEP_S = 0.001  # the servos of the joints run at 1 kHz
_SETTLE_S = 1.0
_OPEN_RAD = 0.25  # how far the arms swing open after a drop
_ROLLS = [ARMS.index(name) for name in ("left_shoulder_roll", "right_shoulder_roll")]
FLOOR = ObjectDescription("floor", "floor", ())
"""Part of the robot's objects, because a dropped box lies on it."""
STAND: Array = np.array([0.0, 0.0, 0.0, MAX_HEIGHT_M, *HOME[: len(ARMS)], 0.0])
"""The control for standing at full height with hanging arms."""


def add_body(scene: Scene) -> None:
    """Add the walker at the origin, and the cameras."""
    if not scene.planning:
        add_camera(scene.spec, "room", (-2.0, 0.0, 2.6), (0.7, 0.0, 0.25), 68.0)
    add_walker(scene)


class WalkerWorld(DisturbedWorld):
    """A world of the walker: see `DisturbedWorld`.

    A control (11,) is a command (4,) for the legs, six targets of the arm joints (rad), and 1 to
    hold an object between the hands, else 0; `STAND` is an example. `grip` is the state of the
    hands. The default `policy` comes with the package.
    """

    def __init__(
        self,
        plan: DisturbedPlan,
        task: str | None = None,
        seed: int = 0,
        *,
        policy: WalkingPolicy | None = None,
    ) -> None:
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
        return self.in_seeded_order((*super().objects(), FLOOR))

    @property
    def holding(self) -> str:
        """The held object, by the touch sensors of the hands; empty for none."""
        return self.grip.holds

    @property
    def fallen(self) -> bool:
        """Whether the robot has fallen, by its orientation sensor."""
        return bool(self.data.body(BASE).xmat[8] < 0.5)

    def advance(self, control: Array) -> None:
        """One control period under `control` (11,); the leg targets change every second period."""
        data, servos = self.data, len(HOME)
        arms, legs = control[4:10].copy(), data.ctrl[len(ARMS) : servos].copy()
        if round(self.seconds / CONTROL_DT) % round(CONTROL_PERIOD_S / CONTROL_DT) == 0:
            legs = self.legs.act(control[:4])
        self.grip.advance(bool(control[10] > 0.5))
        if self._slips(self.grip):
            self.on_disturbance(f"the hands slip, and the {self.grip.holds} falls")
            self.grip.fail()
        if self.grip.get("lost"):
            arms[_ROLLS] += _OPEN_RAD
        super().advance(np.array([*arms, *legs, *[self.grip.get("on")] * 2]))
