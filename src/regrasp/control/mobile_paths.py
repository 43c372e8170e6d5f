"""Ways of an arm on a mobile base, in the robot's model of itself."""

from __future__ import annotations

import itertools

import numpy as np

from regrasp.control.ik import Pose
from regrasp.control.joint_search import search_path
from regrasp.control.knots import blend
from regrasp.control.mobile_manipulator import MobileArm
from regrasp.control.paths import JointPath, NoPathError
from regrasp.core.arrays import Array

__all__ = ["joint_way", "line_way"]

_JUMP = 0.8  # rad: a line on which a joint moves further between two knots is not straight
_SAMPLES, _SPREAD = 300, 0.9


def line_way(arm: MobileArm, start: Array, pose: Pose) -> Array:
    """Knots (m, n) that move the palm straight from the posture `start` to `pose`."""
    knots = [start]
    for at in blend(arm.kinematics.pose(start), pose):
        found = arm.kinematics.solve(
            at, knots[-1], distance=1e-3, angle=5e-3, iterations=25, patience=8
        )
        if not found.reached:
            off = f"the hand would stay {100 * found.distance:.1f} cm off a straight line"
            raise NoPathError(off, found.at_limit)
        if float(np.abs(found.q - knots[-1]).max()) > _JUMP:
            raise NoPathError("the arm would have to turn over on a straight line")
        knots.append(found.q)
    return np.array(knots)


def joint_way(arm: MobileArm, start: Array, goal: Array) -> JointPath:
    """A way from posture to posture on which the robot does not touch itself."""
    straight = np.array([start, goal])
    if not (touches := arm.clearance.first_collision(straight)):
        return [straight]
    rng = np.random.default_rng(0)
    low, high = arm.kinematics.low, arm.kinematics.high

    def sample() -> Array:
        between = start + rng.random() * (goal - start)
        near: Array = np.clip(between + rng.normal(0.0, _SPREAD, len(start)), low, high)
        return near

    def is_free(knots: Array) -> bool:
        return not arm.clearance.first_collision(knots)

    found = search_path(start, goal, sample, is_free, rng, _SAMPLES)
    if found is None:
        raise NoPathError("no way there is free", touches=touches)
    return [np.array(pair) for pair in itertools.pairwise(found)]
