"""An arm with a suction cup: its servos, its guard, and its estimate of object poses.

Object poses come from the simulator's state, which plays the role of the robot's estimator. The
pressure sensor shows that it holds something; the object is the one it tried to take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import mujoco
import numpy as np

from regrasp.control.affordance import Affordances
from regrasp.control.clearance import Carried, Clearance
from regrasp.control.controller import DT, Plant
from regrasp.control.guard import JointGuard, finite_numbers
from regrasp.control.ik import Kinematics, Pose
from regrasp.control.trajectory import Setpoint
from regrasp.core.arrays import Array

__all__ = ["DT", "HELD", "SuctionArm", "SuctionPlant", "rotation_about_z"]

HELD = 0.5
"""The smallest vacuum at which an object is held."""


class SuctionPlant(Plant, Protocol):
    """A `Plant` whose command is the joints' targets and 0 or 1 for the pump."""

    @property
    def vacuum(self) -> float:
        """The reading of the gripper's pressure sensor: 0 none, 1 a full vacuum."""
        ...


def rotation_about_z(angle: float) -> Array:
    """A rotation (3, 3) about the vertical."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


class SuctionArm:
    """The arm of a plant: `joints` from the base outward, the first of them vertical.

    `cup` is the site at the lip of the cup, z away from the arm. `home` (n,) is where it rests,
    with the cup pointing down. `limits` (n,) is the largest speed of each joint (rad/s).
    """

    speed, acceleration = 3.0, 12.0  # rad/s, rad/s²; the maker allows 3.14 rad/s

    def __init__(
        self,
        plant: SuctionPlant,
        affordances: Affordances,
        joints: Sequence[str],
        cup: str,
        home: Sequence[float],
        limits: Sequence[float],
    ) -> None:
        self.plant, self.things = plant, affordances.things
        self.kinematics = Kinematics(plant.planning, joints, cup)
        self.clearance = Clearance(plant.planning, joints, cup)
        self.home = np.array(home)
        self.pump = False
        self.carrying = ""
        model = plant.model
        numbers = [int(model.joint(name).id) for name in joints]
        self._range = range(min(numbers), max(numbers) + 1)
        self._at, self._dof = model.jnt_qposadr[numbers], model.jnt_dofadr[numbers]
        self._kp = model.actuator_gainprm[: len(joints), 0].copy()
        self._kv = -model.actuator_biasprm[: len(joints), 2] + model.dof_damping[self._dof]
        low, high = model.jnt_range[numbers].T.copy()
        self.guard = JointGuard(low, high, np.array(limits))
        self.commanded = self.q
        rest = self.kinematics.pose(self.home)
        self._azimuth = float(np.arctan2(rest.position[1], rest.position[0]))
        x = rotation_about_z(-self._azimuth) @ rest.rotation[:, 0]
        x /= np.linalg.norm([x[0], x[1]])
        self._down = np.array([[x[0], x[1], 0.0], [x[1], -x[0], 0.0], [0.0, 0.0, -1.0]]).T

    # ---- its own body --------------------------------------------------------------------------

    @property
    def q(self) -> Array:
        """Joint positions (n,), in rad."""
        return np.array(self.plant.data.qpos[self._at])

    @property
    def v(self) -> Array:
        """Joint velocities (n,), in rad/s."""
        return np.array(self.plant.data.qvel[self._dof])

    def tip(self, q: Array) -> Array:
        """The position (3,) of the cup for joints `q` (n,)."""
        return self.kinematics.pose(q).position

    @property
    def cup(self) -> Pose:
        """The pose of the cup."""
        return self.kinematics.pose(self.q)

    @property
    def holds(self) -> bool:
        """Whether the pressure sensor shows that an object closes the cup."""
        return self.plant.vacuum > HELD

    def begin(self) -> None:
        """Start from the present posture; forget the earlier command."""
        self.commanded = self.q
        if not self.holds:
            self.carrying = ""

    def command(self, wanted: Setpoint) -> None:
        """One control step towards a setpoint, through the guard; may raise `GuardTrip`.

        The servo targets include feed-forward terms, so that the arm does not lag:
        kp (ctrl - q) - kv v = M a with v and a of the setpoint.
        """
        model, data = self.plant.model, self.plant.data
        v = finite_numbers(wanted.v, len(self.home), "the velocity of a setpoint")
        torque, a = np.zeros(model.nv), np.zeros(model.nv)
        a[self._dof] = finite_numbers(wanted.a, len(self.home), "the acceleration of a setpoint")
        self.commanded = self.guard.command(wanted.q, self.commanded, DT)
        mujoco.mj_mulM(model, data, torque, a)
        lead = (torque[self._dof] + self._kv * v) / self._kp
        self.plant.advance(np.append(self.commanded + lead, float(self.pump)))
        self.guard.watch(model, data, self._range)

    # ---- where things are ----------------------------------------------------------------------

    def see(self) -> None:
        """Update the robot's model of the scene."""
        self.clearance.see(self.plant.data.qpos)

    def pose_of(self, thing: str) -> Pose:
        """The pose of an object."""
        return Pose.of(self.plant.data.site(self.things[thing].site))

    def half_of(self, thing: str) -> Array:
        """Half the size (3,) of an object along its own axes."""
        wide, high = self.things[thing].extent
        return np.array([wide, wide, high])

    def carried(self, thing: str) -> Carried:
        """An object as the cup holds it now."""
        cup, pose = self.cup, self.pose_of(thing)
        back = cup.rotation.T
        return Carried(thing, Pose(back @ (pose.position - cup.position), back @ pose.rotation))

    # ---- targets of its cup --------------------------------------------------------------------

    def pointing_down(self, position: Array, turn: float = 0.0) -> Pose:
        """The cup at `position`, pointing down, turned by `turn` from its easiest orientation."""
        azimuth = float(np.arctan2(position[1], position[0]))
        return Pose(np.asarray(position, float), rotation_about_z(azimuth + turn) @ self._down)

    def posture(self, pose: Pose) -> Array:
        """A first guess (n,) for a pose: at rest, but turned towards it."""
        azimuth = float(np.arctan2(pose.position[1], pose.position[0]))
        guess = self.home.copy()
        guess[0] += azimuth - self._azimuth
        return guess
