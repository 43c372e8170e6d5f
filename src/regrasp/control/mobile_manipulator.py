"""A mobile manipulator with two arms, as its own controller knows it: no poses of the scene.

Everything is computed from joints, odometry, the laser scanner and the grippers. The arms work in
the frame of the base (x ahead, y to the left, z up from the floor). Both arms are mirror images, so
that one bank of first guesses serves both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import mujoco
import numpy as np

from regrasp.control.chain import arm_chain
from regrasp.control.clearance import Clearance
from regrasp.control.controller import DT, Plant
from regrasp.control.guard import JointGuard
from regrasp.control.ik import Kinematics, Pose
from regrasp.control.joint_servos import JointServos
from regrasp.control.seed_postures import SeedPostures
from regrasp.control.trajectory import Setpoint
from regrasp.core.arrays import Array
from regrasp.core.grounding import HeldThing

__all__ = [
    "CLOSED_M",
    "ManipulatorBody",
    "MobileArm",
    "MobileManipulator",
    "MobilePlant",
    "yaw_matrix",
]

CLOSED_M = -0.02
"""Target of the fingers (m from the middle): closed with force."""
_MIRROR = np.diag([1.0, -1.0, 1.0])
_HALF_TURN = np.diag([-1.0, -1.0, 1.0])  # about the approach direction: the same grip
_MAX_M_S, _MAX_RAD_S = 0.8, 1.2
_ACCELERATE, _TURN_ACCELERATE = 0.8, 2.0  # m/s², rad/s²


class MobilePlant(Plant, Protocol):
    """A `Plant` that takes the speed of the base, the targets of its joints and of its fingers."""

    def odometry_pose(self) -> tuple[float, float, float]:
        """x, y (m), yaw (rad) of the base by its own wheels."""
        ...

    def laser(self) -> Array:
        """Distances (n,) along the angles of the laser scanner."""
        ...

    def gripped(self, side: str) -> str:
        """What is between the closed fingers of a side; "" if the gripper feels nothing."""
        ...


@dataclass(frozen=True, eq=False)
class ManipulatorBody:
    """What the controller knows of its robot.

    `model` has the robot alone, at the origin. `home` and `work` are postures (7,) of the left arm:
    at rest, and natural for work. `opening` (m) of a finger, `limits` (rad/s) of the arm's joints.
    """

    model: mujoco.MjModel
    joints: Mapping[str, tuple[str, ...]]
    palms: Mapping[str, str]
    home: Mapping[str, tuple[float, ...]]
    work: tuple[float, ...]
    limits: tuple[float, ...]
    shoulder: tuple[float, float, float]
    lift: str
    head: tuple[str, str]
    lift_m_s: float
    opening: float
    laser_angles: Array
    laser_m: tuple[float, float, float]
    radius_m: float
    eye_m: tuple[float, float, float]
    """Of the head's turning point, with the lift at zero."""


class MobileManipulator:
    """The whole robot; one control step at a time moves base, lift, head and both arms."""

    def __init__(self, plant: MobilePlant, body: ManipulatorBody) -> None:
        self.plant, self.body = plant, body
        self.arms = {side: MobileArm(self, side) for side in body.joints}
        self._servos = JointServos(plant.model, plant.data, (body.lift, *body.head))
        self.targets = self._servos.q
        self._speed, self._turn = 0.0, 0.0

    # ---- state ---------------------------------------------------------------------------------

    @property
    def pose(self) -> tuple[float, float, float]:
        """The base by odometry: x, y (m), yaw (rad)."""
        return self.plant.odometry_pose()

    @property
    def lift_m(self) -> float:
        """The height of the lift."""
        return float(self._servos.q[0])

    @property
    def lift_range(self) -> tuple[float, float]:
        """The lowest and the highest position (m) of the lift."""
        return float(self._servos.low[0]), float(self._servos.high[0])

    def to_base(self, position: Array, rotation: Array | None = None) -> Pose:
        """A pose of the odometry's frame, in the base's frame now."""
        x, y, yaw = self.pose
        turn = yaw_matrix(-yaw)
        place = turn @ (np.asarray(position, float) - np.array([x, y, 0.0]))
        return Pose(place, turn @ (np.eye(3) if rotation is None else rotation))

    def holder(self, thing: str) -> MobileArm | None:
        """The arm whose skill took a thing, if its gripper still feels something."""
        return next((a for a in self.arms.values() if a.thing == thing and a.gripped), None)

    # ---- commands ------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start a skill from the present postures; an arm that lost its thing opens."""
        self._speed = self._turn = 0.0
        for arm in self.arms.values():
            arm.begin()

    def drive(self, ahead: float, turn: float) -> None:
        """One control step with the base at a speed (m/s, rad/s), accelerated within limits."""
        self._speed = _toward(self._speed, np.clip(ahead, -_MAX_M_S, _MAX_M_S), _ACCELERATE * DT)
        wanted = np.clip(turn, -_MAX_RAD_S, _MAX_RAD_S)
        self._turn = _toward(self._turn, wanted, _TURN_ACCELERATE * DT)
        self.step()

    @property
    def still(self) -> bool:
        """Whether the base is commanded to stand."""
        return self._speed == 0.0 and self._turn == 0.0

    def step(self) -> None:
        """One control period under the present commands."""
        arms = [arm.control for arm in self.arms.values()]
        self.plant.advance(np.concatenate([[self._speed, 0.0, self._turn], self.targets, *arms]))
        for arm in self.arms.values():
            arm.guard.watch(self.plant.model, self.plant.data, arm.joint_numbers)

    def approach_targets(self, lift: float, pan: float, tilt: float) -> float:
        """Move the targets of lift and head one step towards these; how far they are from them."""
        wanted = np.clip([lift, pan, tilt], self._servos.low, self._servos.high)
        step = np.array([self.body.lift_m_s, 1.2, 1.2]) * DT
        self.targets = self.targets + np.clip(wanted - self.targets, -step, step)
        return float(np.abs(wanted - self.targets).max())

    def aim(self, position: Array) -> tuple[float, float]:
        """Pan and tilt (rad) that bring a position (3,) of the odometry's frame into view."""
        eye = np.array(self.body.eye_m) + np.array([0.0, 0.0, self.lift_m])
        away = self.to_base(position).position - eye
        pan = math.atan2(away[1], away[0])
        return pan, math.atan2(-away[2], math.hypot(away[0], away[1]))


class MobileArm:
    """One arm with its gripper. Poses are in the base's frame.

    `thing` is what its skill took, `above` (m) how high the palm is over the foot of it.
    """

    speed, acceleration = 1.2, 2.5  # rad/s, rad/s²

    def __init__(self, robot: MobileManipulator, side: str) -> None:
        body, plant = robot.body, robot.plant
        self._robot, self.side, self.hand = robot, side, f"{side}_hand"
        joints = body.joints[side]
        self.kinematics = Kinematics(
            arm_chain(body.model, joints, body.palms[side]), joints, body.palms[side]
        )
        self.clearance = Clearance(body.model, joints, body.palms[side])
        self._servos = JointServos(plant.model, plant.data, joints)
        self.joint_numbers = self._servos.numbers
        self.guard = JointGuard(self._servos.low, self._servos.high, np.array(body.limits))
        self.home = np.array(body.home[side])
        self.thing, self.above = "", 0.0
        self.commanded, self.fingers = self.q, body.opening
        self.control = np.append(self.commanded, self.fingers)

    @property
    def q(self) -> Array:
        """Joint positions (n,), in rad."""
        return self._servos.q

    @property
    def v(self) -> Array:
        """Joint velocities (n,), in rad/s."""
        return self._servos.v

    @property
    def gripped(self) -> bool:
        """Whether something is between its closed fingers."""
        return bool(self._robot.plant.gripped(self.side))

    @property
    def palm(self) -> Pose:
        """The pose of the palm, with the lift at zero."""
        return self.kinematics.pose(self.q)

    @property
    def held(self) -> HeldThing:
        """What its skill took, as the palm has it now."""
        return HeldThing(self.thing, self.side, self.palm.rotation, self.above)

    def begin(self) -> None:
        """Start from the present posture."""
        if not self.gripped:
            self.thing, self.above = "", 0.0
        self.commanded = self.q
        self.fingers = CLOSED_M if self.gripped else self._robot.body.opening
        self.control = np.append(self.commanded, self.fingers)

    def open(self) -> None:
        """Open the fingers."""
        self.fingers, self.thing = self._robot.body.opening, ""

    def tip(self, q: Array) -> Array:
        """The position (3,) of the palm for joints `q` (n,)."""
        return self.kinematics.pose(q).position

    def command(self, wanted: Setpoint) -> None:
        """One control step of the robot in which this arm goes towards a setpoint."""
        self.commanded = self.guard.command(wanted.q, self.commanded, DT)
        self.control = np.append(self.commanded + self._servos.lead(wanted), self.fingers)
        self._robot.step()

    def see(self) -> None:
        """Update its model for collisions: the other arm, the lift and the head."""
        own, data = self._robot.body.model, self._robot.plant.data
        qpos = np.zeros(own.nq)
        for k in range(3, own.njnt):  # the base is at the origin of its own model
            qpos[own.jnt_qposadr[k]] = data.joint(own.joint(k).name).qpos[0]
        self.clearance.see(qpos)

    def lowered(self, pose: Pose) -> Pose:
        """A pose of the base's frame as the arm sees it: its chain has the lift at zero."""
        return pose.raised(-self._robot.lift_m)

    def posture(self, pose: Pose) -> Array:
        """Joints (n,) for a pose, or the nearest that were found."""
        sign = 1.0 if self.side == "left" else -1.0
        if sign < 0:
            rotation = _MIRROR @ pose.rotation @ _HALF_TURN @ _MIRROR
            pose = Pose(_MIRROR @ pose.position, rotation)
        q: Array = self._robot.arms["left"].seeds.solve(pose).q.copy()
        q[0] *= sign
        return q

    @cached_property
    def seeds(self) -> SeedPostures:
        """First guesses; those of the left arm serve both."""
        body = self._robot.body
        return SeedPostures(self.kinematics, np.array(body.work), np.array(body.shoulder))


def yaw_matrix(angle: float) -> Array:
    """The rotation (3, 3) by an angle (rad) about the vertical."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _toward(now: float, wanted: float, step: float) -> float:
    return float(now + np.clip(wanted - now, -step, step))
