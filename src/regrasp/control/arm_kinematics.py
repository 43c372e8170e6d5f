"""Forward and inverse kinematics of an arm with three joints.

In the trunk's frame, with shoulder pitch p, shoulder roll r (outwards) and elbow e, the hand is at

    shoulder + Ry(p) Rx(r) ((0, 0, -upper) + Ry(e) (0, 0, -fore)),

with the sign of y reversed for a right arm. An elbow bends forward only (e <= 0), so a point within
reach has one solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["ThreeJointArm"]

_STRETCHED = 0.999  # of its length: a target farther away is clipped


@dataclass(frozen=True, slots=True)
class ThreeJointArm:
    """A left arm (`side` 1) or its mirror image (-1); lengths in m, `shoulder` of the left one."""

    shoulder: tuple[float, float, float]
    upper: float
    fore: float
    side: int

    def hand(self, angles: Array) -> Array:
        """The position (3,) of the hand in the trunk's frame."""
        pitch, roll, elbow = angles
        ahead, below = -self.fore * np.sin(elbow), self.upper + self.fore * np.cos(elbow)
        out, low = below * np.sin(roll), below * np.cos(roll)
        x = ahead * np.cos(pitch) - low * np.sin(pitch)
        z = -ahead * np.sin(pitch) - low * np.cos(pitch)
        a, b, c = self.shoulder
        return np.array([a + x, self.side * (b + out), c + z])

    def reach(self, hand: Array) -> Array:
        """Angles (3,) that bring the hand to a point, or as near as the arm can reach."""
        away = np.asarray(hand, float) * np.array([1, self.side, 1]) - np.array(self.shoulder)
        most = _STRETCHED * (self.upper + self.fore)
        away = away * min(1.0, most / max(float(np.linalg.norm(away)), 1e-9))
        between = (away @ away - self.upper**2 - self.fore**2) / (2 * self.upper * self.fore)
        elbow = -np.arccos(np.clip(between, -1.0, 1.0))
        ahead, below = -self.fore * np.sin(elbow), self.upper + self.fore * np.cos(elbow)
        roll = np.arcsin(np.clip(away[1] / below, -1.0, 1.0))
        pitch = np.arctan2(-below * np.cos(roll), ahead) - np.arctan2(away[2], away[0])
        return np.array([(pitch + np.pi) % (2 * np.pi) - np.pi, roll, elbow])
