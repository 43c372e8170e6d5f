"""The six grounded predicates of IALP, computed from pictures, depth and odometry.

| predicate | true if | evidence |
|---|---|---|
| `find` | the map has a matching place, and A* a path to it | the path |
| `at` | the base stands within reach of a matching place of the map | the path that is left |
| `detected` | a picture of this look shows it | its mask |
| `graspable` | two fingers can close on what is seen of it | the grasps |
| `placeable` | there is room for a thing on it | the free spot |
| `reachable` | an arm has a posture for one of its grasps, or its free spot | pose and index |

A robot needs a camera with depth; `reachable` needs a map of each arm, `find` and `at` need a map
of the rooms. What cannot be computed is false, and the reason says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.fact import Fact
from regrasp.core.grounded import (
    BasePose,
    GraspEvidence,
    Grounded,
    HandPose,
    MaskEvidence,
    PathEvidence,
    ReachEvidence,
    ReachIndex,
    ScoredGrasp,
)
from regrasp.core.robot import CameraImage
from regrasp.perception.grasp_sampling import Gripper, sample_grasps
from regrasp.perception.occupancy import Footprint, OccupancyGrid, occupancy_grid
from regrasp.perception.open_vocabulary import OpenVocabulary
from regrasp.perception.placement import placement
from regrasp.perception.point_cloud import PointCloud, point_cloud
from regrasp.perception.voxel_map import Place, VoxelMap

__all__ = ["ArmReach", "GroundedPredicates", "GroundingLimits", "Look", "above", "poses_of"]


class ArmReach(Protocol):
    """What an arm can reach; `control.reachability.ReachabilityMap` is one."""

    def query(
        self, positions: Array, rotations: Array, *, mount_offset: Array | None = None
    ) -> ReachIndex:
        """The entries of hand poses in the base's frame: positions (n, 3), rotations (n, 3, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class GroundingLimits:
    """Where a value becomes true: scores from 0 to 1, distances in m."""

    detected: float = 0.5
    graspable: float = 0.12
    similar: float = 0.75
    standing: float = 0.9
    arrived: float = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The pictures of one moment, and all points they show in the base's frame."""

    images: tuple[CameraImage, ...]
    clouds: tuple[PointCloud, ...]
    scene: PointCloud

    @classmethod
    def of(cls, images: Sequence[CameraImage], stride: int | None = None) -> Look:
        """One look with one or more cameras; every `stride`-th pixel, or as many as are needed."""
        if not images:
            raise ValueError("a look needs at least one picture with depth")
        clouds = tuple(point_cloud(image, stride=stride or _stride(image)) for image in images)
        scene = clouds[0]
        for cloud in clouds[1:]:
            scene = scene.joined(cloud)
        return cls(tuple(images), clouds, scene)


Seen = tuple[MaskEvidence, PointCloud]
"""A mask of a thing, and its points."""


@dataclass(slots=True)
class GroundedPredicates:
    """Grounds predicates of named or described objects; `arms` are the reachability maps."""

    vocabulary: OpenVocabulary
    rng: np.random.Generator
    arms: Mapping[str, ArmReach] = field(default_factory=dict)
    voxels: VoxelMap | None = None
    gripper: Gripper = field(default_factory=Gripper)
    footprint: Footprint = field(default_factory=Footprint)
    limits: GroundingLimits = field(default_factory=GroundingLimits)
    _grid: tuple[int, OccupancyGrid] | None = None
    _segments: tuple[Look, dict[str, Seen | None]] | None = None

    def detected(self, look: Look, name: str) -> Grounded:
        """Whether a picture of this look shows it."""
        fact = Fact.of("detected", name)
        best = self._segment(look, name)
        if best is None:
            return Grounded(fact, False, f"no camera shows anything like {_plain(name)}.")
        mask, _ = best
        seen = mask.score >= self.limits.detected
        word = "shows it" if seen else "shows something like it"
        reason = f"the camera {mask.camera} {word}, with a score of {mask.score:.2f}."
        return Grounded(fact, seen, reason, mask)

    def graspable(self, look: Look, name: str) -> Grounded:
        """Whether two fingers can close on what is seen of it."""
        fact = Fact.of("graspable", name)
        cloud = self.points_of(look, name)
        if cloud is None:
            return Grounded(fact, False, f"{_plain(name)} is not detected.")
        return self.grasps_on(look, name, cloud)

    def grasps_on(self, look: Look, name: str, cloud: PointCloud, *, count: int = 12) -> Grounded:
        """Whether two fingers can close on the points `cloud` of it; at most `count` grasps."""
        fact = Fact.of("graspable", name)
        grasps = sample_grasps(cloud, look.scene, self.rng, self.gripper, count=count)
        good = [grasp for grasp in grasps if grasp.score >= self.limits.graspable]
        if not good:
            return Grounded(
                fact, False, f"no grasp of {_plain(name)} has free fingers and opposite contacts."
            )
        reason = f"{len(good)} grasps, the best with a score of {good[0].score:.2f}."
        return Grounded(fact, True, reason, GraspEvidence(tuple(good)))

    def placeable(
        self, look: Look, name: str, *, radius: float = 0.06, height: float = 0.2
    ) -> Grounded:
        """Whether it has a free level spot for a thing of this radius and height (m)."""
        fact = Fact.of("placeable", name)
        cloud = self.points_of(look, name)
        if cloud is None:
            return Grounded(fact, False, f"{_plain(name)} is not detected.")
        spot = placement(cloud, look.scene, radius=radius, height=height)
        if spot is None:
            reason = f"no level spot of {_plain(name)} is free within {100 * radius:.0f} cm."
            return Grounded(fact, False, reason)
        room, level = 100 * spot.clearance, float(spot.position[2])
        reason = f"a spot at a height of {level:.2f} m is free within {room:.0f} cm."
        return Grounded(fact, True, reason, spot)

    def reachable(
        self,
        name: str,
        poses: Sequence[HandPose],
        *,
        mount_offset: Array | None = None,
    ) -> Grounded:
        """Whether an arm reaches one of the hand's `poses` in the base's frame.

        The poses are those of `graspable`, or of `above` a free spot. Of those in reach, the one
        with the largest manipulability is the evidence.
        """
        fact = Fact.of("reachable", name)
        if not self.arms or not poses:
            missing = "pose of the hand" if self.arms else "reachability map of an arm"
            return Grounded(fact, False, f"there is no {missing} for {_plain(name)}.")
        positions = np.array([pose.position for pose in poses])
        rotations = np.array([pose.rotation for pose in poses])
        best = ReachEvidence("", poses[0], 0.0, 0)
        for arm, reach in self.arms.items():
            index = reach.query(positions, rotations, mount_offset=mount_offset)
            for k in map(int, np.flatnonzero(index.reachable)):
                value = float(index.manipulability[k])
                if not best.arm or value > best.index:
                    best = ReachEvidence(arm, poses[k], value, int(index.visits[k]))
        if not best.arm:
            return Grounded(fact, False, f"no arm reaches one of {len(poses)} poses.", best)
        reason = f"the {best.arm} arm reaches it, with a manipulability of {best.index:.2f}."
        return Grounded(fact, True, reason, best)

    def find(self, base: BasePose, name: str) -> Grounded:
        """Whether the map has it, and the base a path to it."""
        fact = Fact.of("find", name)
        if self.voxels is None:
            return Grounded(fact, False, "there is no map.")
        place = self._place(self.voxels, name)
        if place is None:
            return Grounded(fact, False, f"the map has nothing like {_plain(name)}.")
        path = self._path(self.voxels, base, place)
        if path is None:
            return Grounded(fact, False, f"no path leads to {_plain(name)}.")
        return Grounded(fact, True, f"a path of {path.length:.1f} m leads to it.", path)

    def at(self, base: BasePose, name: str) -> Grounded:
        """Whether the base stands near it, with no wall between."""
        found = self.find(base, name)
        path = found.evidence
        if not isinstance(path, PathEvidence):
            return Grounded(Fact.of("at", name), False, found.reason)
        there = path.length <= self.limits.arrived
        reason = f"the base stands {path.length:.1f} m from where it reaches {_plain(name)}."
        return Grounded(Fact.of("at", name), there, reason, path)

    def _segment(self, look: Look, name: str) -> Seen | None:
        """The best mask of any camera, and its points; those of the last look are remembered."""
        if self._segments is None or self._segments[0] is not look:
            self._segments = look, {}
        known = self._segments[1]
        if name not in known:
            known[name] = self._best_segment(look, name)
        return known[name]

    def _best_segment(self, look: Look, name: str) -> Seen | None:
        best: Seen | None = None
        for image, cloud in zip(look.images, look.clouds, strict=True):
            for segment in self.vocabulary.segments(image, _plain(name))[:1]:
                if best is None or segment.score > best[0].score:
                    points = cloud.masked(segment.mask)
                    if len(points):
                        centre = np.median(points.points, axis=0).astype(float)
                        mask = MaskEvidence(image.camera, segment.mask, centre, segment.score)
                        best = mask, points
        return best

    def points_of(self, look: Look, name: str) -> PointCloud | None:
        """What is seen of a detected object."""
        best = self._segment(look, name)
        if best is None or best[0].score < self.limits.detected:
            return None
        return best[1]

    def _place(self, voxels: VoxelMap, name: str) -> Place | None:
        text = self.vocabulary.embed_text(_plain(name))
        if not text.any():
            return None
        return next(iter(voxels.locate(text, least=self.limits.similar)), None)

    def _path(self, voxels: VoxelMap, base: BasePose, place: Place) -> PathEvidence | None:
        if self._grid is None or self._grid[0] != voxels.frames:
            self._grid = voxels.frames, occupancy_grid(voxels, self.footprint, standing=base)
        # A table is reached at its edge, not at its centre.
        within = self.limits.standing + float(place.half[:2].min())
        return self._grid[1].path(base, place.centre[:2], within=within)


def above(spot: Array, height: float, yaws: int = 8) -> tuple[HandPose, ...]:
    """Hands (each a pose) that point down over a spot (3,), `height` m above it."""
    poses = []
    for yaw in np.arange(yaws) * (2 * np.pi / yaws):
        x = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        down = np.array([0.0, 0.0, -1.0])
        rotation = np.stack([x, np.cross(down, x), down], axis=1)
        poses.append(HandPose(spot + np.array([0.0, 0.0, height]), rotation))
    return tuple(poses)


def poses_of(grasps: Sequence[ScoredGrasp]) -> tuple[HandPose, ...]:
    """The hand's poses of grasps."""
    return tuple(grasp.pose for grasp in grasps)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _stride(image: CameraImage) -> int:
    return max(1, len(image.depth) // 240)
