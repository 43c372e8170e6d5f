"""The physics of the apartment: wheels, grips, odometry, the laser scanner, and the loop of a coat.

A control is `CONTROLS`, but the first three are the speed of the base ahead (m/s), nothing, and its
turning rate (rad/s): a differential base does not move sideways.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import mujoco
import numpy as np

from regrasp.control.mobile_manipulator import yaw_matrix
from regrasp.core.arrays import Array
from regrasp.worlds.apartment.odometry import SLOTS, Odometry, OdometryDrift
from regrasp.worlds.apartment.rooms import ROOMS
from regrasp.worlds.apartment.sensors import scan_laser
from regrasp.worlds.household.rooms import Rect
from regrasp.worlds.kit.garment import loop_name
from regrasp.worlds.kit.mobile_two_arms import BASE, CONTROLS, LASER_M, add_mobile_two_arms
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.two_arms.grip import MEMORY
from regrasp.worlds.two_arms.world import TwoArmWorld
from regrasp.worlds.world import CONTROL_DT

__all__ = ["ApartmentWorld", "add_body"]


def add_body(scene: Scene) -> None:
    """Add the robot, and the memory of its grips and of its odometry."""
    scene.spec.nuserdata = MEMORY + SLOTS
    if not scene.planning:
        scene.spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        scene.spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICIT  # see two_arms
    add_mobile_two_arms(scene)


class ApartmentWorld(TwoArmWorld):
    """The world of the mobile robot with two arms: see `TwoArmWorld`."""

    CONTROLS: ClassVar[tuple[str, ...]] = CONTROLS

    def __init__(self, plan: Any, task: str | None = None, seed: int = 0) -> None:
        self.rooms: dict[str, Rect] = dict(ROOMS)
        self._drift = OdometryDrift(np.random.default_rng([seed, 3]))
        self._jackets: tuple[str, ...] = ()
        super().__init__(plan, task, seed)

    def _settle(self) -> None:
        things = self.scene.things.values()
        self._jackets = tuple(one.name for one in things if one.kind == "jacket")
        self.movable = tuple(one.name for one in things if one.movable)
        memory = self.data.userdata[MEMORY : MEMORY + SLOTS]
        self.odometry = Odometry(memory, self._drift)
        super()._settle()
        self.odometry.start(self.base)

    def _hold(self) -> Array:
        hold = super()._hold()
        hold[:3] = 0.0
        return hold

    @property
    def base(self) -> Array:
        """The true pose of the base (3,): x, y (m), yaw (rad)."""
        return np.array([float(self.data.joint(name).qpos[0]) for name in BASE])

    def advance(self, control: Array) -> None:
        """One control period under `control` (nu,)."""
        driven = np.array(control, float)
        speed, yaw = float(driven[0]), float(self.data.joint(BASE[2]).qpos[0])
        driven[:2] = speed * math.cos(yaw), speed * math.sin(yaw)
        super().advance(driven)
        self._unhang()
        self.odometry.advance(self.base, self._period)

    @property
    def _period(self) -> int:
        return round(self.seconds / CONTROL_DT)

    def _unhang(self) -> None:
        """Take the loop of a garment off its peg when a hand holds the garment."""
        for jacket in self._jackets:
            if any(grip.holds == jacket for grip in self.grips.values()):
                self.data.eq_active[self.model.equality(loop_name(jacket)).id] = False

    def odometry_pose(self) -> tuple[float, float, float]:
        """The base by its own wheels: x, y (m), yaw (rad)."""
        return self.odometry.pose

    def in_odometry(self, position: Array, rotation: Array) -> tuple[Array, Array]:
        """A true pose, as the robot's odometry would have it."""
        x, y, yaw = self.base
        own_x, own_y, own_yaw = self.odometry.pose
        turn = yaw_matrix(own_yaw - yaw)
        moved: Array = turn @ (position - np.array([x, y, 0.0])) + np.array([own_x, own_y, 0.0])
        return moved, turn @ rotation

    @property
    def held(self) -> str:
        """The first thing that a hand holds; empty for none."""
        return next((grip.holds for grip in self.grips.values() if grip.holds), "")

    def there(self, thing: str) -> bool:
        """Whether an object exists: all do."""
        return thing in self.scene.things

    def laser(self) -> Array:
        """What the laser scanner measures now: distances (n,) along `LASER_ANGLES`."""
        x, y, yaw = self.base
        cos, sin = math.cos(yaw), math.sin(yaw)
        at = np.array([x + cos * LASER_M[0], y + sin * LASER_M[0], LASER_M[2]])
        return scan_laser(self.model, self.data, at, yaw, self.noise(7))

    def noise(self, stream: int) -> np.random.Generator:
        """A generator for the noise of a sensor at this moment: looking twice changes nothing."""
        return np.random.default_rng([self.seed, stream, self._period])
