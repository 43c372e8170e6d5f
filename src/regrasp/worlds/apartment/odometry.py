"""The robot's own estimate of where its base is: integrated from its wheels, so it drifts.

The frame of the estimate begins where the robot starts, facing +x. In a control period the base
moves by ds m ahead and turns by dθ rad; the wheels measure

    ds' = (1 + e_s) ds + σ_s √|ds| n₁,    dθ' = (1 + e_θ) dθ + b ds + σ_θ √|ds| n₂

with e_s, e_θ and b constant for a seed and n standard normal (Thrun, Burgard, Fox 2005, §5.4).
"""

from __future__ import annotations

import math

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["SLOTS", "Odometry", "OdometryDrift"]

SLOTS = 6
"""Numbers of the simulation's user data: the estimate (3), and the true pose it belongs to (3)."""
_SCALE, _TURN_SCALE, _BIAS = 0.01, 0.015, 0.006  # largest e_s, e_θ; rad per m
_NOISE, _TURN_NOISE = 0.004, 0.004  # m and rad per √m
_NOISES = 4096


class OdometryDrift:
    """The errors of the wheels, drawn once."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.scale = float(rng.uniform(-_SCALE, _SCALE))
        self.turn_scale = float(rng.uniform(-_TURN_SCALE, _TURN_SCALE))
        self.bias = float(rng.uniform(-_BIAS, _BIAS))
        self._noise = rng.normal(size=(_NOISES, 2))

    def measure(self, ahead: float, turn: float, period: int) -> tuple[float, float]:
        """What the wheels measure of a motion (m, rad) in the control period of that number."""
        root, noise = math.sqrt(abs(ahead)), self._noise[period % _NOISES]
        return (
            (1 + self.scale) * ahead + _NOISE * root * noise[0],
            (1 + self.turn_scale) * turn + self.bias * ahead + _TURN_NOISE * root * noise[1],
        )


class Odometry:
    """The estimate; `memory` (`SLOTS`,) is its piece of the simulation's user data."""

    def __init__(self, memory: Array, drift: OdometryDrift) -> None:
        self._memory, self._drift = memory, drift

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y (m) and yaw (rad) of the base in the frame of the estimate."""
        x, y, yaw = (float(value) for value in self._memory[:3])
        return x, y, yaw

    def start(self, base: Array) -> None:
        """Begin with the base at its true pose (3,)."""
        self._memory[:3], self._memory[3:] = 0.0, base

    def slip(self, base: Array) -> None:
        """The base was moved to a true pose (3,) that the wheels did not measure."""
        self._memory[3:] = base

    def carry(self, start: Array, base: Array) -> None:
        """The base was carried from its true pose `start` (3,), where the estimate is zero."""
        away, turn = base - start, float(start[2])
        self._memory[:3] = (
            away[0] * math.cos(turn) + away[1] * math.sin(turn),
            -away[0] * math.sin(turn) + away[1] * math.cos(turn),
            away[2],
        )
        self._memory[3:] = base

    def advance(self, base: Array, period: int) -> None:
        """One control period after which the base is at its true pose (3,)."""
        moved = base - self._memory[3:]
        middle = self._memory[5] + moved[2] / 2
        ahead = float(moved[0] * math.cos(middle) + moved[1] * math.sin(middle))
        ahead, turn = self._drift.measure(ahead, float(moved[2]), period)
        x, y, yaw = self.pose
        middle = yaw + turn / 2
        self._memory[:3] = (
            x + ahead * math.cos(middle),
            y + ahead * math.sin(middle),
            math.remainder(yaw + turn, 2 * math.pi),
        )
        self._memory[3:] = base
