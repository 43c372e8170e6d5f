"""A robot with two arms and grippers: its servos, its guards, and its estimate of object poses.

Object poses come from its plant: the simulator's state, which plays the role of the robot's
estimator, or what its cameras show. A gripper reports that something is between its closed fingers;
the estimator knows which thing moves with the hand. One arm moves at a time, the other one holds
its posture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import mujoco
import numpy as np

from regrasp.control.affordance import Affordances, SceneObject
from regrasp.control.arm_postures import ArmPostures
from regrasp.control.chain import arm_chain
from regrasp.control.clearance import Carried, place_body
from regrasp.control.collision_check import CollisionCheck
from regrasp.control.controller import DT, Plant
from regrasp.control.guard import JointGuard
from regrasp.control.ik import Kinematics, Pose
from regrasp.control.joint_servos import JointServos
from regrasp.control.postures import PostureChoice
from regrasp.control.thing_shape import ThingShape, thing_shape
from regrasp.control.trajectory import Setpoint
from regrasp.core.arrays import Array

__all__ = [
    "CLOSED_M", "GENTLE", "OPEN_M", "ArmSetup", "HandArm", "Taken", "TwoArmPlant", "TwoArms",
    "carried_by",
]  # fmt: skip

OPEN_M, CLOSED_M = 0.04, -0.02
"""Targets of the fingers (m from the middle): open, and closed with force."""
GENTLE = 3.0
"""Acceleration of the joints with something in the hand, rad/s²."""

_STACKED_M = 0.008
_REST_RAD = 0.1


class TwoArmPlant(Plant, Protocol):
    """A `Plant` whose command is, for each arm, the joints' targets and the fingers' target."""

    def gripped(self, side: str) -> str:
        """The body between the closed fingers of a side; "" if the gripper reports none."""
        ...

    def hand_load(self, side: str) -> float:
        """The weight in a hand, in g."""
        ...

    def turn_cap(self, side: str, bottle: str, *, on: bool) -> bool:
        """Turn the cap between a hand's fingers on or off; whether a cap was there."""
        ...

    def room_ml(self, vessel: str) -> float:
        """How much more a vessel takes, from the level that is seen in it; infinite if unknown."""
        ...


@dataclass(frozen=True, slots=True)
class ArmSetup:
    """The names of one arm in the models, its rest posture, and its joints' speed limits (rad/s).

    `palm` is the site between the finger tips: z is the approach direction, y the closing axis.
    """

    side: str
    joints: tuple[str, ...]
    palm: str
    home: tuple[float, ...]
    limits: tuple[float, ...]

    @property
    def hand(self) -> str:
        """The name of its hand."""
        return f"{self.side}_hand"


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """How a hand took a thing: the point `foot` (3,) and the `rotation` (3, 3) that the thing had,
    and the posture `q` (n,) of the arm."""

    hand: str
    foot: Array
    rotation: Array
    q: Array


class TwoArms:
    """Both arms of a plant, and the things they can act on."""

    def __init__(
        self, plant: TwoArmPlant, affordances: Affordances, setups: Sequence[ArmSetup]
    ) -> None:
        self.plant, self.things = plant, affordances.things
        self.articulations = affordances.joints
        self.arms: Mapping[str, HandArm] = {one.hand: HandArm(self, one) for one in setups}
        self.taken: dict[str, Taken] = {}
        """How each thing was taken from the place where it stood last."""
        self.avoided: dict[str, Array] = {}
        """Points (m, 3) of the ways on which each thing was in the way."""
        self._shapes: dict[str, ThingShape] = {}

    def step(self) -> None:
        """One control period under the present commands of both arms."""
        self.plant.advance(np.concatenate([arm.control for arm in self.arms.values()]))
        for arm in self.arms.values():
            arm.guard.watch(self.plant.model, self.plant.data, arm.joint_numbers)

    def begin(self) -> None:
        """Start a skill from the present postures; a hand that has lost its thing opens."""
        for arm in self.arms.values():
            arm.begin()

    def see(self) -> None:
        """Update the robot's models of the scene."""
        for arm in self.arms.values():
            arm.check.see(self.plant.data.qpos)

    def holder(self, thing: str) -> HandArm | None:
        """The arm that holds a thing."""
        return next((arm for arm in self.arms.values() if arm.holds == thing), None)

    def other(self, arm: HandArm) -> HandArm:
        """The other arm."""
        return next(one for one in self.arms.values() if one is not arm)

    def pose_of(self, thing: str) -> Pose:
        """The pose of a thing's body."""
        return Pose.of(self.plant.data.body(thing))

    def foot_of(self, thing: str) -> Array:
        """The point (3,) on which a thing stands."""
        foot: Array = self.pose_of(thing).position + np.array([0, 0, self.shape(thing).bottom])
        return foot

    def site(self, name: str) -> Pose:
        """The pose of a site: a grasp, a handle, a place."""
        return Pose.of(self.plant.data.site(name))

    def shape(self, thing: str) -> ThingShape:
        """The shape of a movable thing, from the robot's model of it."""
        if thing not in self._shapes:
            self._shapes[thing] = thing_shape(self.plant.planning, thing)
        return self._shapes[thing]

    def stands_on(self, upper: str, lower: str) -> bool:
        """Whether a movable thing is on top of another, not beside or under it."""
        if upper not in self.movable:
            return False
        bottom = self.pose_of(upper).position[2] + self.shape(upper).bottom
        top = self.pose_of(lower).position[2] + self.shape(lower).top
        return abs(float(bottom - top)) < _STACKED_M

    def part_of(self, thing: str, kind: str) -> SceneObject | None:
        """A thing's part of a kind (its handle, its switch), or itself if it is of that kind."""
        for part in self.things.values():
            if part.kind == kind and thing in (part.of, part.name):
                return part
        return None

    def fraction(self, joint: str) -> float:
        """How far a joint of the scene is open, 0 to 1."""
        return self.articulations[joint].fraction(float(self.plant.data.joint(joint).qpos[0]))

    def door_of(self, body: str) -> str:
        """The thing whose door a body of the model is; "" if it is no door."""
        for thing in self.things.values():
            if thing.joint and thing.of:
                moved = self.plant.planning.joint(thing.joint).id
                if self.plant.planning.body(self.plant.planning.jnt_bodyid[moved]).name == body:
                    return thing.of
        return ""

    @cached_property
    def movable(self) -> frozenset[str]:
        """The things that a hand can take."""
        return frozenset(thing.name for thing in self.things.values() if thing.movable)


class HandArm:
    """One arm with its gripper. `check` is its model for collisions, `kinematics` its chain."""

    speed, acceleration = 1.8, 6.0  # rad/s, rad/s²; the maker allows 2.175 and 7.5 at least

    def __init__(self, both: TwoArms, setup: ArmSetup) -> None:
        self._both, self.setup = both, setup
        self.side, self.hand = setup.side, setup.hand
        self.home = np.array(setup.home)
        model = both.plant.model
        chain = arm_chain(both.plant.planning, setup.joints, setup.palm)
        self.kinematics = Kinematics(chain, setup.joints, setup.palm)
        self.check = CollisionCheck(both.plant.planning, setup.joints, setup.palm)
        self._servos = JointServos(model, both.plant.data, setup.joints)
        self.joint_numbers = self._servos.numbers
        self.guard = JointGuard(self._servos.low, self._servos.high, np.array(setup.limits))
        self.commanded, self.fingers = self.q, OPEN_M
        self.control = np.append(self.commanded, self.fingers)
        second = int(model.jnt_bodyid[model.joint(setup.joints[1]).id])
        shoulder = Pose.of(both.plant.data.body(model.body(second).name))
        self.shoulder = shoulder.position
        offsets = np.linalg.norm(chain.body_pos[chain.jnt_bodyid[1] + 1 :], axis=1)
        self.reach_m = float(offsets.sum() + np.linalg.norm(chain.site_pos[0]))
        known = ArmPostures(chain, setup.joints, setup.palm)
        self.postures = PostureChoice(self.kinematics, known, self.home, self.shoulder)

    @property
    def q(self) -> Array:
        """Joint positions (n,), in rad."""
        return self._servos.q

    @property
    def v(self) -> Array:
        """Joint velocities (n,), in rad/s."""
        return self._servos.v

    @property
    def at_rest(self) -> bool:
        """Whether it is in its rest posture."""
        return bool(np.abs(self.q - self.home).max() < _REST_RAD)

    @property
    def palm(self) -> Pose:
        """The pose of the palm."""
        return self.kinematics.pose(self.q)

    @property
    def holds(self) -> str:
        """The thing that it holds; "" for none."""
        held = self.gripped
        return held if held in self._both.movable else ""

    @property
    def gripped(self) -> str:
        """The body between its closed fingers: a thing, or a part of furniture; "" for none."""
        return self._both.plant.gripped(self.side)

    @property
    def load_g(self) -> float:
        """The weight in its hand (g)."""
        return self._both.plant.hand_load(self.side)

    def begin(self) -> None:
        """Start from the present posture."""
        self.commanded, self.fingers = self.q, CLOSED_M if self.gripped else OPEN_M
        self.control = np.append(self.commanded, self.fingers)

    def tip(self, q: Array) -> Array:
        """The position (3,) of the palm for joints `q` (n,)."""
        return self.kinematics.pose(q).position

    def command(self, wanted: Setpoint) -> None:
        """One control step of the robot in which this arm goes towards a setpoint."""
        self.commanded = self.guard.command(wanted.q, self.commanded, DT)
        self.control = np.append(self.commanded + self._servos.lead(wanted), self.fingers)
        self._both.step()

    def imagined(self, qpos: Array, q: Array, carried: Carried) -> Array:
        """The positions of the scene (nq,) with this arm at `q` (n,) and what it carries there."""
        model = self._both.plant.planning
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        data.qpos[self._servos.addresses] = q
        place_body(model, data, carried.name, carried.under(self.kinematics.pose(q)))
        return np.array(data.qpos)

    def carried(self) -> Carried | None:
        """What it holds, as it holds it now."""
        if not self.holds:
            return None
        return carried_by(self.holds, self.palm, self._both.pose_of(self.holds))


def carried_by(thing: str, palm: Pose, pose: Pose) -> Carried:
    """A thing at `pose` that moves with a palm at `palm`."""
    back = palm.rotation.T
    return Carried(thing, Pose(back @ (pose.position - palm.position), back @ pose.rotation))
