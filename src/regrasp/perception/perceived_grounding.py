"""The geometry behind names, from the robot's own pictures: see `core.grounding.Grounding`.

A map of the rooms is made beforehand (`absorb` with pictures of a tour), as in IALP. Later looks
refresh it. Everything is in the frame of the odometry, in which pictures have their poses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import BasePose, GraspEvidence, MaskEvidence
from regrasp.core.grounding import FloorPath, GraspTarget, Placement
from regrasp.core.robot import CameraImage, Robot
from regrasp.perception.astar import cheapest_path, straightened
from regrasp.perception.evidence_predicates import base_pose
from regrasp.perception.grounded_predicates import GroundedPredicates, Look
from regrasp.perception.occupancy import OccupancyGrid, occupancy_grid
from regrasp.perception.placement import level_heights, placement
from regrasp.perception.point_cloud import PointCloud
from regrasp.perception.sightings import Sightings
from regrasp.perception.voxel_map import VoxelMap

__all__ = ["PerceivedGrounding"]

_STAND_M, _FARTHEST_M, _LEAST_GAP_M = 0.62, 1.35, 0.05
_OWN_BODY_M = 1.1  # nearer than this, a picture may show the robot's own arms
_ROOM_M, _HEIGHT_M = (0.10, 0.07), 0.25  # radius and height of the room for a thing
_SHELF_HEIGHT_M = 0.28
_SHELF_INTO_M = 0.14
_SHELVES = ("shelf", "bookshelf", "bookcase")
_HANDLED = ("drawer", "chest")


@dataclass(slots=True)
class PerceivedGrounding:
    """See `Grounding`. `names` are the things to look for in every picture; `parts` find them.

    `given_places` has the place of a thing that the robot was told of: it is looked for there
    while nobody has seen it.
    """

    robot: Robot
    camera: str
    names: tuple[str, ...]
    parts: GroundedPredicates
    voxels: VoxelMap
    given_places: Mapping[str, str] = field(default_factory=dict)
    seen: Sightings = field(default_factory=Sightings)
    _look: tuple[float, Look] | None = None
    _grid: tuple[int, OccupancyGrid] | None = None

    def absorb(self, images: Iterable[CameraImage]) -> None:
        """Add pictures of a tour to the map, and what they show to the sightings."""
        for image in images:
            self.voxels.fuse(image, BasePose())
            self._remember(Look.of([image]))

    # ---- navigation ----------------------------------------------------------------------------

    def path_to(self, thing: str) -> FloorPath | None:
        """See `Grounding.path_to`: to the free cell from which the thing is best worked on.

        A thing on a table is nearest to the edge that it is worked on from.
        """
        target = self.position_of(thing)
        if target is None:
            return None
        base = base_pose(self.robot.joints())
        grid = self._free(base)
        cells = np.argwhere(grid.standing_cells(target[:2], _FARTHEST_M))
        if not len(cells):
            return None
        away = grid.points([(int(a), int(b)) for a, b in cells]) - target[:2]
        distances = np.linalg.norm(away, axis=1)
        front = away[distances.argmin()] / max(float(distances.min()), 1e-9)
        wanted = max(_STAND_M, float(distances.min()) + _LEAST_GAP_M)
        off = np.arccos(np.clip(away @ front / np.maximum(distances, 1e-9), -1.0, 1.0))
        for k in np.argsort(np.abs(distances - wanted) + 0.5 * off)[:20]:
            goals = np.zeros_like(grid.free)
            goals[tuple(cells[k])] = True
            begin = grid.nearest_free(grid.cell_of(base.position))
            route = cheapest_path(grid.costs, begin, goals) if begin is not None else []
            if route:
                points = grid.points(straightened(route, grid.costs))
                x, y = points[-1]
                heading = math.atan2(target[1] - y, target[0] - x)
                way = ((base.x, base.y), *((float(p[0]), float(p[1])) for p in points[1:]))
                end = way if len(way) > 1 else (*way, (float(x), float(y)))
                return FloorPath(end, heading)
        return None

    def position_of(self, thing: str) -> Array | None:
        """See `Grounding.position_of`."""
        found = self.seen.of(thing)
        return (
            self.seen.of(self.given_places[thing])
            if found is None and thing in self.given_places
            else found
        )

    def _free(self, base: BasePose) -> OccupancyGrid:
        if self._grid is None or self._grid[0] != self.voxels.frames:
            grid = occupancy_grid(self.voxels, self.parts.footprint, standing=base)
            self._grid = self.voxels.frames, grid
        return self._grid[1]

    # ---- manipulation --------------------------------------------------------------------------

    def in_view(self, thing: str) -> bool:
        """See `Grounding.in_view`."""
        return self.parts.detected(self._now(), thing).value

    def grasps_of(self, thing: str) -> tuple[GraspTarget, ...]:
        """See `Grounding.grasps_of`: of a drawer, those of its handle."""
        look = self._now()
        part = "handle" if any(word in thing for word in _HANDLED) else thing
        if not self.parts.detected(look, thing).value:
            return ()
        found = self.parts.graspable(look, part).evidence
        cloud = self.parts.points_of(look, part)
        if not isinstance(found, GraspEvidence) or cloud is None:
            return ()
        foot = float(np.percentile(cloud.points[:, 2], 2))
        return tuple(
            GraspTarget(
                one.pose.position, one.pose.rotation, one.width,
                float(one.pose.position[2]) - foot, one.score,
            )
            for one in found.grasps
        )  # fmt: skip

    def placements_on(self, place: str, thing: str) -> tuple[Placement, ...]:
        """See `Grounding.placements_on`: the nearest with room first."""
        look = self._now()
        cloud = self.parts.points_of(look, place)
        if cloud is None:
            return ()
        if any(word in place for word in _SHELVES):
            return tuple(_boards(cloud, look.scene))
        here = base_pose(self.robot.joints()).position
        found = []
        for radius in _ROOM_M:
            for near in (here, None):
                spot = placement(cloud, look.scene, radius=radius, height=_HEIGHT_M, near=near)
                if spot is not None:
                    found.append(Placement(spot.position, spot.clearance, _HEIGHT_M))
        return tuple(found)

    # ---- pictures ------------------------------------------------------------------------------

    def _now(self) -> Look:
        """The present picture; one for each moment of the robot's time."""
        moment = self.robot.seconds
        if self._look is None or self._look[0] != moment:
            image = self.robot.look(self.camera)
            self._look = moment, Look.of([image])
            far = np.where(image.depth > _OWN_BODY_M, image.depth, np.nan).astype(np.float32)
            self.voxels.fuse(replace(image, depth=far), BasePose())
            self._remember(self._look[1])
        return self._look[1]

    def _remember(self, look: Look) -> None:
        for name in self.names:
            found = self.parts.detected(look, name)
            if found.value and isinstance(found.evidence, MaskEvidence):
                centre = found.evidence.centre
                distance = float(np.linalg.norm(centre - look.images[0].position))
                self.seen.add(name, centre, found.evidence.score, distance)


def _boards(shelf: PointCloud, scene: PointCloud) -> Iterable[Placement]:
    """Places on the boards of a shelf: in front of its back, with room above."""
    upright = shelf.normals[np.abs(shelf.normals[:, 2]) < 0.3]
    toward = np.median(upright[:, :2], axis=0).astype(float) if len(upright) else np.zeros(2)
    if float(np.linalg.norm(toward)) < 1e-3:
        return
    inward = -toward / np.linalg.norm(toward)
    side = np.array([-inward[1], inward[0]])
    flat = shelf.points[:, :2].astype(float)
    deep, wide = flat @ inward, flat @ side
    front = float(np.percentile(deep, 3))
    for level in sorted(level_heights(shelf), key=lambda height: abs(height - 0.75)):
        for across in np.percentile(wide, (50, 35, 65, 25, 75)):
            spot = (front + _SHELF_INTO_M) * inward + across * side
            near = np.linalg.norm(scene.points[:, :2] - spot, axis=1) < 0.06
            above = scene.points[:, 2] - level
            if not (near & (above > 0.03) & (above < _SHELF_HEIGHT_M)).any():
                yield Placement(np.append(spot, level), 0.06, _SHELF_HEIGHT_M, inward)
