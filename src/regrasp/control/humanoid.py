"""A walking humanoid as its skills use it: its pose, its hands, and what it holds.

Object poses come from its plant: the simulator's state, which plays the role of the robot's
estimator, or what its cameras show. Touch sensors in the hands show that it holds something; the
object is the one it tried to take.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from regrasp.control.affordance import Affordances
from regrasp.control.arm_kinematics import ThreeJointArm
from regrasp.control.controller import DT, Plant
from regrasp.control.gait import MAX_HEIGHT_M
from regrasp.control.guard import GuardTrip, finite_numbers
from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["DT", "Humanoid", "HumanoidPlant", "angle", "heading"]

_ARM_RAD_S = 3.0  # the largest speed of the arms' targets
_LEAST, _LEAST_SPIN = 0.12, 0.55  # m/s; rad/s on the spot: below these the policy hardly moves


class HumanoidPlant(Plant, Protocol):
    """A `Plant` whose command is four numbers for the legs, the arms' targets, and 0 or 1."""

    @property
    def holding(self) -> str:
        """What both hands hold; empty for nothing."""
        ...

    @property
    def fallen(self) -> bool:
        """Whether it has fallen, by its own orientation sensor."""
        ...


def angle(radians: float) -> float:
    """The same angle, from -π to π."""
    return float((radians + np.pi) % (2 * np.pi) - np.pi)


def heading(rotation: Array) -> float:
    """Which way x of a frame (3, 3) points, seen from above (rad)."""
    return float(np.arctan2(rotation[1, 0], rotation[0, 0]))


class Humanoid:
    """The body of a plant: `base` is its trunk, `joints` those of both arms, left first.

    `home` (6,) is where the arms hang; `gain` is that of their servos (Nm/rad).
    """

    def __init__(
        self,
        plant: HumanoidPlant,
        affordances: Affordances,
        base: str,
        hands: Sequence[str],
        arms: tuple[ThreeJointArm, ThreeJointArm],
        joints: Sequence[str],
        home: Sequence[float],
        gain: float,
    ) -> None:
        self.plant, self.things = plant, affordances.things
        self.home = np.array(home)
        self.targets = self.home.copy()
        self.grip = False
        self.carrying = ""
        self._base, self._hands, self._arms = base, tuple(hands), arms
        self._dof = [int(plant.model.joint(name).dofadr[0]) for name in joints]
        self._gain = gain

    # ---- its own body --------------------------------------------------------------------------

    @property
    def trunk(self) -> Pose:
        """The pose of the trunk."""
        return Pose.of(self.plant.data.body(self._base))

    @property
    def place(self) -> Array:
        """Its pose on the floor: x, y (m), yaw (rad)."""
        trunk = self.trunk
        return np.array([trunk.position[0], trunk.position[1], heading(trunk.rotation)])

    @property
    def speed(self) -> float:
        """Its walking speed, in any direction (m/s)."""
        body = self.plant.model.body(self._base)
        first = int(self.plant.model.jnt_dofadr[body.jntadr[0]])
        return float(np.linalg.norm(self.plant.data.qvel[first : first + 2]))

    @property
    def hands(self) -> list[Array]:
        """The positions of its hands in the trunk's frame, left first."""
        trunk = self.trunk
        at = (self.plant.data.body(hand).xpos for hand in self._hands)
        return [trunk.rotation.T @ (np.array(one) - trunk.position) for one in at]

    @property
    def holds(self) -> bool:
        """Whether its hands feel an object between them."""
        return bool(self.plant.holding)

    def begin(self) -> None:
        """Forget the earlier command."""
        if not self.holds:
            self.carrying, self.grip = "", False

    def reach(self, places: Sequence[Array]) -> None:
        """Move the arms' targets towards what brings the hands to `places`, in the trunk's frame.

        One control step's worth; `command` makes it happen.
        """
        wanted = np.concatenate(
            [arm.reach(place) for arm, place in zip(self._arms, places, strict=True)]
        )
        self.bend(wanted)

    def bend(self, wanted: Array) -> None:
        """Move the arms' targets (6,) towards these angles, as far as a control step allows.

        Raises `GuardTrip` for what is not six finite numbers; the targets are then as they were.
        """
        step, count = _ARM_RAD_S * DT, len(self.home)
        wanted = finite_numbers(wanted, count, "the angles of the arms")
        moved = self.targets + np.clip(wanted - self.targets, -step, step)
        self.targets = finite_numbers(moved, count, "the targets of the arms")

    def command(
        self, velocity: Sequence[float] = (0.0, 0.0, 0.0), height: float = MAX_HEIGHT_M
    ) -> None:
        """One control step: forward, left (m/s), yaw rate (rad/s), and the height of the base (m).

        Raises `GuardTrip` if the robot has fallen: there is no skill to get up.
        """
        data = self.plant.data
        weight = data.qfrc_bias[self._dof] / self._gain  # gravity compensation
        arms = self.targets + weight
        control = [*velocity, height, *arms, float(self.grip)]
        self.plant.advance(finite_numbers(control, 5 + len(arms), "a command"))
        if not np.isfinite(data.qpos).all():
            raise GuardTrip("the state is not finite")
        if self.plant.fallen:
            raise GuardTrip("it has fallen")

    def step(self, forward: float, left: float, spin: float) -> None:
        """One control step of walking; a velocity below the policy's minimum is raised to it."""
        if abs(forward) < _LEAST:
            forward = float(np.copysign(_LEAST, forward)) if abs(forward) > _LEAST / 2 else 0.0
        if not forward and spin:
            spin = float(np.copysign(max(abs(spin), _LEAST_SPIN), spin))
        self.command((forward, left, spin))

    # ---- where things are ----------------------------------------------------------------------

    def pose_of(self, thing: str) -> Pose:
        """The pose of an object."""
        return Pose.of(self.plant.data.site(self.things[thing].site))

    def seen_from_trunk(self, point: Array) -> Array:
        """A point of the room (3,) in the trunk's frame."""
        trunk = self.trunk
        return np.asarray(trunk.rotation.T @ (point - trunk.position))
