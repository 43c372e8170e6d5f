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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["Kinematics", "Pose", "Solution"]

_DAMPING = 0.02
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
        self._low, self._high = model.jnt_range[numbers].T.copy()
        self._site = int(model.site(site).id)
        self._jacobian = np.zeros((2, 3, model.nv))

    def pose(self, q: Array) -> Pose:
        """The pose of the site for joints `q` (n,)."""
        self._data.qpos[self._at] = q
        mujoco.mj_kinematics(self._model, self._data)
        rotation = self._data.site_xmat[self._site].reshape(3, 3).copy()
        return Pose(self._data.site_xpos[self._site].copy(), rotation)

    def solve(
        self,
        target: Pose,
        start: Array,
        *,
        distance: float = 1e-4,
        angle: float = 1e-3,
        iterations: int = 60,
        toward: Array | None = None,
    ) -> Solution:
        """Joints for `target`, found from `start` (n,), to within the given tolerances.

        `toward` (n,) is a posture that redundant joints approach.
        """
        q = np.clip(start, self._low, self._high)
        best: tuple[float, Solution] | None = None
        for _ in range(iterations):
            error = self._error(self.pose(q), target)
            found = self._found(q, error, distance, angle)
            size = found.distance + _TURN_M * found.angle
            if best is None or size < best[0]:
                best = (size, found)
            if found.reached:
                return found
            draw = None if toward is None or size < _FAR else _DRAW * (toward - q)
            q = self._step(q, error, draw)
        assert best is not None
        return best[1]

    def _error(self, now: Pose, target: Pose) -> Array:
        turn, quat = np.zeros(3), np.zeros(4)
        mujoco.mju_mat2Quat(quat, (target.rotation @ now.rotation.T).flatten())
        mujoco.mju_quat2Vel(turn, quat, 1.0)
        return np.concatenate([target.position - now.position, _TURN_M * turn])

    def _found(self, q: Array, error: Array, distance: float, angle: float) -> Solution:
        off, turned = (float(np.linalg.norm(part)) for part in (error[:3], error[3:] / _TURN_M))
        stopped = (q - self._low < _CLOSE) | (self._high - q < _CLOSE)
        names = tuple(name for name, at in zip(self.joints, stopped, strict=True) if at)
        return Solution(q.copy(), off, turned, names, off <= distance and turned <= angle)

    def _step(self, q: Array, error: Array, draw: Array | None) -> Array:
        """One step from `q`, within the joints' ranges; `draw` (n,) moves redundant joints."""
        mujoco.mj_comPos(self._model, self._data)
        place, turn = self._jacobian
        mujoco.mj_jacSite(self._model, self._data, place, turn, self._site)
        J = np.concatenate([place[:, self._dof], _TURN_M * turn[:, self._dof]])
        free, moved = np.ones(len(q), bool), np.zeros(len(q))
        for _ in range(len(q)):
            part = J[:, free]
            rest = error - J @ np.where(free, 0.0, moved)
            damped = part @ part.T + _DAMPING**2 * np.eye(6)
            if draw is None:
                moved[free] = part.T @ np.linalg.solve(damped, rest)
            else:
                apart = rest - part @ draw[free]
                moved[free] = draw[free] + part.T @ np.linalg.solve(damped, apart)
            over = free & ((q + moved < self._low) | (q + moved > self._high))
            if not over.any():
                break
            moved[over] = np.clip(q + moved, self._low, self._high)[over] - q[over]
            free &= ~over
        longest = float(np.abs(moved).max(initial=0.0))
        return q + moved * min(1.0, _LONGEST / longest) if longest else q
