"""The choice among an object's grasps in the present state, and the approach direction."""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.control.affordance import Grasp, SceneObject
from regrasp.control.estimate import StateEstimate
from regrasp.core.arrays import Array

__all__ = ["approach_of", "choose_grasp", "closing_axes", "headroom"]


def choose_grasp(now: StateEstimate, thing: SceneObject) -> Grasp:
    """The first grasp from above, or with an approach that is not from below.

    A grasp along a site's axis is also excluded at ground level, where the hand has no room.
    """
    for how in thing.grasps:
        if how.above or (now[f"{how.site}.z"][2] < 0.1 and now[how.site][2] > 0.08):
            return how
    return thing.grasps[-1]


def approach_of(now: StateEstimate, how: Grasp) -> Array:
    """The approach direction (3,) of the hand: the site's, or down, or horizontal under a roof."""
    if not how.above:
        return now[f"{how.site}.z"]
    at = now[how.site]
    outward = at[:2] / max(float(np.linalg.norm(at[:2])), 1e-6)
    if _roofed(now, at):
        return np.array([0.9 * outward[0], 0.9 * outward[1], -0.44])
    return np.array([0.15 * outward[0], 0.15 * outward[1], -0.99])


def closing_axes(now: StateEstimate, how: Grasp) -> list[str]:
    """Sensors of the axes along which the fingers may close: from above, only level ones."""
    axes = [f"{how.site}.{axis}" for axis in how.closing]
    return [axis for axis in axes if abs(now[axis][2]) < 0.6] if how.above else axes


def headroom(now: StateEstimate, at: Array) -> float:
    """Metres of free height above a point (3,) below fixed bodies; infinite without any.

    Bodies that can move (the arm, a movable object) are ignored.
    """
    model, hit = now.model, np.array([-1], np.int32)
    start, up, height = np.array(at), np.array([0.0, 0.0, 1.0]), 0.0
    while True:
        rise = mujoco.mj_ray(model, now.data, start, up, None, True, -1, hit, None)
        if rise < 0:
            return float("inf")
        height += float(rise)
        if model.body_weldid[model.geom_bodyid[hit[0]]] == 0:
            return height
        height += 1e-3
        start = at + height * up


def _roofed(now: StateEstimate, at: Array) -> bool:
    """Whether something fixed stands within 0.4 m above a point (in the robot's own model)."""
    hit = np.array([-1], np.int32)
    up = mujoco.mj_ray(
        now.model, now.data, at + np.array([0.0, 0.0, 0.05]), np.array([0.0, 0.0, 1.0]), None,
        True, int(now.model.body("hand").id), hit, None,
    )  # fmt: skip
    fixed = hit[0] >= 0 and now.model.body_dofnum[now.model.geom_bodyid[hit[0]]] == 0
    return bool(fixed and 0.0 <= up < 0.4)
