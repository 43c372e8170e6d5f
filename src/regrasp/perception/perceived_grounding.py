"""The geometry behind names, from the robot's own pictures: see `core.grounding.Grounding`.

A map of the rooms is made beforehand (`absorb` with pictures of a tour), as in IALP. It has the
pieces of furniture (`furniture`) and where other things were seen (`sightings`). Later looks
refresh it, and the map corrects the drift of odometry (`localisation`). Inside, everything is in
the frame of the map; what crosses the seam is in the frame of the odometry now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import BasePose, Bits, GraspEvidence, MaskEvidence
from regrasp.core.grounding import FloorPath, GraspTarget, GroundedRobot, Placement
from regrasp.core.put_poses import MOST_TARGETS, is_level
from regrasp.core.robot import CameraImage, Robot
from regrasp.perception.astar import cheapest_path, straightened
from regrasp.perception.evidence_predicates import base_pose
from regrasp.perception.expected_places import ExpectedPlaces
from regrasp.perception.furniture import (
    FurniturePiece,
    NamedKind,
    assign_pieces,
    furniture_pieces,
)
from regrasp.perception.grounded_predicates import GroundedPredicates, Look
from regrasp.perception.localisation import MapMatcher
from regrasp.perception.occupancy import OccupancyGrid, occupancy_grid
from regrasp.perception.placement import level_heights, placement
from regrasp.perception.point_cloud import PointCloud, point_cloud
from regrasp.perception.pulled_handle import drawer_opening, handle_grasps, inside_drawer
from regrasp.perception.shelf_boards import COMFORTABLE_M, shelf_placements
from regrasp.perception.sightings import Sightings
from regrasp.perception.supports import ON_TOP_M, foot_height, support_at, thing_on
from regrasp.perception.voxel_map import VoxelMap

__all__ = ["PerceivedGrounding", "RoomsMap"]

_STAND_M, _FARTHEST_M, _LEAST_GAP_M = 0.62, 1.35, 0.05
_OWN_BODY_M = 1.1  # nearer than this, a picture may show the robot's own arms
_ROOM_M, _HEIGHT_M = (0.10, 0.07), 0.25  # radius and height of the room for a thing
_THINNEST_M = 0.015  # of a thing whose top is not the support that it lies on
_APART_M = 0.25  # between a spot and the middle of another thing that was seen: a hand needs room
_MAPPING_STRIDE = 2  # of the pixels of a tour's picture
_LEAST_SEEN = 80  # points of a piece of furniture that is in view
_EDGE_M = 0.16  # a place on a piece is worked on so far behind its front
_HANDLE_BELOW_M = 0.11  # of the handle of a chest below its top
_MANY_SEEN, _NEAR_M = 2000, 1.5  # points of a place that is looked at, and from how far
_BY_PLACE = 0.65  # the score of a thing that is where a person said, not told by its looks
_HANGERS = ("hanger",)
_CLOSED = ("drawer",)
_FROM_FRONT = ("bookshelf",)


@dataclass(frozen=True, slots=True)
class RoomsMap:
    """What is known of the rooms before a task: the map, where things were seen, the furniture."""

    voxels: VoxelMap
    seen: Sightings
    pieces: dict[str, FurniturePiece]
    matcher: MapMatcher | None


@dataclass(slots=True)
class PerceivedGrounding:
    """See `Grounding`. `kinds` are the things to look for in every picture; `parts` find them."""

    robot: Robot
    camera: str
    kinds: Mapping[str, NamedKind]
    parts: GroundedPredicates
    voxels: VoxelMap
    seen: Sightings = field(default_factory=Sightings)
    pieces: dict[str, FurniturePiece] = field(default_factory=dict)
    correction: BasePose = field(default_factory=BasePose)
    """The frame of the odometry in the frame of the map."""
    relocalised: int = 0
    """How often the robot found itself again after it was lost."""
    expected: ExpectedPlaces = field(default_factory=ExpectedPlaces)
    _intended: dict[str, str] = field(default_factory=dict)
    _matcher: MapMatcher | None = None
    _look: tuple[float, Look] | None = None
    _grid: tuple[int, OccupancyGrid] | None = None
    _grasps: dict[str, tuple[GraspTarget, ...]] = field(default_factory=dict)

    def absorb(self, images: Iterable[CameraImage]) -> None:
        """Make the map from the pictures of a tour."""
        for image in images:
            self.voxels.fuse(image, BasePose())
            self._remember(Look.of([image], stride=_MAPPING_STRIDE))
        self.pieces = assign_pieces(self.kinds.values(), furniture_pieces(self.voxels))
        self._matcher = MapMatcher(self.voxels)

    def rooms(self) -> RoomsMap:
        """A copy of the map as it is now."""
        return deepcopy(RoomsMap(self.voxels, self.seen, self.pieces, self._matcher))

    def enter(self, rooms: RoomsMap) -> None:
        """Begin with a copy of a map that was made before."""
        own = deepcopy(rooms)
        self.voxels, self.seen, self.pieces = own.voxels, own.seen, own.pieces
        self._matcher = own.matcher

    # ---- navigation ----------------------------------------------------------------------------

    def path_to(self, thing: str) -> FloorPath | None:
        """See `Grounding.path_to`: to the free cell from which the thing is best worked on.

        Furniture, and what is on it, is worked on from its front.
        """
        target = self._place(thing)
        if target is None:
            return None
        base = self._base
        grid = self.floor_grid()
        cells = np.argwhere(grid.standing_cells(target[:2], _FARTHEST_M))
        if not len(cells):
            return None
        away = grid.points([(int(a), int(b)) for a, b in cells]) - target[:2]
        distances = np.linalg.norm(away, axis=1)
        front = self._front(thing, target)
        if front is None:
            front = away[distances.argmin()] / max(float(distances.min()), 1e-9)
        off = np.arccos(np.clip(away @ front / np.maximum(distances, 1e-9), -1.0, 1.0))
        nearest = float(distances[off < 0.5].min(initial=_FARTHEST_M))
        wanted = max(_STAND_M, nearest + _LEAST_GAP_M)
        begin = grid.nearest_free(grid.cell_of(base.position))
        for k in np.argsort(np.abs(distances - wanted) + 0.5 * off)[:20]:
            goals = np.zeros_like(grid.free)
            goals[tuple(cells[k])] = True
            route = cheapest_path(grid.costs, begin, goals) if begin is not None else []
            if route:
                points = grid.points(straightened(route, grid.costs))
                heading = math.atan2(*(target[:2] - points[-1])[::-1])
                way = [(base.x, base.y), *map(tuple, points[1:] if len(points) > 1 else points)]
                out = self.correction.inverse
                moved = [out.apply(np.array([x, y, 0.0])) for x, y in way]
                ends = tuple((float(p[0]), float(p[1])) for p in moved)
                return FloorPath(ends, heading + out.yaw)
        return None

    def position_of(self, thing: str) -> Array | None:
        """See `Grounding.position_of`."""
        place = self._place(thing)
        return None if place is None else self.correction.inverse.apply(place)

    def distance_to(self, thing: str) -> float | None:
        """See `Grounding.distance_to`."""
        piece, here = self.pieces.get(thing), self._base.position
        if piece is not None:
            return piece.distance(here)
        place = self._place(thing)
        return None if place is None else math.dist(place[:2], here[:2])

    def expect(self, thing: str, place: str) -> None:
        """See `Grounding.expect`."""
        self.expected.add(thing, place)

    def intend(self, thing: str, place: str) -> None:
        """See `Grounding.intend`."""
        self._intended[thing] = place

    def refresh(self) -> None:
        """See `Grounding.refresh`."""
        image = self._corrected(self.robot.look(self.camera))
        self._fuse(image)

    @property
    def _base(self) -> BasePose:
        return self.correction.after(base_pose(self.robot.joints()))

    def _place(self, thing: str) -> Array | None:
        """Where a hand works on a thing (3,), or where it was seen last; in the map."""
        piece = self.pieces.get(thing)
        if piece is not None and self.kinds[thing].kind in _CLOSED:
            return piece.front_point(piece.top - _HANDLE_BELOW_M)
        if piece is not None:
            shelf = self.kinds[thing].kind in _FROM_FRONT  # its boards, not its cover, are used
            edge = piece.front_point(min(piece.top, COMFORTABLE_M) if shelf else piece.top)
            edge[:2] -= _EDGE_M * piece.front
            return edge
        found, told = self._seen_at(thing), self.expected.of(thing)
        return self._place(told) if found is None and told is not None and told != thing else found

    def _seen_at(self, thing: str) -> Array | None:
        """Where a thing was seen (3,); only at the place where a person said that it is."""
        places, told = self.seen.all_of(thing), self.expected.of(thing)
        if told in self.pieces:
            places = [one for one in places if self._support(one) == told]
        return next(iter(places), None)

    def _support(self, at: Array) -> str:
        """The piece or stand that supports a thing at a position (3,); "" for none."""
        hangers = [name for name, one in self.kinds.items() if one.kind in _HANGERS]
        stands = {name: self.seen.of(name) for name in hangers}
        return support_at(at, self.pieces, {n: one.kind for n, one in self.kinds.items()}, stands)

    def _front(self, thing: str, target: Array) -> Array | None:
        """The direction (2,) from which a thing is worked on; None if nothing decides."""
        inside = [
            piece
            for name, piece in self.pieces.items()
            if name == thing or piece.contains(target[None], 0.08, above=ON_TOP_M[1])[0]
        ]
        fronts = [piece.front for piece in inside if piece.front.any()]
        return fronts[0] if fronts else None

    def floor_grid(self) -> OccupancyGrid:
        """Where the base can stand, in the map as it is now."""
        if self._grid is None or self._grid[0] != self.voxels.frames:
            grid = occupancy_grid(self.voxels, self.parts.footprint, standing=self._base)
            self._grid = self.voxels.frames, grid
        return self._grid[1]

    # ---- manipulation --------------------------------------------------------------------------

    def in_view(self, thing: str) -> bool:
        """See `Grounding.in_view`."""
        piece = self.pieces.get(thing)
        if piece is not None:
            return int(self._of_piece(piece).sum()) >= _LEAST_SEEN
        return self._points(self._now(), thing) is not None

    def grasps_of(self, thing: str) -> tuple[GraspTarget, ...]:
        """See `Grounding.grasps_of`: of a drawer, those of its handle; one answer for each look."""
        look = self._now()
        if thing not in self._grasps:
            self._grasps[thing] = self._sampled_grasps(look, thing)
        return tuple(map(self._grasp_out, self._grasps[thing]))

    def _sampled_grasps(self, look: Look, thing: str) -> tuple[GraspTarget, ...]:
        """Grasps in the frame of the map."""
        piece = self.pieces.get(thing)
        if piece is not None:
            return handle_grasps(piece, look.scene) if self.kinds[thing].kind in _CLOSED else ()
        cloud = self._points(look, thing)
        if cloud is None:
            return ()
        aim = self._intended.get(thing, "")
        from_front = aim in self.kinds and self.kinds[aim].kind in _FROM_FRONT
        count = MOST_TARGETS * (3 if from_front else 1)
        grasps = self.parts.grasps_on(look, thing, cloud, count=count).evidence
        if not isinstance(grasps, GraspEvidence):
            return ()
        foot = foot_height(cloud, look.scene)
        # A hand from above does not fit between two boards with what it holds.
        order = (lambda one: not is_level(one.pose.rotation)) if from_front else (lambda one: False)
        return tuple(
            GraspTarget(
                one.pose.position, one.pose.rotation, one.width,
                float(one.pose.position[2]) - foot, one.score,
            )
            for one in sorted(grasps.grasps, key=order)[:MOST_TARGETS]
        )  # fmt: skip

    def placements_on(self, place: str, thing: str) -> tuple[Placement, ...]:
        """See `Grounding.placements_on`: the nearest with room first; none in a drawer."""
        look, piece = self._now(), self.pieces.get(place)
        cloud = self._points(look, place)
        if cloud is None or not len(cloud) or self.kinds[place].kind in _CLOSED:
            return ()
        if self.kinds[place].kind == "bookshelf" and piece is not None:
            found = list(shelf_placements(piece, cloud, look.scene))
        else:
            found = []
            if levels := level_heights(cloud):  # the top of a book on the table is not the table
                own = cloud.points[:, 2] < levels[0] + _THINNEST_M
                cloud = cloud.where(np.asarray(own))
            for radius in _ROOM_M:
                for near in (self._base.position, None):
                    spot = placement(cloud, look.scene, radius=radius, height=_HEIGHT_M, near=near)
                    if spot is not None:
                        found.append(Placement(spot.position, spot.clearance, _HEIGHT_M))
        found = [one for one in found if self._is_clear(one, place, thing)] or found
        out = self.correction.inverse
        return tuple(
            replace(
                one, position=out.apply(one.position),
                inward=None if one.inward is None else out.rotation[:2, :2] @ one.inward,
            )
            for one in found
        )  # fmt: skip

    def _is_clear(self, spot: Placement, place: str, thing: str) -> bool:
        """Whether no other thing was seen there: this look may not show what lies beside a spot."""
        others = (name for name in self.kinds if name not in (place, thing, *self.pieces))
        at = [where for where in map(self._seen_at, others) if where is not None]
        return all(np.linalg.norm((spot.position - one)[:2]) > _APART_M for one in at)

    def support_of(self, thing: str) -> str | None:
        """See `Grounding.support_of`."""
        at = self._seen_at(thing)
        return None if at is None else self._support(at)

    def opening_of(self, container: str) -> float | None:
        """See `Grounding.opening_of`."""
        piece = self.pieces.get(container)
        return None if piece is None else drawer_opening(piece, self._now().scene)

    def _points(self, look: Look, thing: str) -> PointCloud | None:
        """What is seen of a thing: of furniture, what is in its box.

        Where a person said that it is in a drawer, it is what lies in the open drawer; on a table,
        what is told there by its looks, else the largest thing that stands there.
        """
        piece, told = self.pieces.get(thing), self.expected.of(thing) or ""
        if piece is not None:
            return look.scene.where(self._of_piece(piece))
        place = self.pieces.get(told)
        if place is None:
            return self.parts.points_of(look, thing)
        if self.kinds[told].kind in _CLOSED:
            return inside_drawer(place, look.scene)
        found = self.parts.points_of(look, thing)
        if found is not None and self._support(_middle(found)) == told:
            return found
        return thing_on(place, look.scene)

    def _of_piece(self, piece: FurniturePiece, look: Look | None = None) -> Bits:
        points = (look or self._now()).scene.points
        return np.asarray(piece.contains(points, 0.04) & (points[:, 2] > 0.06))

    def _grasp_out(self, one: GraspTarget) -> GraspTarget:
        """A grasp in the frame of the odometry."""
        out = self.correction.inverse
        return replace(one, position=out.apply(one.position), rotation=out.rotation @ one.rotation)

    # ---- pictures ------------------------------------------------------------------------------

    def _now(self) -> Look:
        """The present picture; one for each moment of the robot's time."""
        moment = self.robot.seconds
        if self._look is None or self._look[0] != moment:
            for held in self._held:
                self.expected.drop(held)
                self.seen.forget(held)
            image = self._corrected(self.robot.look(self.camera))
            self._look, self._grasps = (moment, Look.of([image])), {}
            self._fuse(image)
            self._remember(self._look[1])
        return self._look[1]

    @property
    def _held(self) -> set[str]:
        """What is in a hand: it is no longer where it was seen."""
        if not isinstance(self.robot, GroundedRobot):
            return set()
        return {one.name for one in self.robot.held()}

    def _corrected(self, image: CameraImage) -> CameraImage:
        """The picture in the frame of the map, where it fits it best."""
        if self._matcher is not None:
            odometry = base_pose(self.robot.joints())
            cloud = point_cloud(image, stride=max(1, len(image.depth) // 120))
            match = self._matcher.match(cloud, odometry, self.correction)
            self.correction = match.correction
            self.relocalised += match.lost
        moved = self.correction
        return replace(
            image, position=moved.apply(image.position), rotation=moved.rotation @ image.rotation
        )

    def _fuse(self, image: CameraImage) -> None:
        far = np.where(image.depth > _OWN_BODY_M, image.depth, np.nan).astype(np.float32)
        self.voxels.fuse(replace(image, depth=far), BasePose())

    def _remember(self, look: Look) -> None:
        for name in (one for one in self.kinds if one not in self._held):
            found = self.parts.detected(look, name)
            score, centre = 0.0, None
            if found.value and isinstance(found.evidence, MaskEvidence):
                score, centre = found.evidence.score, found.evidence.centre
            if (told := self.expected.of(name)) in self.pieces:
                centre = self._look_at_expected(look, name, told, centre)
                score = max(score, _BY_PLACE)
            if centre is not None:
                distance = float(np.linalg.norm(centre - look.images[0].position))
                self.seen.add(name, centre, score, distance)

    def _look_at_expected(
        self, look: Look, thing: str, told: str, centre: Array | None
    ) -> Array | None:
        """The middle of a thing at the place where a person said that it is; None if not there."""
        if centre is not None and self._support(centre) == told:
            return centre
        place, cloud = self.pieces[told], self._points(look, thing)
        if cloud is not None:
            return _middle(cloud)
        shut = self.kinds[told].kind in _CLOSED and not drawer_opening(place, look.scene)
        seen = int(self._of_piece(place, look).sum()) >= _MANY_SEEN
        if seen and not shut and place.distance(self._base.position) < _NEAR_M:
            self.expected.miss(thing)
        return None


def _middle(cloud: PointCloud) -> Array:
    middle: Array = np.median(cloud.points, axis=0).astype(float)
    return middle
