"""Inverse kinematics: the joints that bring a site of the robot to a pose.

Damped least squares on MuJoCo's Jacobian J (6, n). With e (6,) the error in position and, as a
rotation vector, in orientation, every iteration takes the step

    dq = Jᵀ (J Jᵀ + λ² I)⁻¹ e

(Wampler 1986; Nakamura and Hanafusa 1986). A joint that dq would drive past its limit is set to the
limit and left out when the same step is repeated, so that the other joints compensate.

An arm with more than six joints can be drawn `toward` a posture p meanwhile, as long as it is far
from the pose: dq += g (I - Jᵀ (J Jᵀ + λ² I)⁻¹ J) (p - q).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["Kinematics", "Pose", "Solution"]

_DAMPING = 0.02
_DAMPED = _DAMPING**2 * np.eye(6)
_TURN_M = 0.3  # weight of an error of one radian, in metres
_LONGEST = 0.6  # rad: no joint moves further in one iteration
_CLOSE = 1e-3  # rad: a joint this near its limit counts as at the limit
_DRAW, _FAR = 0.2, 0.01  # gain toward a posture, and the error (m) down to which it acts


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A pose: position (3,) in m and rotation (3, 3) in the world's frame."""

    position: Array
    rotation: Array

    @classmethod
    def of(cls, frame: Any) -> Self:
        """The present pose of a body or site of a state: `data.site(name)`."""
        return cls(frame.xpos.copy(), frame.xmat.reshape(3, 3).copy())

    def raised(self, height: float) -> Pose:
        """The same pose, higher by `height` m."""
        return Pose(self.position + np.array([0.0, 0.0, height]), self.rotation)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Joints `q` (n,), and the remaining distance (m) and angle (rad) to the pose.

    `at_limit` names the joints at the end of their range.
    """

    q: Array
    distance: float
    angle: float
    at_limit: tuple[str, ...]
    reached: bool


class Kinematics:
    """Solves for `joints` of a model so that `site` reaches a pose; `data` is its own copy."""

    def __init__(self, model: mujoco.MjModel, joints: Sequence[str], site: str) -> None:
        self._model, self._data = model, mujoco.MjData(model)
        self.joints = tuple(joints)
        numbers = [model.joint(name).id for name in joints]
        self._at, self._dof = model.jnt_qposadr[numbers], model.jnt_dofadr[numbers]
        self.low, self.high = model.jnt_range[numbers].T.copy()
        self._site = int(model.site(site).id)
        self._jacobian = np.zeros((2, 3, model.nv))
        frames = (model.body_pos[2:], model.body_quat[2:], model.jnt_axis, model.jnt_range)
        self.geometry = b"".join(part.tobytes() for part in frames)
        """Equal for two arms that differ in where they stand alone."""

    def pose(self, q: Array) -> Pose:
        """The pose of the site for joints `q` (n,)."""
        self._data.qpos[self._at] = q
        mujoco.mj_kinematics(self._model, self._data)
        rotation = self._data.site_xmat[self._site].reshape(3, 3).copy()
        return Pose(self._data.site_xpos[self._site].copy(), rotation)

    def turning(self, q: Array) -> Array:
        """The Jacobian (3, n) of the site's rotation, in the world's frame, at joints `q` (n,)."""
        self.pose(q)
        mujoco.mj_comPos(self._model, self._data)
        turn = self._jacobian[1]
        mujoco.mj_jacSite(self._model, self._data, None, turn, self._site)
        turning: Array = turn[:, self._dof]
        return turning

    def margin(self, q: Array) -> float:
        """The smallest distance (rad) of a joint from its limits, for joints (n,) or (m, n)."""
        return float(np.minimum(q - self.low, self.high - q).min())

    def solve(
        self,
        target: Pose,
        start: Array,
        *,
        distance: float = 1e-4,
        angle: float = 1e-3,
        iterations: int = 60,
        toward: Array | None = None,
        patience: int = 0,
    ) -> Solution:
        """Joints for `target`, found from `start` (n,), to within the given tolerances.

        `toward` (n,) is a posture that redundant joints approach. With `patience`, the search ends
        when that many iterations have not come nearer.
        """
        q = np.clip(start, self.low, self.high)
        least, nearest, last = np.inf, (q, np.zeros(6)), 0
        for k in range(iterations):
            error = self._error(q, target)
            off, turned = _norm(error[:3]), _norm(error[3:]) / _TURN_M
            size = off + _TURN_M * turned
            if size < least:
                least, nearest, last = size, (q, error), k
            if (off <= distance and turned <= angle) or (patience and k - last >= patience):
                break
            draw = None if toward is None or size < _FAR else _DRAW * (toward - q)
            q = self._step(q, error, draw)
        return self._found(*nearest, distance, angle)

    def _error(self, q: Array, target: Pose) -> Array:
        """The error (6,) in position (m) and orientation (m: rad times `_TURN_M`) at joints `q`."""
        data, error, quat = self._data, np.empty(6), np.empty(4)
        data.qpos[self._at] = q
        mujoco.mj_kinematics(self._model, data)
        rotation = data.site_xmat[self._site].reshape(3, 3)
        mujoco.mju_mat2Quat(quat, (target.rotation @ rotation.T).ravel())
        mujoco.mju_quat2Vel(error[3:], quat, 1.0 / _TURN_M)  # a rotation in 1 / _TURN_M seconds
        error[:3] = target.position - data.site_xpos[self._site]
        return error

    def _found(self, q: Array, error: Array, distance: float, angle: float) -> Solution:
        off, turned = _norm(error[:3]), _norm(error[3:]) / _TURN_M
        stopped = (q - self.low < _CLOSE) | (self.high - q < _CLOSE)
        names = tuple(name for name, at in zip(self.joints, stopped, strict=True) if at)
        return Solution(q.copy(), off, turned, names, off <= distance and turned <= angle)

    def _step(self, q: Array, error: Array, draw: Array | None) -> Array:
        """One step from `q`, within the joints' ranges; `draw` (n,) moves redundant joints."""
        mujoco.mj_comPos(self._model, self._data)
        place, turn = self._jacobian
        mujoco.mj_jacSite(self._model, self._data, place, turn, self._site)
        J = np.concatenate([place[:, self._dof], _TURN_M * turn[:, self._dof]])
        free = np.ones(len(q), bool)
        moved = _least_squares(J, error, draw)
        for _ in range(len(q)):
            over = free & ((q + moved < self.low) | (q + moved > self.high))
            if not over.any():
                break
            moved[over] = np.clip(q + moved, self.low, self.high)[over] - q[over]
            free &= ~over
            rest = error - J @ np.where(free, 0.0, moved)
            moved[free] = _least_squares(J[:, free], rest, None if draw is None else draw[free])
        longest = float(np.abs(moved).max(initial=0.0))
        return q + moved * min(1.0, _LONGEST / longest) if longest else q


def _least_squares(J: Array, error: Array, draw: Array | None) -> Array:
    """The damped step for `error` (6,), plus the part of `draw` that J does not see."""
    damped = J @ J.T + _DAMPED
    if draw is None:
        step: Array = J.T @ np.linalg.solve(damped, error)
        return step
    return draw + J.T @ np.linalg.solve(damped, error - J @ draw)


def _norm(vector: Array) -> float:
    return math.sqrt(vector @ vector)
