"""Grasps of a thing by a two-fingered hand: from above and from the side, at several angles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.control.affordance import Grasp
from regrasp.control.ik import Pose
from regrasp.control.postures import hand_rotation, level_rotation, yaw_rotation
from regrasp.control.thing_shape import ThingShape
from regrasp.control.two_arms import HandArm, TwoArms

__all__ = ["ABOVE", "SIDE", "HandGrasp", "azimuths_about", "hand_grasps"]

ABOVE, SIDE = "from above", "from the side"
_YAWS = (0.0, np.pi / 2, np.pi / 4, -np.pi / 4)  # about the vertical, of a round thing's top grasp
_STEP, _ASIDE = np.pi / 4, 1.35  # azimuths from the side: multiples of, within so much of ahead
_PITCHES = ((0.10, 0.10, 0), (0.45, 0.05, 0), (0.80, 0.29, 1))
"""From the side the hand comes nearly level or obliquely, higher than the grasp by a part of the
thing's height: level, so that the wrist is clear of the table and of bowls on it; obliquely, where
a wide hand is clear of the neighbours. A high place is reached best half-way between. The last
number is what it costs to use the thing: a steep hand is in the way of its top."""
_SHALLOW_M = 0.007  # the pads reach past the middle of a round thing, the palm does not
_FACE_M, _THICK_M, _OVER = 0.037, 0.030, 0.6
"""The face of the hand behind the palm, and half its thickness. A hand that comes down by more than
the last number (rad) has its face above a thing."""


@dataclass(frozen=True, slots=True, eq=False)
class HandGrasp:
    """Equally good poses of the palm at a thing, and the manner: `ABOVE` or `SIDE`.

    `worse` is 0 for the manner that serves best: the first kind of grasp that the thing lists, with
    the hand beside it; 1 with the hand slanting over it, 2 for a kind that it lists later.
    """

    manner: str
    poses: tuple[Pose, ...]
    worse: int


def hand_grasps(robot: TwoArms, arm: HandArm, thing: str) -> Iterator[HandGrasp]:
    """The grasps of a thing by one hand: up to four from above and twelve from the side."""
    for number, grasp in enumerate(robot.things[thing].grasps):
        later = 2 * (number > 0)
        found = _from_above if grasp.above else _from_side
        yield from found(robot, arm, thing, grasp, later)


def _from_above(
    robot: TwoArms, arm: HandArm, thing: str, grasp: Grasp, worse: int
) -> Iterator[HandGrasp]:
    """Each with the fingers either way round."""
    site = robot.site(grasp.site)
    down = np.array([0.0, 0.0, -1.0])
    if robot.shape(thing).round or not grasp.closing:
        axes = [yaw_rotation(yaw)[:, 1] for yaw in _YAWS]
    else:
        axes = [site.rotation[:, "xyz".index(axis)] for axis in grasp.closing]
    for axis in axes:
        if abs(axis[2]) < 0.5:
            both = (hand_rotation(down, axis), hand_rotation(down, -axis))
            poses = tuple(Pose(site.position, rotation) for rotation in both)
            yield HandGrasp(ABOVE, poses, worse)


def _from_side(
    robot: TwoArms, arm: HandArm, thing: str, grasp: Grasp, worse: int
) -> Iterator[HandGrasp]:
    """Each with the hand either way up."""
    site, away = robot.site(grasp.site), robot.pose_of(thing).position - arm.shoulder
    shape = robot.shape(thing)
    if shape.round:
        ahead = float(np.arctan2(away[1], away[0]))
        azimuths = azimuths_about(ahead)
    else:
        given = float(np.arctan2(site.rotation[1, 2], site.rotation[0, 2]))
        azimuths = [given + k * np.pi / 2 for k in range(4 if grasp.closing == "xy" else 1)]
    for pitch, part, steep in _PITCHES:
        middle = site.position + np.array([0.0, 0.0, part * shape.height])
        shallow = _shallow(shape, pitch) if shape.round else 0.0
        for azimuth in azimuths:
            both = (level_rotation(azimuth, rolled=up, pitch=pitch) for up in (True, False))
            poses = tuple(Pose(middle - shallow * r[:, 2], r) for r in both)
            yield HandGrasp(SIDE, poses, max(worse, steep))


def _shallow(shape: ThingShape, pitch: float) -> float:
    """How far (m) the palm stays before the middle of a round thing, so that the hand is clear."""
    corner = _FACE_M * np.cos(pitch) - _THICK_M * np.sin(pitch)  # of the face, before the palm
    needed = (shape.radius + 0.003 - corner) / np.cos(pitch)
    return max(_SHALLOW_M, float(needed)) if pitch < _OVER else _SHALLOW_M


def azimuths_about(ahead: float) -> list[float]:
    """Azimuths of a level hand, square to furniture or diagonal, not far from straight `ahead`."""
    first, last = np.ceil((ahead - _ASIDE) / _STEP), np.floor((ahead + _ASIDE) / _STEP)
    return [float(k * _STEP) for k in np.arange(first, last + 1)]
