"""Postures and ways of one arm for given poses of its palm, clear of everything where possible."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.collision_check import Near
from regrasp.control.ik import Pose, Solution
from regrasp.control.knots import blend, evenly, smooth
from regrasp.control.two_arms import HandArm, TwoArms
from regrasp.core.arrays import Array

__all__ = ["PalmPlanner", "UnreachedError", "hit_cost"]

_DRAWN = 0.25  # rad: how strongly the elbow is drawn; more would bend the line between two knots
_JUMP = 0.8  # rad: a line on which a joint moves further between two knots is not straight
_PATIENCE = 6  # iterations without progress towards a pose out of reach
_FIXED = 10  # cost of a collision with what cannot be moved away


@dataclass(frozen=True, eq=False)
class UnreachedError(Exception):
    """The palm cannot reach a pose: the nearest solution, and how far (m) the place is too far.

    `bends` is whether single poses can be reached, but not on a straight or level way.
    """

    solution: Solution
    too_far: float
    bends: bool = False


def hit_cost(robot: TwoArms, near: Near) -> int:
    """The cost of a collision: 1 with a thing that could be moved away, more with anything else."""
    return 1 if near.other in robot.movable else _FIXED


class PalmPlanner:
    """Plans for the palm of one arm, in the robot's own model of the scene."""

    def __init__(self, robot: TwoArms, arm: HandArm) -> None:
        self._robot, self._arm = robot, arm

    def solve(
        self,
        pose: Pose,
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        gripped: Collection[str] = (),
        fingers: float = np.inf,
    ) -> Array:
        """Joints (n,) for a pose of the palm: free there, and far from the joints' limits.

        The other arguments are those of `CollisionCheck.along`.
        """
        found = self.solve_any([pose], carried, ignore=ignore, gripped=gripped, fingers=fingers)
        return found[1]

    def solve_near(self, pose: Pose, posture: Array) -> Array:
        """Joints (n,) for a pose of the palm, found from a posture (n,) not far from it."""
        return self._reached(self._arm.kinematics.solve(pose, posture), pose)

    def solve_any(
        self,
        poses: Sequence[Pose],
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        gripped: Collection[str] = (),
        fingers: float = np.inf,
    ) -> tuple[Pose, Array]:
        """The one of several poses that is free and farthest from the joints' limits, its joints.

        The other arguments are those of `CollisionCheck.along`.
        """

        def cost(q: Array) -> int:
            nears = self._arm.check.along(
                q[None], carried, ignore=ignore, gripped=gripped, fingers=fingers
            )
            return sum(hit_cost(self._robot, near) for near in nears if near.collides)

        found = [(pose, *self._arm.postures.solve(pose, cost)) for pose in poses]
        reached = [(pose, one.q, hits) for pose, one, hits in found if one.reached]
        if not reached:
            pose, one, _ = min(found, key=lambda each: each[1].distance)
            return pose, self._reached(one, pose)
        margin = self._arm.kinematics.margin
        best, q, _ = min(reached, key=lambda each: (each[2], -margin(each[1])))
        return best, q

    def solve_sequence(
        self,
        choices: Sequence[Sequence[Pose]],
        least: int,
        carried: Carried | None = None,
        *,
        gripped: Collection[str] = (),
        driven: Sequence[str] = (),
        values: Array | None = None,
        fingers: float = np.inf,
    ) -> tuple[Sequence[Pose], Array]:
        """The sequence of poses that is reached furthest, and joints (k, n) for its first k poses.

        Fewer than `least` end the planning. Postures that would touch furniture or the robot itself
        are avoided; `values` (m, d) are the positions of `driven` joints at each pose, the other
        arguments are those of `CollisionCheck.along`.
        """
        columns = np.zeros((max(map(len, choices)), 0)) if values is None else values

        def blocked(knots: Array) -> Array:
            hits = []
            for q, others in zip(knots, columns, strict=False):
                nears = self._arm.check.along(
                    np.append(q, others)[None], carried, gripped=gripped, driven=driven,
                    fingers=fingers,
                )  # fmt: skip
                hits.append(any(n.collides and hit_cost(self._robot, n) > 1 for n in nears))
            return np.array(hits, bool)

        reached = [(poses, self._arm.postures.sequence(poses, blocked)) for poses in choices]
        poses, knots = max(reached, key=lambda one: len(one[1]))
        if len(knots) < least:
            self._stuck(poses, knots)
        return poses, knots

    def join(self, start: Array, poses: Sequence[Pose], end: Array | None) -> Array:
        """Knots (m, n) through poses from the posture `start` at the first of them to `end`.

        Without an `end` the last posture is any. What cannot be joined ends the planning.
        """
        knots = self._arm.postures.sequence(poses, first=start, last=end)
        if len(knots) < len(poses):
            self._stuck(poses, knots)
        return smooth(evenly(knots))

    def line(self, start: Array, pose: Pose) -> Array:
        """Knots (m, n) that move the palm straight from the posture `start` to `pose`.

        Meanwhile the elbow comes nearer to where it is at rest. Corners are rounded: at one, the
        speeds of joints change at once, the servos saturate, and the hand leaves its way by
        centimetres.
        """
        first = self._arm.kinematics.pose(start)
        knots, step = [start], np.zeros_like(start)
        for at in blend(first, pose):
            rest = self._arm.postures.natural(at.position) - knots[-1]
            found = self._arm.kinematics.solve(
                at, knots[-1] + step, distance=1e-3, angle=5e-3, iterations=15, patience=6,
                toward=knots[-1] + np.clip(rest, -_DRAWN, _DRAWN),
            )  # fmt: skip
            q = self._reached(found, at)
            if float(np.abs(q - knots[-1]).max()) > _JUMP:
                raise UnreachedError(found, 0.0, bends=True)
            step = q - knots[-1]  # the next knot is about as far again
            knots.append(q)
        return smooth(evenly(np.array(knots)))

    def _stuck(self, poses: Sequence[Pose], knots: Array) -> NoReturn:
        """Fail at the first pose that a sequence of postures `knots` (k, n) does not reach."""
        stuck = poses[len(knots)]
        start = knots[-1] if len(knots) else self._arm.postures.natural(stuck.position)
        found = self._arm.kinematics.solve(stuck, start, patience=_PATIENCE)
        self._reached(found, stuck)
        raise UnreachedError(found, 0.0, bends=True)

    def _reached(self, found: Solution, pose: Pose) -> Array:
        if found.reached:
            return found.q
        away = float(np.linalg.norm(pose.position - self._arm.shoulder))
        raise UnreachedError(found, max(0.0, away - self._arm.reach_m))
