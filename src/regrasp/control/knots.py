"""Knots of a way: poses on a straight line, and postures evenly spread along a way and smoothed."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["blend", "evenly", "smooth"]

_KNOT_M, _KNOT_RAD = 0.05, 0.25  # between two postures on a straight line of the palm
_EVEN = 0.1  # rad between two knots that are evenly spread
_ROUNDS = 4  # of smoothing


def evenly(knots: Array) -> Array:
    """The same way (m, n), its knots evenly spread: a trajectory takes as long for each piece."""
    steps = np.abs(np.diff(knots, axis=0)).max(axis=1)
    length = np.concatenate([[0.0], np.cumsum(steps)])
    count = 1 + max(1, math.ceil(float(length[-1]) / _EVEN))
    at = np.linspace(0.0, length[-1], count)
    return np.stack([np.interp(at, length, column) for column in knots.T], axis=1)


def smooth(knots: Array) -> Array:
    """The same way (m, n) with its corners rounded: a load would be torn out of a hand by them."""
    way = knots.copy()
    for _ in range(_ROUNDS):
        way[1:-1] = (way[:-2] + 2.0 * way[1:-1] + way[2:]) / 4.0
    return way


def blend(start: Pose, end: Pose, finer: float = 1.0) -> list[Pose]:
    """Poses after `start` to `end`: straight, turning evenly about one axis."""
    quat, turn = np.zeros(4), np.zeros(3)
    mujoco.mju_mat2Quat(quat, (end.rotation @ start.rotation.T).ravel())
    mujoco.mju_quat2Vel(turn, quat, 1.0)
    offset, angle = end.position - start.position, float(np.linalg.norm(turn))
    steps = max(float(np.linalg.norm(offset)) / _KNOT_M, angle / _KNOT_RAD)
    count = max(1, math.ceil(finer * steps))
    poses = []
    for k in range(1, count + 1):
        part, matrix = k / count, np.zeros(9)
        if angle > 1e-9:
            mujoco.mju_axisAngle2Quat(quat, turn / angle, part * angle)
        else:
            quat[:] = (1.0, 0.0, 0.0, 0.0)
        mujoco.mju_quat2Mat(matrix, quat)
        rotation = matrix.reshape(3, 3) @ start.rotation
        poses.append(Pose(start.position + part * offset, rotation))
    return poses
