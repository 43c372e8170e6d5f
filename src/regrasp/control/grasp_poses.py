"""Poses of a suction cup to take an object, and to put down a held object."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.ik import Pose
from regrasp.control.paths import NoPathError
from regrasp.control.suction_arm import SuctionArm
from regrasp.core.arrays import Array

__all__ = ["placing_pose", "suction_poses"]

_STEEPEST = 1.05  # rad: the largest tilt of a face for suction
_FREE_M = 0.03  # around a spot of a table
_GRID_M = 0.03
_UP = np.array([0.0, 0.0, 1.0])


def suction_poses(arm: SuctionArm, thing: str) -> list[Pose]:
    """The cup at the centre of each upward face of an object, square to it, most level first.

    A block that leans against something has two such faces.
    """
    pose, half = arm.pose_of(thing), arm.half_of(thing)
    upward = np.abs(pose.rotation[2])
    found = []
    for axis in np.argsort(-upward):
        if upward[axis] > np.cos(_STEEPEST):
            normal = pose.rotation[:, axis] * np.sign(pose.rotation[2, axis])
            upright = arm.pointing_down(pose.position + half[axis] * normal)
            found.append(Pose(upright.position, _tilt(normal) @ upright.rotation))
    return found


def placing_pose(arm: SuctionArm, carried: Carried, on: str, error: Array, gap: float) -> Pose:
    """The cup pose with `carried` `gap` m above `on`, aligned with it, and `error` (2,) m off."""
    support = arm.things[on]
    if support.movable:
        under = arm.pose_of(on)
        level = under.position[2] + _half_height(under.rotation, arm.half_of(on))
    else:
        under = Pose.of(arm.plant.data.site(support.place))
        level = under.position[2]
    spot, turn = under.position[:2], 0.0
    if support.kind == "table":
        spot = _free_spot(arm, carried.name, on)
    else:
        straight = arm.pointing_down(np.append(spot, level))
        turn = _yaw(under.rotation) - _yaw(straight.rotation @ carried.offset.rotation)
        turn -= np.pi / 2 * round(turn / (np.pi / 2))
    rotation = arm.pointing_down(np.append(spot, level), turn).rotation
    held = rotation @ carried.offset.rotation
    height = level + gap + _half_height(held, arm.half_of(carried.name))
    middle = np.append(spot + error, height)
    return Pose(middle - rotation @ carried.offset.position, rotation)


def _free_spot(arm: SuctionArm, thing: str, table: str) -> Array:
    """The spot (2,) of a table, nearest to the cup, with free space for the object."""
    model, data = arm.plant.planning, arm.plant.data
    board = data.site(arm.things[table].place)
    body = model.site_bodyid[model.site(arm.things[table].place).id]
    sizes = model.geom_size[model.geom_bodyid == body]
    room = float(np.linalg.norm(arm.half_of(thing))) + _FREE_M
    half = sizes[np.argmax(sizes[:, 0] * sizes[:, 1]), :2] - room
    steps = [np.arange(-edge, edge + 1e-9, _GRID_M) for edge in half]
    spots = np.array(list(itertools.product(*steps))) @ board.xmat.reshape(3, 3)[:2, :2].T
    spots += board.xpos[:2]
    for other in arm.things.values():
        if other.name not in (thing, table):
            at = data.site(other.site).xpos[:2]
            wide = max(other.extent) if other.movable else _width(model, other.site)
            spots = spots[np.linalg.norm(spots - at, axis=1) > room + wide]
    if not len(spots):
        raise NoPathError("there is no free spot on it")
    far = np.linalg.norm(spots - arm.cup.position[:2], axis=1)
    return np.array(spots[np.argmin(far)])


def _width(model: mujoco.MjModel, site: str) -> float:
    """Half the diagonal of the object of a site, in m."""
    mine = model.geom_bodyid == model.site_bodyid[model.site(site).id]
    reach = np.abs(model.geom_pos[mine, :2]) + model.geom_size[mine, :2]
    return float(np.linalg.norm(reach.max(axis=0)))


def _half_height(rotation: Array, half: Array) -> float:
    """Half the height of a box that is turned by `rotation`."""
    return float(np.abs(rotation[2]) @ half)


def _yaw(rotation: Array) -> float:
    """The rotation of an object's most level axis about the vertical (rad)."""
    x, y, _ = rotation[:, int(np.argmin(np.abs(rotation[2])))]
    return float(np.arctan2(y, x))


def _tilt(normal: Array) -> Array:
    """The smallest rotation (3, 3) that takes the vertical to `normal` (3,)."""
    axis = np.cross(_UP, normal)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9:
        return np.eye(3)
    quat, matrix = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis / sine, float(np.arctan2(sine, normal[2])))
    mujoco.mju_quat2Mat(matrix, quat)
    return matrix.reshape(3, 3)
