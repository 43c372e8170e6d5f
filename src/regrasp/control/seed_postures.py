"""First guesses for the inverse kinematics of an arm whose first joint is vertical.

A redundant arm has many postures for a pose, and a solver finds one near its first guess. Once, at
the start, the poses that skills need most (the hand down or level, near and far, low and high) are
solved from several postures, and of each the solution is kept that is far from the joints' limits
and near the rest posture. Later the guesses of the most similar poses are turned towards the target
with the first joint. Arms with the axes of Franka Emika's have a closed form (`arm_postures`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from regrasp.control.ik import Kinematics, Pose, Solution
from regrasp.control.postures import level_rotation, yaw_rotation
from regrasp.core.arrays import Array

__all__ = ["SeedPostures"]

_RADII_M, _HEIGHTS_M = (0.35, 0.50, 0.68), (-0.25, 0.0)  # of the solved poses, from the shoulder
_TURNS = (-0.7, 0.0, 0.7)  # rad between the hand and the direction from the shoulder
_TRIES, _SPREAD, _REUSED = 6, 0.9, 3  # random starts, their deviation (rad), earlier solutions
_KEPT, _UNLIKE = 2, 0.6  # solutions of a pose that are kept, some joint so far apart (rad)
_GUESSES, _PATIENCE, _AMPLE = 5, 6, 0.25  # a margin (rad) that is enough
_NEAR_HOME = 0.15  # rad of margin that a posture nearer to home by one radian is worth
_RADIAN_M = 0.3  # two rotations one radian apart are as unlike as two places this far apart


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """A pose straight ahead of the shoulder, and joints (n,) for it."""

    radius: float
    height: float
    rotation: Array
    q: Array


_BANKS: dict[bytes, list[_Solved]] = {}
"""What was solved already: two equal arms, and all robots of a process, share their guesses."""


class SeedPostures:
    """The guesses of one arm; `shoulder` (3,) is on the axis of its first joint."""

    def __init__(self, kinematics: Kinematics, home: Array, shoulder: Array) -> None:
        self._kinematics, self._shoulder = kinematics, shoulder
        self._home = np.concatenate([[0.0], home[1:]])
        key = kinematics.geometry + self._home.tobytes()
        if key not in _BANKS:
            _BANKS[key] = self._bank()
        self._solved = _BANKS[key]
        self._places = np.array([(s.radius, s.height) for s in self._solved])
        self._rotations = np.array([s.rotation for s in self._solved])

    def guesses(self, target: Pose) -> list[Array]:
        """Postures (n,) from which to solve for a pose: those of the most similar poses."""
        away = target.position - self._shoulder
        azimuth = float(np.arctan2(away[1], away[0]))
        turn = np.array([[np.cos(azimuth), -np.sin(azimuth)], [np.sin(azimuth), np.cos(azimuth)]])
        rotation = target.rotation.copy()
        rotation[:2] = turn.T @ rotation[:2]
        trace = np.einsum("kij,ij->k", self._rotations, rotation)
        angles = np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0))
        place = np.array([np.hypot(*away[:2]), away[2]])
        unlike = np.abs(self._places - place).sum(axis=1) + _RADIAN_M * angles
        found = []
        for k in np.argsort(unlike, kind="stable")[:_GUESSES]:
            guess = self._solved[k].q.copy()
            guess[0] += azimuth
            found.append(np.clip(guess, self._kinematics.low, self._kinematics.high))
        return found

    def natural(self, position: Array) -> Array:
        """The rest posture (n,), turned towards a position (3,)."""
        away = position - self._shoulder
        posture = self._home.copy()
        posture[0] = float(np.arctan2(away[1], away[0]))
        within: Array = np.clip(posture, self._kinematics.low, self._kinematics.high)
        return within

    def solve(self, target: Pose) -> Solution:
        """A solution far from the joints' limits, else the best or nearest that was found."""
        found = []
        for guess in self.guesses(target):
            one = self._kinematics.solve(target, guess, toward=guess, patience=_PATIENCE)
            if one.reached and self._kinematics.margin(one.q) > _AMPLE:
                return one
            found.append(one)
        reached = [one for one in found if one.reached]
        if reached:
            return max(reached, key=lambda one: self._kinematics.margin(one.q))
        return min(found, key=lambda one: one.distance + 0.3 * one.angle)

    def _bank(self) -> list[_Solved]:
        rng = np.random.default_rng(0)
        spread = rng.normal(0.0, _SPREAD, (_TRIES, len(self._home)))
        rotations = [yaw_rotation(turn) for turn in _TURNS]
        for rolled in (False, True):
            rotations += [level_rotation(turn, rolled=rolled) for turn in _TURNS]
        bank: list[_Solved] = []
        for rotation in rotations:
            recent: list[Array] = []
            for radius, height in itertools.product(_RADII_M, _HEIGHTS_M):
                pose = Pose(self._shoulder + np.array([radius, 0.0, height]), rotation)
                starts = [*recent[-_REUSED:], self._home, *(self._home + step for step in spread)]
                found = [self._attempt(pose, start) for start in starts]
                kept: list[Array] = []
                for q in sorted((s.q for s in found if s.reached), key=self._merit, reverse=True):
                    if len(kept) < _KEPT and all(np.abs(q - k).max() > _UNLIKE for k in kept):
                        kept.append(q)
                recent += kept[:1]
                bank += [_Solved(radius, height, rotation, q) for q in kept]
        return bank

    def _attempt(self, pose: Pose, start: Array) -> Solution:
        return self._kinematics.solve(
            pose, start, toward=self._home, patience=_PATIENCE, iterations=30
        )

    def _merit(self, q: Array) -> float:
        far = float(np.abs(q - self._home).max())
        return self._kinematics.margin(q) - _NEAR_HOME * far
