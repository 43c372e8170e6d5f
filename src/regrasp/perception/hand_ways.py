"""What a hand does at a thing or a place, whether an arm reaches it, and from where one would.

`reachable` and `adjust` share these ways: `adjust` looks for the stand of the base, and the height
of the lift, from which the arm's map has most of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import BasePose, HandPose, ReachEvidence
from regrasp.core.grounding import Placement, Stand
from regrasp.perception.grounded_predicates import ArmReach

__all__ = ["HandWay", "best_reach", "best_stand", "hands_over"]

_HAND_OVER_M = 0.08  # of the palm over a place, where nothing is known of what is held
_TILTS = (0.0, 0.5, 1.0)
_YAWS = 8
_DISTANCES_M = (0.46, 0.52, 0.58, 0.64, 0.72, 0.80)  # of the base from what it works on
_TURNS = np.linspace(-0.5, 0.5, 7)  # rad off the direction of what it works on
_LIFTS = 6
_MOVING, _TURNING, _LIFTING = 0.10, 0.05, 0.20  # of the score, for 1 m, 1 rad, 1 m


@dataclass(frozen=True, slots=True, eq=False)
class HandWay:
    """Poses that the hand of one `arm` has to reach, "" for any; `shown` is the one to draw."""

    arm: str
    poses: tuple[HandPose, ...]
    shown: HandPose


def best_reach(
    ways: Sequence[HandWay], arms: Mapping[str, ArmReach], lift: float
) -> ReachEvidence | None:
    """The way that an arm reaches with the largest manipulability, in the base's frame."""
    best: ReachEvidence | None = None
    for arm, reach in arms.items():
        mine = [way for way in ways if way.arm in ("", arm)]
        if not mine:
            continue
        poses = [pose for way in mine for pose in way.poses]
        index = reach.query(*_stacked(poses), mount_offset=np.array([0.0, 0.0, lift]))
        ends = np.cumsum([len(way.poses) for way in mine])
        for way, end in zip(mine, ends, strict=True):
            part = slice(end - len(way.poses), end)
            share = float(index.manipulability[part].min())
            if index.reachable[part].all() and (best is None or share > best.index):
                best = ReachEvidence(arm, way.shown, share, int(index.visits[part].min()))
    return best


def best_stand(
    ways_from: Callable[[BasePose], Sequence[HandWay]],
    arms: Mapping[str, ArmReach],
    target: Array,
    base: BasePose,
    lift: tuple[float, float, float],
) -> Stand | None:
    """The stand near `target` (3,) from which an arm reaches the largest share of the ways.

    The base turns on the spot and drives straight. `lift` is its height now, its lowest and its
    highest (m). None if nothing is in reach from any stand.
    """
    away = target[:2] - base.position[:2]
    bearing, far = math.atan2(away[1], away[0]), float(np.linalg.norm(away))
    heights = np.linspace(lift[1], lift[2], _LIFTS)
    best: tuple[float, Stand] | None = None
    for turn in _TURNS:
        heading = bearing + float(turn)
        for distance in _DISTANCES_M:
            drive = far - distance
            spot = base.position[:2] + drive * np.array([math.cos(heading), math.sin(heading)])
            stand = BasePose(float(spot[0]), float(spot[1]), heading)
            shares = _shares(ways_from(stand), arms, heights)
            turned = abs(math.remainder(heading - base.yaw, 2 * math.pi))
            scores = shares - _MOVING * abs(drive) - _TURNING * turned
            scores = np.where(shares > 0.0, scores - _LIFTING * np.abs(heights - lift[0]), -np.inf)
            k = int(scores.argmax())
            if np.isfinite(scores[k]) and (best is None or scores[k] > best[0]):
                best = float(scores[k]), Stand(heading, drive, float(heights[k]))
    return None if best is None else best[1]


def _shares(ways: Sequence[HandWay], arms: Mapping[str, ArmReach], heights: Array) -> Array:
    """The share of the ways that the better arm reaches, for each height (n,) of the lift."""
    shares = np.zeros(len(heights))
    for arm, reach in arms.items():
        mine = [way for way in ways if way.arm in ("", arm)]
        if not mine:
            continue
        count = len(mine[0].poses)  # all ways of one question have as many poses
        positions, rotations = _stacked([pose for way in mine for pose in way.poses])
        raised = np.concatenate([positions - [0.0, 0.0, height] for height in heights])
        found = reach.query(raised, np.tile(rotations, (len(heights), 1, 1))).reachable
        whole = found.reshape(len(heights), len(mine), count).all(axis=2)
        shares = np.maximum(shares, whole.mean(axis=1))
    return shares


def _stacked(poses: Sequence[HandPose]) -> tuple[Array, Array]:
    return np.array([one.position for one in poses]), np.array([one.rotation for one in poses])


def hands_over(place: Placement, base: BasePose) -> list[HandPose]:
    """Hands over a place, from above and tilted, or level into a shelf; in the base's frame."""
    at: Array = (place.position - base.position) @ base.rotation
    ahead = math.atan2(at[1], at[0])
    if place.inward is not None:
        ahead = math.atan2(place.inward[1], place.inward[0]) - base.yaw
    tilts = (1.2, math.pi / 2) if place.inward is not None else _TILTS
    hands = []
    for tilt in tilts:
        for yaw in ahead + np.linspace(-0.8, 0.8, _YAWS):
            into = np.array([math.cos(yaw), math.sin(yaw), 0.0])
            approach = math.sin(tilt) * into - math.cos(tilt) * np.array([0.0, 0.0, 1.0])
            closing = np.array([-math.sin(yaw), math.cos(yaw), 0.0])
            rotation = np.stack([np.cross(closing, approach), closing, approach], axis=1)
            hands.append(HandPose(at + np.array([0.0, 0.0, _HAND_OVER_M]), rotation))
    return hands
