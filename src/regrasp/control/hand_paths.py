"""Ways of a hand between two postures or poses, for the trial of a primitive to choose from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from regrasp.control.clearance import Carried, between_knots
from regrasp.control.ik import Pose
from regrasp.control.joint_search import search_path
from regrasp.control.knots import blend, evenly
from regrasp.control.palm_planner import UnreachedError
from regrasp.control.primitive_trial import PrimitiveTrial
from regrasp.control.two_arms import HandArm
from regrasp.core.arrays import Array

__all__ = [
    "Way", "backed", "carry_ways", "free_ways", "is_from_side", "ready_pose", "straight_to",
    "turned",
]  # fmt: skip

Way = Callable[[], list[Array]]
"""Gives the parts of a way, each a sequence of joint knots (m, n); may raise `UnreachedError`."""

_RISES_M, _OUT_M = (0.12, 0.25), 0.15
_STEEP = 0.9  # sine of the pitch above which a hand points down
_READY_M, _READY_RAD = (0.45, 0.08, 0.12), 0.6  # from the shoulder: ahead, outward, up; azimuth
_FINER, _DWELL = 2.0, 4  # knots of a way along which the elbow may turn as well, and at its ends
_TURNING_M = (0.42, 0.25, 0.0), (0.42, 0.05, 0.15)
"""Places where a hand has room to turn, from the shoulder: ahead, inward, up."""
_SPILLS, _SPILLS_LATE, _NARROW = 0.20, 0.60, 0.6
"""The largest tilt (rad) of what is carried, the same of a bottle, and how narrow its mouth is."""
_LEVELLED, _LEVELLINGS, _DAMPED = 0.5, 4, 1e-3  # of the largest tilt; iterations; damping
_KNOT = 0.2  # rad between two postures whose tilt is looked at
_SAMPLES, _NEAR, _SPREAD = 320, 0.5, 0.6  # of a search; how many of them near the straight way
_SPACE_M = (0.25, -0.45, -0.25), (0.75, 0.45, 0.40)  # from the shoulder: ahead, outward, up


def backed(pose: Pose, distance: float) -> Pose:
    """A palm `distance` m back against its approach direction."""
    return Pose(pose.position - distance * pose.rotation[:, 2], pose.rotation)


def turned(rotation: Array, angle: float) -> Array:
    """A rotation (3, 3), turned further by `angle` about the vertical."""
    c, s = np.cos(angle), np.sin(angle)
    further: Array = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ rotation
    return further


def is_from_side(rotation: Array) -> bool:
    """Whether a palm is level or oblique, not pointing down."""
    return abs(float(rotation[2, 2])) < _STEEP


def ready_pose(arm: HandArm, rotation: Array) -> Pose:
    """Where an arm keeps what it holds: in front of its shoulder, `rotation` turned to the front.

    The turn is about the vertical, so that what is held stays upright.
    """
    outward = float(np.sign(arm.shoulder[1]))
    if is_from_side(rotation):
        azimuth = float(np.arctan2(rotation[1, 2], rotation[0, 2]))
        ahead, out, up = _READY_M
        position = arm.shoulder + np.array([ahead, outward * out, up])
        wanted = min(_READY_RAD, -_READY_RAD, key=lambda angle: abs(angle - azimuth))
        return Pose(position, turned(rotation, wanted - azimuth))
    rest = arm.kinematics.pose(arm.home)
    azimuth, wanted = (float(np.arctan2(r[1, 0], r[0, 0])) for r in (rotation, rest.rotation))
    turn = (wanted - azimuth + np.pi / 4) % (np.pi / 2) - np.pi / 4  # the nearest quarter turn
    return Pose(rest.position, turned(rotation, turn))


def straight_to(trial: PrimitiveTrial, q: Array, end: Pose) -> list[Array]:
    """The straight way of the palm from a posture to a pose."""
    return [trial.palm.line(q, end)]


def free_ways(trial: PrimitiveTrial, start: Array, goal: Array) -> list[Way]:
    """Ways of an empty hand from one posture to another.

    Direct, up first, by way of rest, from above, straight in or out of where there is a roof.

    A thorough trial also searches for one at random.
    """
    home = trial.arm.home

    def up(rise: float) -> list[Array]:
        first = trial.palm.line(start, trial.arm.kinematics.pose(start).raised(rise))
        return [first, np.array([first[-1], goal])]

    def out_first() -> list[Array]:
        first = trial.palm.line(start, backed(trial.arm.kinematics.pose(start), _OUT_M))
        return [first, np.array([first[-1], goal])]

    def in_last() -> list[Array]:
        last = trial.palm.line(goal, backed(trial.arm.kinematics.pose(goal), _OUT_M))[::-1]
        return [np.array([start, last[0]]), last]

    def over(rise: float) -> list[Array]:
        pose = trial.arm.kinematics.pose(goal)
        down = trial.palm.line(goal, pose.raised(rise))[::-1]
        return [np.array([start, home, down[0]]), down]

    def found() -> list[Array]:
        arm, rng = trial.arm, np.random.default_rng(0)
        low, high = arm.kinematics.low, arm.kinematics.high

        def sample() -> Array:
            return rng.uniform(low, high) if rng.random() > _NEAR else _near(arm, start, goal, rng)

        return [_search(trial, start, goal, sample, lambda knots: _is_free(trial, knots), rng)]

    return [
        lambda: [np.array([start, goal])],
        *(partial(up, rise) for rise in _RISES_M),
        lambda: [np.array([start, home]), np.array([home, goal])],
        *(partial(over, rise) for rise in _RISES_M),
        in_last,
        out_first,
        *([found] if trial.thorough else []),
    ]


def carry_ways(
    trial: PrimitiveTrial, start: Array, goal: Pose, carried: Carried, end: Array | None = None
) -> list[Way]:
    """Ways of a hand that keeps what it holds upright: straight, up and over, or by joints.

    Where the last posture `end` (n,) matters, a way ends there. A thorough trial also searches for
    one at random.
    """
    arm, shape = trial.arm, trial.robot.shape(carried.name)
    spills = _SPILLS_LATE if shape.mouth < _NARROW * shape.radius else _SPILLS
    here = arm.kinematics.pose(start)

    def straight(*corners: Pose) -> list[Array]:
        poses = [here] * _DWELL  # where the elbow may turn about a hand that stays
        for corner in corners:
            poses += blend(poses[-1], corner, _FINER)
        return [trial.palm.join(start, poses + poses[-1:] * _DWELL, end)]

    def over(rise: float) -> list[Array]:
        top = max(here.position[2], goal.position[2]) + rise
        up, down = top - here.position[2], top - goal.position[2]
        return straight(here.raised(up), goal.raised(down), goal)

    def turning(place: Array) -> list[Array]:
        ahead, out, up = place
        at = arm.shoulder + np.array([ahead, -np.sign(arm.shoulder[1]) * out, up])
        return straight(Pose(at, here.rotation), Pose(at, goal.rotation), goal)

    def found() -> list[Array]:
        last, rng = trial.palm.solve(goal) if end is None else end, np.random.default_rng(0)

        def sample() -> Array | None:
            ahead, out, up = rng.uniform(*_SPACE_M)
            position = arm.shoulder + np.array([ahead, np.sign(arm.shoulder[1]) * out, up])
            rotation = turned(goal.rotation, rng.uniform(-np.pi, np.pi))
            solution, _ = arm.postures.solve(Pose(position, rotation))
            return solution.q if solution.reached else None

        def free(knots: Array) -> bool:
            level = _tilt(arm, between_knots(knots), goal.rotation) < spills
            return level and _is_free(trial, knots, carried)

        def level(q: Array) -> Array:
            return _levelled(arm, q, goal.rotation, _LEVELLED * spills)

        return [_search(trial, start, last, sample, free, rng, level)]

    return [
        lambda: [_upright(arm, start, trial.palm.solve(goal) if end is None else end, spills)],
        lambda: straight(goal),
        *(partial(over, rise) for rise in _RISES_M),
        lambda: straight(ready_pose(arm, here.rotation), goal),
        *(partial(turning, np.array(place)) for place in _TURNING_M),
        *([found] if trial.thorough else []),
    ]


def _upright(arm: HandArm, start: Array, end: Array, spills: float) -> Array:
    """Knots (m, n) straight from posture to posture, if the hand tilts little on the way."""
    count = 1 + max(1, int(np.ceil(float(np.abs(end - start).max()) / _KNOT)))
    knots = np.linspace(start, end, count)
    if _tilt(arm, knots, arm.kinematics.pose(end).rotation) > spills:
        raise UnreachedError(arm.kinematics.solve(arm.kinematics.pose(end), end), 0.0, bends=True)
    return knots


def _search(
    trial: PrimitiveTrial,
    start: Array,
    goal: Array,
    sample: Callable[[], Array | None],
    free: Callable[[Array], bool],
    rng: np.random.Generator,
    project: Callable[[Array], Array] = lambda q: q,
) -> Array:
    path = None
    if free(goal[None]):
        path = search_path(start, goal, sample, free, rng, _SAMPLES, project)
    if path is None:
        arm = trial.arm
        raise UnreachedError(arm.kinematics.solve(arm.kinematics.pose(goal), goal), 0.0, bends=True)
    return evenly(path)


def _near(arm: HandArm, start: Array, goal: Array, rng: np.random.Generator) -> Array:
    """A posture (n,) not far from the straight way."""
    between = start + rng.random() * (goal - start)
    return np.clip(
        between + rng.normal(0.0, _SPREAD, len(start)), arm.kinematics.low, arm.kinematics.high
    )


def _is_free(trial: PrimitiveTrial, knots: Array, carried: Carried | None = None) -> bool:
    return not any(near.collides for near in trial.arm.check.along(knots, carried))


def _tilt(arm: HandArm, knots: Array, upright: Array) -> float:
    """The largest tilt (rad) along knots of a hand that is `upright` when its load is."""
    worst = 0.0
    for q in knots:
        turn = arm.kinematics.pose(q).rotation @ upright.T
        worst = max(worst, float(np.arccos(np.clip(turn[2, 2], -1.0, 1.0))))
    return worst


def _levelled(arm: HandArm, q: Array, upright: Array, enough: float) -> Array:
    """The posture near `q` (n,) at which the load tilts by less than `enough` (rad).

    With u the load's axis, the rotation u × z brings it upright: dq = Jᵀ (J Jᵀ + λ I)⁻¹ (u × z).
    """
    low, high = arm.kinematics.low, arm.kinematics.high
    for _ in range(_LEVELLINGS):
        axis = (arm.kinematics.pose(q).rotation @ upright.T)[:, 2]
        if axis[2] > np.cos(enough):
            break
        J = arm.kinematics.turning(q)[:2]
        turn = np.linalg.solve(J @ J.T + _DAMPED * np.eye(2), np.array([axis[1], -axis[0]]))
        q = np.clip(q + J.T @ turn, low, high)
    return q
