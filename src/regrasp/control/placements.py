"""Where a thing can be put down: spots of the level patches of a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.control.ik import Pose
from regrasp.control.two_arms import HandArm, TwoArms, carried_by
from regrasp.core.arrays import Array

__all__ = ["Patch", "free_spots", "patches_within", "top_of"]

_GRID_M = 0.02
_APART_M = 0.07  # between two spots that are tried
_BEST_M = 0.50  # the distance from the shoulder, seen from above, at which a hand works best
_FAR_M = 0.25  # further from that distance, a hand hardly gets there
_ABOVE_M = 0.002  # between a thing and the spot, when it is looked at
_UNDER_M = 0.011  # a board this far below a region still belongs to it
_HEADROOM_M = 0.05  # a board with less room of the region above it is its cover


@dataclass(frozen=True, slots=True)
class Patch:
    """A level patch of a body on which things stand: centre (3) and half sizes (2) in its frame."""

    body: str
    centre: tuple[float, float, float]
    half: tuple[float, float]


def patches_within(
    model: mujoco.MjModel, body: str, centre: Array, half: Array
) -> tuple[Patch, ...]:
    """The upper sides of a body's solid boxes within a region (centre, half sizes; body frame)."""
    number, found = int(model.body(body).id), []
    low, high = np.asarray(centre) - half, np.asarray(centre) + half
    for geom in np.flatnonzero(model.geom_bodyid == number):
        solid = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
        if not solid or int(model.geom_type[geom]) != int(mujoco.mjtGeom.mjGEOM_BOX):
            continue
        at, size = model.geom_pos[geom], model.geom_size[geom]
        near, far = np.maximum(at - size, low)[:2], np.minimum(at + size, high)[:2]
        top = float(at[2] + size[2])
        level = low[2] - _UNDER_M <= top <= high[2] - _HEADROOM_M
        if level and np.all(far - near > 2 * _APART_M / 3):
            middle, wide = (near + far) / 2, (far - near) / 2
            centre_of = (float(middle[0]), float(middle[1]), top)
            found.append(Patch(body, centre_of, (float(wide[0]), float(wide[1]))))
    return tuple(found)


def top_of(robot: TwoArms, thing: str) -> Patch:
    """The one spot on a movable thing: the middle of its top."""
    return Patch(thing, (0.0, 0.0, robot.shape(thing).top), (0.0, 0.0))


def free_spots(
    robot: TwoArms,
    arm: HandArm,
    thing: str,
    patches: Iterable[Patch],
    count: int,
    room: float,
    *,
    back: bool = True,
) -> list[Array]:
    """Up to `count` points (3,) of the patches for a thing, the free and handy ones first.

    A spot is free with so much `room` (m) around it, and handy at the best distance from both arms:
    either may want it next. Those far from `arm` come last. Where the thing was taken from comes
    before all others, unless not `back`. Where no spot is free, the ones with the most room come
    first: the trial of a placement then finds what is in the way.
    """
    known = tuple(patches)
    spots = np.concatenate([_grid(robot, thing, patch) for patch in known])
    gaps = _gaps(robot, thing, spots)
    off = {
        one.hand: np.abs(np.hypot(*(spots[:, :2] - one.shoulder[:2]).T) - _BEST_M)
        for one in robot.arms.values()
    }
    handy = np.max(list(off.values()), axis=0)
    order = np.lexsort((handy, -np.minimum(gaps, room).round(3), off[arm.hand] > _FAR_M))
    before = robot.taken_from.get(thing) if back else None
    there = before is not None and any(_covers(robot, patch, before.position) for patch in known)
    chosen: list[Array] = [before.position] if there and before is not None else []
    for k in order:
        apart = all(np.linalg.norm(spots[k] - other) > _APART_M for other in chosen)
        if apart and (gaps[k] <= 0.0 or not _meets_furniture(robot, arm, thing, spots[k])):
            chosen.append(spots[k])
        if len(chosen) == count:
            break
    return chosen or [spots[order[0]]]


def _meets_furniture(robot: TwoArms, arm: HandArm, thing: str, spot: Array) -> bool:
    """Whether a thing on a spot would be in a piece of furniture: a tray on a table, a shelf."""
    palm, model = arm.palm, robot.plant.planning
    stands = Pose(spot + np.array([0.0, 0.0, _ABOVE_M - robot.shape(thing).bottom]), np.eye(3))
    torso = model.body_rootid[model.body(arm.hand).id]
    return any(
        near.own == thing
        and near.collides
        and near.other not in robot.movable
        and model.body_rootid[model.body(near.other).id] != torso
        for near in arm.check.along(arm.q[None], carried_by(thing, palm, stands))
    )


def _grid(robot: TwoArms, thing: str, patch: Patch) -> Array:
    """Points (m, 3) of a patch at which a thing does not hang over its edge."""
    base, room = robot.pose_of(patch.body), np.array(patch.half) - robot.shape(thing).radius
    axes = [np.linspace(-r, r, int(2 * r / _GRID_M) + 1) if r > 0 else np.zeros(1) for r in room]
    local = np.array([(x, y, 0.0) for x in axes[0] for y in axes[1]]) + patch.centre
    spots: Array = local @ base.rotation.T + base.position
    return spots


def _covers(robot: TwoArms, patch: Patch, point: Array) -> bool:
    """Whether a point (3,) is on a patch."""
    base = robot.pose_of(patch.body)
    away = np.abs(base.rotation.T @ (point - base.position) - patch.centre)
    return bool(np.all(away[:2] <= patch.half) and away[2] < _UNDER_M)


def _gaps(robot: TwoArms, thing: str, spots: Array) -> Array:
    """The distance (m) from a thing at each spot (m, 3) to the nearest other thing beside it."""
    shape, gaps = robot.shape(thing), np.full(len(spots), np.inf)
    for other in sorted(robot.movable - {thing}):
        pose, its = robot.pose_of(other), robot.shape(other)
        low, high = pose.position[2] + its.bottom, pose.position[2] + its.top
        level = (spots[:, 2] < high - 0.005) & (spots[:, 2] + shape.height > low)
        apart = np.hypot(*(spots[:, :2] - pose.position[:2]).T) - shape.radius - its.radius
        gaps = np.where(level, np.minimum(gaps, apart), gaps)
    return gaps
