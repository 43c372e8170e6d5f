"""A smooth trajectory along a joint path, as fast as the joint limits allow.

Along the path, s runs from 0 to 1 by the minimum-jerk polynomial (Flash and Hogan 1985)

    s(τ) = 10 τ³ - 15 τ⁴ + 6 τ⁵,  τ = t / T,

whose speed is at most 15/8 / T and whose acceleration at most 10/√3 / T². T is the shortest time in
which no joint exceeds its limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["Setpoint", "Trajectory"]

_PEAK_SPEED, _PEAK_ACCELERATION = 15 / 8, 10 / 3**0.5
_STILL = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Setpoint:
    """The target of the joints at one moment: position, velocity, acceleration, each (n,)."""

    q: Array
    v: Array
    a: Array


class Trajectory:
    """A trajectory through `knots` (m, n): joint positions, evenly spread over the path.

    `speed` (rad/s) and `acceleration` (rad/s²) are the limits of each joint.
    """

    def __init__(self, knots: Array, speed: float, acceleration: float) -> None:
        if len(knots) < 2:
            raise ValueError("a path has two knots at least")
        self._knots = knots
        steepest = float(np.abs(np.diff(knots, axis=0)).max(initial=0.0)) * (len(knots) - 1)
        self.seconds = max(
            _PEAK_SPEED * steepest / speed, (_PEAK_ACCELERATION * steepest / acceleration) ** 0.5
        )

    def at(self, seconds: float) -> Setpoint:
        """The setpoint at a time; before the start and after the end it is at rest."""
        n = len(self._knots) - 1
        T = max(self.seconds, _STILL)
        tau = min(max(seconds / T, 0.0), 1.0)
        s = tau**3 * (10 - 15 * tau + 6 * tau**2)
        ds = 30 * tau**2 * (1 - tau) ** 2 / T
        dds = 60 * tau * (1 - tau) * (1 - 2 * tau) / T**2
        i = min(int(s * n), n - 1)
        slope = (self._knots[i + 1] - self._knots[i]) * n
        return Setpoint(self._knots[i] + slope * (s - i / n), slope * ds, slope * dds)
