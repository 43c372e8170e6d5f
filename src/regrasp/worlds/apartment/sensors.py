"""The errors of the robot's sensors: noise and holes of a depth camera, and a laser scanner."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.core.arrays import Array, Floats

__all__ = ["LASER_ANGLES", "LASER_FAR_M", "noisy_depth", "scan_laser"]

_NEAR_M, _FAR_M = 0.4, 8.0
_NOISE_M, _NOISE_PER_M2 = 0.0012, 0.0019  # σ = a + b (z - 0.4)²: Nguyen, Izadi, Lovell 2012
_EDGE_M, _EDGE_LOST, _LOST = 0.05, 0.5, 0.004  # a step in depth, and how often a pixel is lost
LASER_FAR_M = 10.0
LASER_ANGLES: Array = np.linspace(-1.9, 1.9, 229)
"""Directions (n,) of the scanner's rays in the base's frame, rad."""
_LASER_NOISE_M = 0.01


def noisy_depth(depth: Floats, rng: np.random.Generator) -> Floats:
    """A measured depth image (h, w) from a true one.

    NaN where the camera measured nothing (too near, lost at an edge, lost anywhere), and infinite
    where nothing is near enough (ROS REP 118).
    """
    true = np.where(depth > _FAR_M, np.inf, depth).astype(float)
    finite = np.isfinite(true)
    sigma = _NOISE_M + _NOISE_PER_M2 * (np.where(finite, true, _NEAR_M) - _NEAR_M) ** 2
    measured = true + sigma * rng.standard_normal(true.shape)
    flat = np.where(finite, true, _FAR_M)
    edge = np.zeros(true.shape, bool)
    for axis in (0, 1):
        step = np.abs(np.diff(flat, axis=axis)) > _EDGE_M * np.minimum(
            np.delete(flat, 0, axis), np.delete(flat, -1, axis)
        )
        before, after = [slice(None)] * 2, [slice(None)] * 2
        before[axis], after[axis] = slice(None, -1), slice(1, None)
        edge[tuple(before)] |= step
        edge[tuple(after)] |= step
    draw = rng.random(true.shape)
    lost = (draw < _LOST) | (edge & (draw < _EDGE_LOST)) | (true < _NEAR_M)
    return np.where(lost, np.nan, measured).astype(np.float32)


def scan_laser(
    model: mujoco.MjModel, data: mujoco.MjData, at: Array, yaw: float, rng: np.random.Generator
) -> Array:
    """Distances (n,) along `LASER_ANGLES` from the scanner at `at` (3,); infinite for nothing."""
    turned = LASER_ANGLES + yaw
    rays = np.stack([np.cos(turned), np.sin(turned), np.zeros_like(turned)], axis=1)
    hit, far = np.zeros(len(rays), np.int32), np.zeros(len(rays))
    mujoco.mj_multiRay(
        model, data, at, rays.ravel(), None, True, int(model.body("base").id), hit, far, None,
        len(rays), LASER_FAR_M,
    )  # fmt: skip
    measured = far + _LASER_NOISE_M * rng.standard_normal(len(far))
    seen = (hit >= 0) & (far < LASER_FAR_M)
    return np.where(seen, measured, math.inf)
