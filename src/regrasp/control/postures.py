"""The posture of an arm for a pose: of all that reach it, one that is free and at ease.

A redundant arm has many postures for a pose (`arm_postures`). The best is far from the joints'
limits and near the rest posture; where it would touch something, the next one that is unlike it is
taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from regrasp.control.arm_postures import ArmPostures
from regrasp.control.ik import Kinematics, Pose, Solution
from regrasp.core.arrays import Array

__all__ = ["PostureChoice", "axis_rotation", "hand_rotation", "level_rotation", "yaw_rotation"]

_AMPLE = 0.5  # rad: a joint this far from its limits is free
_NEAR_HOME = 0.25  # rad of margin that a posture nearer to home by one radian is worth
_ELBOW = 4  # joints that place the elbow; the others turn the hand, as its pose asks
_UNLIKE, _TRIES = 0.45, 6  # rad between two postures that are looked at, and how many are
_JUMP = 0.4  # rad: the furthest that a joint moves between two poses of a sequence
_SEQUENCES = 4  # that are tried for one without a collision
_DOWN = np.array([0.0, 0.0, -1.0])


def axis_rotation(axis: Array, angle: float) -> Array:
    """The rotation (3, 3) by `angle` about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Array = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return rotation


def hand_rotation(approach: Array, closing: Array) -> Array:
    """The rotation (3, 3) of a palm with this approach direction and closing axis."""
    z = np.asarray(approach, float) / np.linalg.norm(approach)
    y = np.asarray(closing, float) - (np.asarray(closing, float) @ z) * z
    y /= np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1)


def level_rotation(azimuth: float, *, rolled: bool = False, pitch: float = 0.0) -> Array:
    """A palm that moves level along `azimuth`, or `pitch` rad downwards; `rolled` upside down."""
    flat, sign = np.cos(pitch), -1.0 if rolled else 1.0
    ahead = np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), -np.sin(pitch)])
    return hand_rotation(ahead, sign * np.array([np.sin(azimuth), -np.cos(azimuth), 0.0]))


def yaw_rotation(azimuth: float) -> Array:
    """A palm that points down with its x axis along `azimuth`."""
    return hand_rotation(_DOWN, np.array([np.sin(azimuth), -np.cos(azimuth), 0.0]))


class PostureChoice:
    """The postures of one arm; `shoulder` (3,) is on the axis of its first joint."""

    def __init__(
        self, kinematics: Kinematics, postures: ArmPostures, home: Array, shoulder: Array
    ) -> None:
        self._kinematics, self._postures, self._shoulder = kinematics, postures, shoulder
        self._home = np.concatenate([[0.0], home[1:]])

    def natural(self, position: Array) -> Array:
        """The rest posture (n,), turned towards a position (3,)."""
        away = position - self._shoulder
        posture = self._home.copy()
        posture[0] = float(np.arctan2(away[1], away[0]))
        within: Array = np.clip(posture, self._kinematics.low, self._kinematics.high)
        return within

    def solve(
        self, target: Pose, cost: Callable[[Array], int] = lambda q: 0
    ) -> tuple[Solution, int]:
        """The best posture with the least `cost`, and that cost; the nearest one if none reaches.

        `cost` says what a posture (n,) would touch, 0 for nothing.
        """
        found = self._postures.all_for(target)
        natural = self.natural(target.position)
        if not len(found):
            return self._kinematics.solve(target, natural, toward=natural), 0
        chosen: list[tuple[int, Array]] = []
        for q in found[np.argsort(-self._ease(found, natural), kind="stable")]:
            if all(float(np.abs(q - other).max()) > _UNLIKE for _, other in chosen):
                chosen.append((cost(q), q))
                if chosen[-1][0] == 0 or len(chosen) == _TRIES:
                    break
        least, q = min(chosen, key=lambda one: one[0])
        return Solution(q, 0.0, 0.0, (), True), least

    def sequence(
        self,
        poses: Sequence[Pose],
        blocked: Callable[[Array], Array] | None = None,
        *,
        first: Array | None = None,
        last: Array | None = None,
    ) -> Array:
        """Postures (k, n) for the first k of a sequence of poses: the longest that is continuous.

        Of all sequences without a jump, it is the one with the least sum of

            largest step of a joint - ease of the posture,

        by dynamic programming over all postures of each pose. `blocked` says which of the postures
        (k, n) of a sequence touch something (k,): then another sequence without these is found, as
        long as there is one. The `first` and the `last` posture (n,) may be given.
        """
        known = self._postures.all_for_each(poses)
        for k, given in ((0, first), (-1, last)):
            if given is not None:
                known[k] = given[None]
        ease = [
            self._ease(found, self.natural(pose.position))
            for found, pose in zip(known, poses, strict=True)
        ]
        best = _least_sequence(known, ease)
        knots = best
        for _ in range(_SEQUENCES):
            bad = np.zeros(len(knots), bool) if blocked is None else blocked(knots)
            if not bad.any():
                return knots
            for k in np.flatnonzero(bad).tolist():
                left = np.abs(known[k] - knots[k]).max(axis=1) > _UNLIKE
                known[k], ease[k] = known[k][left], ease[k][left]
            knots = _least_sequence(known, ease)
            if len(knots) < len(best):
                break
        return best

    def _ease(self, postures: Array, natural: Array) -> Array:
        """How much at ease the arm is in each posture (m, n)."""
        low, high = self._kinematics.low, self._kinematics.high
        margin = np.minimum(postures - low, high - postures).min(axis=1)
        far = np.abs(postures - natural)[:, :_ELBOW].max(axis=1)
        ease: Array = np.minimum(margin, _AMPLE) - _NEAR_HOME * far
        return ease


def _least_sequence(known: Sequence[Array], ease: Sequence[Array]) -> Array:
    """The continuous sequence (k, n) through postures `known` (m, n) of each pose: see above."""
    back: list[tuple[Array, Array]] = []  # postures of each pose, and which one each comes from
    total = np.zeros(0)
    for postures, at_ease in zip(known, ease, strict=True):
        cost, before = -at_ease, np.zeros(len(postures), int)
        if back and len(postures):
            steps = np.abs(postures[:, None] - back[-1][0][None]).max(axis=2)
            sums = np.where(steps < _JUMP, steps + total, np.inf)
            before, cost = sums.argmin(axis=1), cost + sums.min(axis=1)
        kept = np.isfinite(cost)
        if not kept.any():
            break
        back.append((postures[kept], before[kept]))
        total = cost[kept]
    last, chosen = int(total.argmin()) if back else 0, []
    for postures, before in reversed(back):
        chosen.append(postures[last])
        last = int(before[last])
    return np.array(chosen[::-1]).reshape(len(chosen), known[0].shape[1])
