"""Postures of the two-armed robot for pictures: at rest, or with a palm at a given pose."""

from __future__ import annotations

import math
from functools import cache

import mujoco
import numpy as np

from regrasp.control.ik import Kinematics, Pose
from regrasp.lab.vision.placing import Doubles
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.scene import Grasp, Scene
from regrasp.worlds.kit.two_arms import ARM_Y_M, HOME, JOINTS, SIDES, add_two_arms
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoArmPostures", "turn_about_x", "turn_about_z"]

_NEAR_M, _NEAR_RAD = 0.004, 0.04
_OPEN_M = 0.04  # of a finger from the middle
_ITERATIONS, _PATIENCE = 40, 8


@cache
def _kinematics(side: str) -> Kinematics:
    """The arm alone: 20 times as fast as in a scene of 45 things."""
    draw = np.random.default_rng(0)
    scene = Scene(layout=draw, look=draw, planning=True)
    add_two_arms(scene)
    return Kinematics(scene.compile(), JOINTS[side], f"{side}_{PALM}")


def turn_about_z(angle: float) -> Doubles:
    """The rotation (3, 3) about the vertical."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def turn_about_x(angle: float) -> Doubles:
    """The rotation (3, 3) about x."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])


class TwoArmPostures:
    """Sets the arms of `world` without motion; `rng` draws what is not given."""

    def __init__(self, world: TwoArmWorld, rng: np.random.Generator) -> None:
        self._world, self._rng = world, rng
        model = world.model
        self._joints = {
            side: [int(model.joint(name).qposadr[0]) for name in JOINTS[side]] for side in SIDES
        }
        self._fingers = {
            side: [int(model.joint(f"{side}_finger_{f}").qposadr[0]) for f in ("left", "right")]
            for side in SIDES
        }

    def rest(self, side: str) -> None:
        """Near the rest posture, the fingers anyhow."""
        wide = self._rng.choice([0.05, 0.05, 0.3], p=(0.5, 0.3, 0.2))
        self._set(side, np.array(HOME[side]) + self._rng.normal(0.0, wide, 7))
        self.open_fingers(side, float(self._rng.choice([_OPEN_M, self._rng.uniform(0, _OPEN_M)])))

    def open_fingers(self, side: str, half: float) -> None:
        """Set the fingers `half` m from the middle."""
        self._world.data.qpos[self._fingers[side]] = min(half, _OPEN_M)

    def reach(self, side: str, at: Doubles, rotation: Doubles) -> Pose | None:
        """Bring a palm to a pose; the pose it then has, or None if it does not get there."""
        solver, start = _kinematics(side), np.array(HOME[side])
        found = solver.solve(
            Pose(at, rotation), start, distance=_NEAR_M, angle=_NEAR_RAD, iterations=_ITERATIONS,
            patience=_PATIENCE,
        )  # fmt: skip
        if not found.reached:
            return None
        self._set(side, found.q)
        return solver.pose(found.q)

    def grasp_frame(self, grasp: Grasp) -> tuple[Doubles, Doubles]:
        """The point (3,) and the palm's rotation (3, 3) of a grasp, in its body's frame."""
        site = self._world.model.site(grasp.site)
        if not grasp.above:
            rotation = np.zeros(9)
            mujoco.mju_quat2Mat(rotation, site.quat)
            return site.pos.copy(), rotation.reshape(3, 3)
        quarter = float(self._rng.choice([0.0, math.pi / 2]))
        angles = {"": self._rng.uniform(-math.pi, math.pi), "y": math.pi / 2}
        angle = angles.get(grasp.closing, quarter)
        y, z = np.array([math.cos(angle), math.sin(angle), 0.0]), np.array([0.0, 0.0, -1.0])
        return site.pos.copy(), np.stack([np.cross(y, z), y, z], axis=1)

    def toward(self, side: str, at: Doubles) -> float:
        """The direction (rad) from the base of an arm to a point, seen from above."""
        base = ARM_Y_M if side == "left" else -ARM_Y_M
        return math.atan2(float(at[1]) - base, float(at[0]))

    def _set(self, side: str, q: Doubles) -> None:
        solver = _kinematics(side)
        self._world.data.qpos[self._joints[side]] = np.clip(q, solver.low, solver.high)
