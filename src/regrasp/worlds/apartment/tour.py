"""A tour through the rooms before a task: the pictures that the robot's map is made of.

IALP has a map of the rooms before it begins. Here somebody has pushed the robot through the rooms:
it stands in the open floor of each room, turns round and takes pictures. Their poses are in the
frame of the odometry that the task begins with; they have the errors of the depth camera and none
of odometry.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import mujoco

from regrasp.core.robot import CameraImage
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.household.rooms import Rect
from regrasp.worlds.kit.mobile_two_arms import BASE, HEAD

__all__ = ["tour"]

_TURNS, _TILTS = 8, (0.12, 0.55)
_APART_M = 1.9  # two standpoints of a room
_FROM_WALL_M = 1.45


def tour(world: ApartmentWorld, look: Callable[[str], CameraImage]) -> Iterator[CameraImage]:
    """The pictures of all rooms; the world is as before when the last one was taken."""
    begun, base = world.snapshot(), world.base
    try:
        for room in world.rooms.values():
            for x, y in _standpoints(room):
                for k in range(_TURNS):
                    for tilt in _TILTS:
                        yaw = 2 * math.pi * k / _TURNS
                        for joint, value in zip((*BASE, *HEAD), (x, y, yaw, 0, tilt), strict=True):
                            world.data.joint(joint).qpos = value
                        mujoco.mj_forward(world.model, world.data)
                        world.odometry.carry(base, world.base)
                        yield look("head")
    finally:
        world.restore(begun)


def _standpoints(room: Rect) -> Iterator[tuple[float, float]]:
    """Points of the open floor, away from the furniture along the walls."""
    wide, deep = (room.right - room.left, room.far - room.near)
    across = max(1, round((wide - 2 * _FROM_WALL_M) / _APART_M) + 1)
    along = max(1, round((deep - 2 * _FROM_WALL_M) / _APART_M) + 1)
    for i in range(across):
        for j in range(along):
            yield (
                room.left + wide / 2 + (i - (across - 1) / 2) * min(_APART_M, wide / 3),
                room.near + deep / 2 + (j - (along - 1) / 2) * _APART_M,
            )
