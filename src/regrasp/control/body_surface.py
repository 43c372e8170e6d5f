"""The surface of a known body: distances of points from it, and the pose that fits points best.

With s(x) the distance of a point x from the body's surface, in its frame, the fit minimises

    Σ ρ(s(Rᵀ(x - t)))     over rotation R and position t,

with ρ Tukey's biweight, by Levenberg and Marquardt's method on numerical derivatives. Directions
that the points leave open (a ball's rotation) stay as they were.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["BodySurface", "starting_poses"]

_BOX, _SPHERE = int(mujoco.mjtGeom.mjGEOM_BOX), int(mujoco.mjtGeom.mjGEOM_SPHERE)
_CAPSULE, _CYLINDER = int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER)
_ELLIPSOID = int(mujoco.mjtGeom.mjGEOM_ELLIPSOID)
_STEPS, _TINY = 12, 1e-5
_DAMPING = 1e-3
_YAWS = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    kind: int
    size: Array
    position: Array
    rotation: Array


class BodySurface:
    """The geoms of the body `name` of a model, as one surface."""

    def __init__(self, model: mujoco.MjModel, name: str) -> None:
        body = int(model.body(name).id)
        self.name = name
        self.geoms = frozenset(int(g) for g in np.flatnonzero(model.geom_bodyid == body))
        self._parts = []
        for geom in sorted(self.geoms):
            kind, matrix = int(model.geom_type[geom]), np.zeros(9)
            if kind not in (_BOX, _SPHERE, _CAPSULE, _CYLINDER, _ELLIPSOID):
                continue  # a mesh is the skin of simple parts
            mujoco.mju_quat2Mat(matrix, model.geom_quat[geom])
            self._parts.append(
                _Part(kind, model.geom_size[geom].copy(), model.geom_pos[geom].copy(),
                      matrix.reshape(3, 3))
            )  # fmt: skip
        self.radius = max(
            (float(np.linalg.norm(part.position) + _radius(part)) for part in self._parts),
            default=0.0,
        )

    def distance(self, points: Array) -> Array:
        """The signed distance (n,) of points (n, 3), in the body's frame; below 0 inside (m)."""
        each = [_distance(part, (points - part.position) @ part.rotation) for part in self._parts]
        return np.min(each, axis=0) if each else np.full(len(points), np.inf)

    def from_pose(self, pose: Pose, points: Array) -> Array:
        """The signed distance (n,) of points (n, 3) from the body at a pose."""
        return self.distance((points - pose.position) @ pose.rotation)

    def fit(self, pose: Pose, points: Array, reach: float) -> tuple[Pose, float]:
        """The pose near `pose` that fits `points` (n, 3) best, and their mean distance (m).

        Points farther than `reach` (m) from the surface do not count for the fit.
        """
        damping, steps = _DAMPING, np.zeros((6, 6))
        np.fill_diagonal(steps, _TINY)
        cost, residual, weight = self._cost(pose, points, reach)
        for _ in range(_STEPS):
            jacobian = np.stack(
                [(self.from_pose(_moved(pose, step), points) - residual) / _TINY for step in steps],
                axis=1,
            )
            weighted = jacobian * weight[:, None]
            normal = weighted.T @ jacobian
            scale = np.diag([1.0, 1.0, 1.0, 0.01, 0.01, 0.01]) * len(points)
            solved = np.linalg.solve(normal + damping * scale, weighted.T @ residual)
            step = np.asarray(-solved, np.float64)
            step[:3] = np.clip(step[:3], -0.02, 0.02)
            step[3:] = np.clip(step[3:], -0.3, 0.3)
            moved = _moved(pose, step)
            after, new, weights = self._cost(moved, points, reach)
            if after < cost:
                better = cost - after
                pose, cost, residual, weight = moved, after, new, weights
                damping = max(damping / 4, 1e-6)
                if better < 1e-4 * cost:
                    break
            else:
                damping *= 8
                if damping > 1e3:
                    break
        return pose, float(np.mean(np.abs(residual)))

    def _cost(self, pose: Pose, points: Array, reach: float) -> tuple[float, Array, Array]:
        """Tukey's cost, the distances (n,) and their weights (n,)."""
        residual = self.from_pose(pose, points)
        share = np.clip(1.0 - (residual / reach) ** 2, 0.0, None)
        return float(np.sum(1.0 - share**3)), residual, share**2


def starting_poses(points: Array) -> list[Pose]:
    """Poses from which a fit begins: around the middle of points (n, 3), turned and tipped."""
    middle = Pose(points.mean(axis=0), np.eye(3))
    level = [[0.0, 0.0, k * np.pi / _YAWS] for k in range(_YAWS)]
    tipped = [[np.pi / 2, 0.0, 0.0], [0.0, np.pi / 2, 0.0]]
    return [_moved(middle, np.array([0.0, 0.0, 0.0, *turn])) for turn in (*level, *tipped)]


def _moved(pose: Pose, step: Array) -> Pose:
    """A pose after a small motion (6,): metres, and a rotation vector in the world's frame."""
    angle = float(np.linalg.norm(step[3:]))
    if angle < 1e-12:
        return Pose(pose.position + step[:3], pose.rotation)
    quat, matrix = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, step[3:] / angle, angle)
    mujoco.mju_quat2Mat(matrix, quat)
    return Pose(pose.position + step[:3], matrix.reshape(3, 3) @ pose.rotation)


def _radius(part: _Part) -> float:
    if part.kind == _CAPSULE:
        return float(part.size[0] + part.size[1])
    return float(np.linalg.norm(part.size[: 1 if part.kind == _SPHERE else 3]))


def _distance(part: _Part, points: Array) -> Array:
    """The signed distance (n,) of points in a geom's own frame from its surface."""
    size = part.size
    if part.kind == _SPHERE:
        return np.asarray(np.linalg.norm(points, axis=1) - size[0])
    if part.kind == _CAPSULE:
        along = np.clip(points[:, 2], -size[1], size[1])
        beside = points - np.outer(along, [0, 0, 1])
        return np.asarray(np.linalg.norm(beside, axis=1) - size[0])
    if part.kind == _ELLIPSOID:
        scaled = np.linalg.norm(points / size, axis=1)
        steep = np.linalg.norm(points / size**2, axis=1)
        return np.asarray(scaled * (scaled - 1.0) / np.maximum(steep, 1e-9))
    if part.kind == _CYLINDER:
        beyond = np.stack(
            [np.hypot(points[:, 0], points[:, 1]) - size[0], np.abs(points[:, 2]) - size[1]], axis=1
        )
    else:
        beyond = np.abs(points) - size
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
    return np.asarray(outside + np.minimum(beyond.max(axis=1), 0.0))
