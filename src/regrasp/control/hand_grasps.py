"""Grasps of a thing by a two-fingered hand: from above and from the side, at several angles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.control.affordance import Grasp
from regrasp.control.ik import Pose
from regrasp.control.postures import hand_rotation, level_rotation, yaw_rotation
from regrasp.control.two_arms import HandArm, TwoArms

__all__ = ["ABOVE", "SIDE", "HandGrasp", "hand_grasps"]

ABOVE, SIDE = "from above", "from the side"
_YAWS = (0.0, np.pi / 2, np.pi / 4, -np.pi / 4)  # about the vertical, of a round thing's top grasp
_AZIMUTHS = (-0.6, 0.6, -1.1, 1.1)  # from the shoulder's direction, which suits the wrist least
_PITCH = 0.10  # rad: the hand comes slightly from above, the wrist stays clear of the table


@dataclass(frozen=True, slots=True, eq=False)
class HandGrasp:
    """A pose of the palm at a thing, and the manner: `ABOVE` or `SIDE`.

    `first` is whether it is of the first kind that the thing lists: the one that serves best.
    """

    manner: str
    pose: Pose
    first: bool


def hand_grasps(robot: TwoArms, arm: HandArm, thing: str) -> Iterator[HandGrasp]:
    """The grasps of a thing by one hand: up to four from above and eight from the side."""
    for number, grasp in enumerate(robot.things[thing].grasps):
        manner, poses = (
            (ABOVE, _from_above(robot, thing, grasp))
            if grasp.above
            else (SIDE, _from_side(robot, arm, thing, grasp))
        )
        yield from (HandGrasp(manner, pose, number == 0) for pose in poses)


def _from_above(robot: TwoArms, thing: str, grasp: Grasp) -> Iterator[Pose]:
    site = robot.site(grasp.site)
    if robot.shape(thing).round or not grasp.closing:
        rotations = [yaw_rotation(yaw) for yaw in _YAWS]
    else:
        axes = [site.rotation[:, "xyz".index(axis)] for axis in grasp.closing]
        level = [axis for axis in axes if abs(axis[2]) < 0.5]
        down = np.array([0.0, 0.0, -1.0])
        rotations = [hand_rotation(down, sign * axis) for axis in level for sign in (1.0, -1.0)]
    for rotation in rotations[:4]:
        yield Pose(site.position, rotation)


def _from_side(robot: TwoArms, arm: HandArm, thing: str, grasp: Grasp) -> Iterator[Pose]:
    site, away = robot.site(grasp.site), robot.pose_of(thing).position - arm.shoulder
    straight = float(np.arctan2(away[1], away[0]))
    if robot.shape(thing).round:
        azimuths = [straight + turn for turn in _AZIMUTHS]
    else:
        ahead = site.rotation[:, 2]
        given = float(np.arctan2(ahead[1], ahead[0]))
        azimuths = [given] if grasp.closing != "xy" else _quarter_turns(given)
    for azimuth in azimuths:
        for rolled in (True, False):
            rotation = level_rotation(azimuth, rolled=rolled, pitch=_PITCH)
            yield Pose(site.position, rotation)


def _quarter_turns(azimuth: float) -> list[float]:
    return [azimuth + k * np.pi / 2 for k in range(4)]
