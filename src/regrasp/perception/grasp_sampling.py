"""Grasps with two fingers, sampled on a point cloud and scored.

A candidate is a seen point, an approach direction and a closing axis. The fingers close around the
points of the object between them. It is a grasp if the fingers are free on their way, the object
fits between them, and the contacts are antipodal: both normals lie within the friction cone about
the closing axis (Nguyen 1988; ten Pas et al. 2017 sample in the same way).

One picture shows one side of a thing. Below what is seen of it, the thing is taken as solid down to
its lowest point; if no top is seen, it is taken to be as deep as it is wide. A contact on a hidden
side has no normal: it is taken as antipodal with a lower score, and a second picture settles it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array, Floats
from regrasp.core.grounded import Bits, HandPose, ScoredGrasp
from regrasp.perception.point_cloud import PointCloud

__all__ = ["Gripper", "sample_grasps"]

_OBJECT_POINTS, _SCENE_POINTS = 400, 900
_AROUND = 0.75  # openings of the gripper around a seed in which the thing is looked at
_LAYER_M = 0.012  # between the layers of hidden points
_MIDDLE_M, _MIDDLE_SHARE = 0.03, 0.25  # of the longest side of a thing: how far from its middle
_SEEDS = 12  # seen points at which grasps are tried
_RIDGES = 12  # percent of the points that stick out most: a fold, a bail; half of the seeds
_YAWS, _TILTS = 8, (0.0, 0.6, 1.35)  # closing axes; approach from above, tilted, almost level
_DEPTHS = (0.012, 0.028)  # m of the finger tips below the seen point
_HIDDEN = 0.6  # quality of a contact that is not seen
_ROOM_M = 0.004  # between a finger and anything else
_LEAST_POINTS = 6
_FROM_SEEN_SIDE = -0.2  # cosine of approach and mean normal: no hand comes through hidden space


@dataclass(frozen=True, slots=True)
class Gripper:
    """Two fingers: opening, width, thickness and length in m, and the friction of the tips.

    `palm` is half the width (m) of the hand along the closing axis; it is at least the fingers'.
    """

    opening: float = 0.08
    finger_width: float = 0.020
    finger_thickness: float = 0.012
    finger_length: float = 0.045
    friction: float = 0.5
    palm: float = 0.0


def sample_grasps(
    thing: PointCloud,
    scene: PointCloud,
    rng: np.random.Generator,
    gripper: Gripper | None = None,
    *,
    count: int = 12,
) -> tuple[ScoredGrasp, ...]:
    """At most `count` grasps of the points of a thing, the best first.

    `scene` is everything that was seen, with the thing; the fingers must not touch it.
    """
    gripper = gripper or Gripper()
    if len(thing) < _LEAST_POINTS:
        return ()
    low, high = np.percentile(thing.points, (2, 98), axis=0)
    middle = (low + high).astype(float) / 2
    nearest = int(np.linalg.norm(thing.points[:, :2] - middle[:2], axis=1).argmin())
    toward = thing.normals.mean(axis=0).astype(float)
    toward /= max(float(np.linalg.norm(toward)), 1e-9)
    out = thing.points @ toward
    ridges = np.flatnonzero(out >= np.percentile(out, 100 - _RIDGES))
    seeds = [nearest, *rng.choice(ridges, min(_SEEDS // 2, len(ridges)), replace=False)]
    seeds += [*rng.choice(len(thing), min(_SEEDS - len(seeds), len(thing)), replace=False)]
    rotations = _rotations(_narrow_yaw(thing.points))
    rotations = rotations[rotations[:, :, 2] @ toward < _FROM_SEEN_SIDE]
    longest = float((high - low).max())
    spread = max(_MIDDLE_M, _MIDDLE_SHARE * longest)
    found: list[ScoredGrasp] = []
    lowest, highest = thing.points.min(axis=0), thing.points.max(axis=0)
    reach = float((highest - lowest).max()) / 2 + gripper.opening * 1.5
    around = _near(scene, (lowest + highest).astype(float) / 2, reach + _ROOM_M)
    for seed in seeds:
        point = thing.points[seed].astype(float)
        own = completed(_near(thing, point, gripper.opening * _AROUND).thinned(_OBJECT_POINTS, rng))
        others = _near(around, point, gripper.opening * 1.5).thinned(_SCENE_POINTS, rng)
        found += _grasps_at(own, others.joined(own), point, rotations, gripper, (middle, spread))
    found.sort(key=lambda grasp: -grasp.score)
    return _distinct(found, count)


def _near(cloud: PointCloud, point: Array, distance: float) -> PointCloud:
    x, y, z = (np.abs(cloud.points[:, k] - point[k]) < distance for k in range(3))
    return cloud.where(np.asarray(x & y & z))


def completed(seen: PointCloud) -> PointCloud:
    """A thing with the points that its seen ones hide; hidden points have no normals.

    They are below the seen ones, or behind them if no top is seen.
    """
    points = seen.points
    drop = points[:, 2] - points[:, 2].min()
    away = np.array([0.0, 0.0, -1.0], np.float32)
    if (seen.normals[:, 2] > 0.5).mean() < 0.05:
        back = -seen.normals.mean(axis=0) * np.array([1.0, 1.0, 0.0], np.float32)
        away = back / max(float(np.linalg.norm(back)), 1e-6)
        across = points[:, :2] @ np.array([-away[1], away[0]])
        drop = np.full(len(points), np.ptp(across), np.float32)
    layers = [seen]
    for depth in np.arange(_LAYER_M, float(drop.max()), _LAYER_M, dtype=np.float32):
        below = seen.where(drop > depth)
        layers.append(
            PointCloud(
                below.points + depth * away,
                below.colours,
                np.zeros_like(below.points),
                below.pixels,
            )
        )
    whole = layers[0]
    for layer in layers[1:]:
        whole = whole.joined(layer)
    return whole


def _narrow_yaw(points: Floats) -> float:
    """The yaw (rad) of an approach whose closing axis lies across the longer side of points."""
    flat = points[:, :2].astype(float)
    _, axes = np.linalg.eigh(np.cov(flat.T)) if len(flat) > 2 else (None, np.eye(2))
    return float(np.arctan2(axes[1, 1], axes[0, 1]))


def _rotations(first: float = 0.0) -> Array:
    """Hands (k, 3, 3) to try: columns are the third axis, the closing axis and the approach.

    Their yaws begin with `first` (rad).
    """
    hands = []
    for tilt in _TILTS:
        for yaw in first + np.arange(_YAWS) * (np.pi / _YAWS if tilt == 0.0 else 2 * np.pi / _YAWS):
            approach = np.array(
                [np.sin(tilt) * np.cos(yaw), np.sin(tilt) * np.sin(yaw), -np.cos(tilt)]
            )
            closing = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
            hands.append(np.stack([np.cross(closing, approach), closing, approach], axis=1))
    return np.array(hands)


def _grasps_at(
    own: PointCloud,
    others: PointCloud,
    seed: Array,
    rotations: Array,
    gripper: Gripper,
    middle: tuple[Array, float],
) -> list[ScoredGrasp]:
    """The grasps with the finger tips a little below a seen point.

    `middle` is the thing's (3,), and the distance (m) from it over which a grasp gets worse.
    """
    turn = rotations.astype(np.float32)
    points = (own.points - seed.astype(np.float32)) @ turn  # (k, n, 3)
    scene = (others.points - seed.astype(np.float32)) @ turn
    closing_normals = turn[:, :, 1] @ own.normals.T
    seen = (own.normals != 0).any(axis=1)
    across = np.abs(points[:, :, 0]) < gripper.finger_width / 2
    found = []
    for k, depth in ((k, depth) for k in range(len(rotations)) for depth in _DEPTHS):
        y, z = points[k, :, 1], points[k, :, 2]
        slab = across[k] & (z < depth) & (z > depth - gripper.finger_length)
        between = np.sort(y[slab])
        if len(between) < _LEAST_POINTS:
            continue
        cut = len(between) // 33  # outliers of depth
        low, high = float(between[cut]), float(between[-1 - cut])
        width, centre = high - low, (low + high) / 2
        if width > gripper.opening - 2 * _ROOM_M or abs(centre) > gripper.opening / 2:
            continue
        if not _fingers_free(scene[k], centre, depth, gripper):
            continue
        quality = _antipodal(y, closing_normals[k], slab & seen, (low, high), gripper.friction)
        if quality <= 0.0:
            continue
        position = seed + rotations[k] @ np.array([0.0, centre, depth])
        off = _off_middle(position - middle[0], rotations[k])
        central = 0.2 + 0.8 * float(np.exp(-off / middle[1]))
        score = quality * central * (1.0 - 0.3 * width / gripper.opening)
        found.append(ScoredGrasp(HandPose(position, rotations[k]), width, score))
    return found


def _off_middle(away: Array, rotation: Array) -> float:
    """How far (m) a grasp is from the middle of a thing, which hangs or stands straight then.

    Height does not count for a hand from above. A level hand at the foot of a thing would be
    between the thing and the board that it is put on.
    """
    level = np.hypot(rotation[0, 2], rotation[1, 2])
    return float(np.linalg.norm(away * np.array([1.0, 1.0, level])))


def _fingers_free(scene: Floats, centre: float, depth: float, gripper: Gripper) -> bool:
    """Whether no point (n, 3) of the scene is where the opened fingers and the palm would be."""
    x, y, z = scene.T
    beside = np.abs(y - centre)
    way = (np.abs(x) < gripper.finger_width / 2 + _ROOM_M) & (z < depth + _ROOM_M)
    inner, outer = gripper.opening / 2, gripper.opening / 2 + gripper.finger_thickness + _ROOM_M
    fingers = way & (beside > inner) & (beside < outer)
    wide = max(outer, gripper.palm)
    palm = (z < depth - gripper.finger_length) & (beside < wide) & (np.abs(x) < outer / 2)
    return not bool((fingers | palm).any())


def _antipodal(
    y: Floats, normals: Floats, usable: Bits, ends: tuple[float, float], friction: float
) -> float:
    """The quality of both contacts: 1 if their normals lie along the closing axis, 0 outside.

    A contact whose own side is hidden needs a seen edge: some point there, whichever way it faces.
    """
    limit = 1.0 / np.sqrt(1.0 + friction**2)  # cosine of the cone's half angle
    edge = max(0.004, 0.12 * (ends[1] - ends[0]))
    quality = 1.0
    for end, sign in ((ends[0], -1.0), (ends[1], 1.0)):
        contact = usable & (np.abs(y - end) < edge)
        facing = sign * normals[contact]  # 1: the surface faces the finger
        outward = facing > 0.2
        if outward.sum() >= 3:
            cosine = _percentile(facing[outward], 0.80)  # normals at an edge are blurred
            quality *= max(0.0, (cosine - limit) / (1.0 - limit)) ** 0.5
        else:
            quality *= _HIDDEN if contact.any() else 0.0
    return quality


def _percentile(values: Floats, share: float) -> float:
    """The same as `np.percentile`, which takes ten times as long for a few numbers."""
    ordered = np.sort(values)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (at - low) * (ordered[high] - ordered[low]))


def _distinct(grasps: list[ScoredGrasp], count: int) -> tuple[ScoredGrasp, ...]:
    """The best grasps that differ by a centimetre or by a rotation."""
    kept: list[ScoredGrasp] = []
    for grasp in grasps:
        alike = (
            np.linalg.norm(grasp.pose.position - other.pose.position) < 0.01
            and np.trace(grasp.pose.rotation.T @ other.pose.rotation) > 2.9
            for other in kept
        )
        if not any(alike):
            kept.append(grasp)
        if len(kept) == count:
            break
    return tuple(kept)
