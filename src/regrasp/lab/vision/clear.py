"""Spatial relations of objects in a room, only if the answer is clear.

An object at the edge of a door's sweep is neither clearly blocking nor clearly free. An object
slightly above a crate is unclear. An object in the cabinet is neither next to it nor to its left.
Each function returns the truth by the judge, or None if it is not clear.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.episodes.visual_truth import BEFORE, BESIDE, NEAR
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.worlds.blocking import joints_of, obstructing
from regrasp.worlds.judge import OPEN
from regrasp.worlds.kit.scene import Region

__all__ = ["Sweeps", "before", "blocking", "depth", "inside", "left", "next_to", "on", "sweeps"]

_CLEAR = 0.015  # m: smallest margin of a clear answer
_SHIFTS = (
    (0.0, 0.0, 0.0), (_CLEAR, 0.0, _CLEAR), (-_CLEAR, 0.0, -_CLEAR), (0.0, _CLEAR, -_CLEAR),
    (0.0, -_CLEAR, _CLEAR),
)  # fmt: skip
_OVER = 0.03  # m above a place: clearly not on it
_NEARLY = 0.04  # m of unclear range around the limits of "next to" and "in front of"
_LEVEL = 0.12  # m of height difference at which "next to" is unclear
_FAR_FROM_FIXED = 0.50  # m from the centre of furniture: clearly not next to it
_ASIDE, _ASIDE_FIXED = 0.06, 0.15  # m to the left or right: clear; for furniture

Sweeps = dict[str, npt.NDArray[np.bool_]]
"""For each joint that is not open, which bodies block it: (shifts, bodies)."""


def on(room: VisionRoom, a: str, b: str) -> bool | None:
    """Whether `a` is on `b`; None also if nothing can be on `b`."""
    scene, so = room.world.scene, room.truth.fact(VisualQuestion(ObjectQuestion.ON, a, b))
    top = scene.tops.get(b)
    if top is None:
        return so if scene.things[b].movable else None
    level = depth(room, a, top, axes=2)
    if so or level < -_CLEAR:
        return so if not so or level > _CLEAR else None
    surface = float(room.world.data.body(top.body).xpos[2]) + top.centre[2] - top.half[2]
    height = float(room.world.data.site(scene.things[a].site).xpos[2]) - scene.things[a].extent[1]
    return False if height - surface > _OVER else None


def inside(room: VisionRoom, a: str, b: str) -> bool | None:
    """Whether `a` is inside `b`; None also if nothing can be inside `b`."""
    region = room.world.scene.insides.get(b)
    if region is None or abs(depth(room, a, region)) < _CLEAR:
        return None
    return room.truth.fact(VisualQuestion(ObjectQuestion.INSIDE, a, b))


def next_to(room: VisionRoom, a: str, b: str) -> bool | None:
    """Whether `a` is next to `b`; None if one is held in the air, or on or in the other."""
    if _together(room, a, b) or room.truth.judge.holds("holding", a):
        return None
    off, fixed = room.truth.offset(a, b)[2], not room.world.scene.things[b].movable
    if off < NEAR - _NEARLY and (fixed or abs(room.truth.upward(a, b)) < _LEVEL):
        return True
    return False if off > (_FAR_FROM_FIXED if fixed else NEAR + _NEARLY) else None


def before(room: VisionRoom, a: str, b: str) -> bool | None:
    """Whether `a` is in front of `b`; None if one is held in the air, or on or in the other."""
    if _together(room, a, b) or room.truth.judge.holds("holding", a):
        return None
    ahead, aside, _ = room.truth.offset(a, b)
    if 0.05 < ahead < BEFORE - _NEARLY and aside < BESIDE - _NEARLY:
        return True
    if ahead < -0.05 or ahead > BEFORE + _NEARLY or aside > BESIDE + _NEARLY:
        return False
    return None


def left(room: VisionRoom, a: str, b: str) -> bool | None:
    """Whether `a` is to the left of `b`, as the robot faces, or else to its right."""
    by = room.truth.leftward(a, b)
    far = abs(by) > (_ASIDE if room.world.scene.things[b].movable else _ASIDE_FIXED)
    return by > 0 if far and not _together(room, a, b) else None


def sweeps(room: VisionRoom) -> Sweeps:
    """Test every joint that is not open, with all loose objects in place and slightly moved."""
    world = room.world
    shut = [j for j in world.scene.joints if j not in world.scene.tops and world.fraction(j) < OPEN]
    return {j: np.stack([obstructing(world, j, shift) for shift in _SHIFTS]) for j in shut}


def blocking(room: VisionRoom, a: str, b: str, met: Sweeps) -> bool | None:
    """Whether `a` blocks those joints of `b` that are not open."""
    tried = [met[joint] for joint in joints_of(room.world.scene, b) if joint in met]
    body = room.world.planning.body(a).id
    votes = np.any([one[:, body] for one in tried], axis=0) if tried else np.array([False])
    return bool(votes[0]) if votes.all() or not votes.any() else None


def _together(room: VisionRoom, a: str, b: str) -> bool:
    """Whether one is on or in the other, and therefore not beside it."""
    looks = ((ObjectQuestion.ON, a, b), (ObjectQuestion.ON, b, a), (ObjectQuestion.INSIDE, a, b))
    return any(room.truth.fact(VisualQuestion(*look)) for look in looks)


def depth(room: VisionRoom, a: str, region: Region, axes: int = 3) -> float:
    """How far `a` is within a region, along the axis with the smallest margin (m); < 0: outside."""
    body = room.world.data.body(region.body)
    at = room.world.data.site(room.world.scene.things[a].site).xpos
    local = body.xmat.reshape(3, 3).T @ (at - body.xpos)
    return float(np.min((np.array(region.half) - np.abs(local - region.centre))[:axes]))
