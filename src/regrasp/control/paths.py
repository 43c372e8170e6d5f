"""Collision-free paths in the robot's model of the scene: straight if free, else up and over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from regrasp.control.clearance import Carried, Clearance
from regrasp.control.ik import Kinematics, Pose
from regrasp.core.arrays import Array

__all__ = ["JointPath", "NoPathError", "PathArm", "find_path", "solve_pose", "straight_path"]

JointPath = list[Array]
"""Parts of a path, each a sequence of joint knots (m, n); the arm stops between parts."""

_KNOT_M = 0.01  # between two postures on a straight line of the cup
_RISES_M = (0.06, 0.12, 0.20, 0.28)  # heights above the straight path that are tried


class PathArm(Protocol):
    """An arm that a path is found for."""

    @property
    def kinematics(self) -> Kinematics:
        """Its chain."""
        ...

    @property
    def clearance(self) -> Clearance:
        """Its model for collisions."""
        ...

    def posture(self, pose: Pose) -> Array:
        """A first guess (n,) of the joints for a pose."""
        ...


@dataclass(frozen=True)
class NoPathError(Exception):
    """There is no path: the reason, and the joints at their limit or the part in collision."""

    reason: str
    at_limit: tuple[str, ...] = ()
    touches: str = ""


def solve_pose(arm: PathArm, pose: Pose, start: Array | None = None) -> Array:
    """Joints (n,) for a pose of the cup, solved from `start` or from the rest posture."""
    found = arm.kinematics.solve(pose, arm.posture(pose) if start is None else start)
    if not found.reached:
        off = f"the tool would stay {100 * found.distance:.1f} cm and {found.angle:.2f} rad off"
        raise NoPathError(off, found.at_limit)
    return found.q


def straight_path(arm: PathArm, start: Array, pose: Pose) -> Array:
    """Knots (m, n) that move the tool straight from the posture `start` to `pose`."""
    first = arm.kinematics.pose(start)
    offset = pose.position - first.position
    count = max(2, round(float(np.linalg.norm(offset)) / _KNOT_M))
    knots = [start]
    for k in range(1, count + 1):
        at = Pose(first.position + offset * (k / count), pose.rotation)
        knots.append(solve_pose(arm, at, knots[-1]))
    return np.array(knots)


def find_path(arm: PathArm, start: Array, pose: Pose, carried: Carried | None = None) -> JointPath:
    """A free path from the posture `start` to `pose`, as low as possible."""
    goal = solve_pose(arm, pose)
    straight = np.array([start, goal])
    touches = arm.clearance.first_collision(straight, carried)
    if not touches:
        return [straight]
    here = arm.kinematics.pose(start)
    top = max(here.position[2], pose.position[2])
    for rise in _RISES_M:
        try:
            up = straight_path(arm, start, here.raised(top + rise - here.position[2]))
            down = straight_path(arm, goal, pose.raised(top + rise - pose.position[2]))[::-1]
        except NoPathError:
            continue
        path = [up, np.array([up[-1], down[0]]), down]
        touches = arm.clearance.first_collision(np.concatenate(path), carried)
        if not touches:
            return path
    raise NoPathError("no way there is free", touches=touches)
