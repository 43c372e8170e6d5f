"""A `Grounding` that knows the truth: an oracle, for tests of skills and to find who is to blame.

It gives what perfect perception would give, in the frame of the robot's odometry at this moment.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from regrasp.control.postures import hand_rotation
from regrasp.core.arrays import Array
from regrasp.core.grounding import FloorPath, GraspTarget, Placement
from regrasp.worlds.apartment.judge import ApartmentJudge
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.kit.mobile_two_arms import FOOTPRINT_M
from regrasp.worlds.kit.scene import Grasp, Region, SceneObject

__all__ = ["OracleGrounding"]

_STANDS_M = (0.62, 0.70, 0.80, 0.92, 1.05)  # distances of the base from a thing, the best first
_DIRECTIONS = 24
_WIDTH_M = 0.05
_TILTS = (0.0, 0.4, -0.4, 0.8, -0.8)  # rad of a hand from above
_GRID = 9  # places tried along each side of a top
_EDGE_M, _HAND_M = 0.10, 0.11  # of a spot from an edge; half the width of a hand
_COMFORTABLE_M = 0.55  # height at which arms work best


class OracleGrounding:
    """See `Grounding`."""

    def __init__(self, world: ApartmentWorld) -> None:
        self._world, self._judge = world, ApartmentJudge(world)
        self._map = FloorMap(world, FOOTPRINT_M)

    def is_free(self, x: float, y: float) -> bool:
        """Whether the base has room at a point of the floor."""
        return self._map.free(x, y)

    def path_to(self, thing: str) -> FloorPath | None:
        """See `Grounding.path_to`."""
        x, y, _ = self._world.base
        for goal in self._stands(thing):
            path = self._map.path((x, y), goal)
            if len(path) > 2 or self._map.line_is_free(*path):
                at = self._point(thing)
                heading = math.atan2(at[1] - goal[1], at[0] - goal[0])
                points = [self._moved(np.array([*point, 0.0])) for point in path]
                turn = self._world.odometry.pose[2] - self._world.base[2]
                return FloorPath(tuple((float(p[0]), float(p[1])) for p in points), heading + turn)
        return None

    def position_of(self, thing: str) -> Array | None:
        """See `Grounding.position_of`."""
        return self._moved(self._point(thing))

    def distance_to(self, thing: str) -> float | None:
        """See `Grounding.distance_to`."""
        return self._judge.distance_to(thing)

    def refresh(self) -> None:
        """See `Grounding.refresh`: it knows already."""

    def expect(self, thing: str, place: str) -> None:
        """See `Grounding.expect`: it knows better."""

    def intend(self, thing: str, place: str) -> None:
        """See `Grounding.intend`: its grasps are those of the kit."""

    def in_view(self, thing: str) -> bool:
        """See `Grounding.in_view`."""
        return self._judge.holds("detected", thing)

    def support_of(self, thing: str) -> str | None:
        """See `Grounding.support_of`."""
        inside = [
            name for name in self._world.scene.insides if self._judge.holds("in", thing, name)
        ]
        return inside[0] if inside else self._judge.support(thing)

    def opening_of(self, container: str) -> float | None:
        """See `Grounding.opening_of`; None if the judge does not see it."""
        if not self.in_view(container):
            return None
        joints = [one.joint for one in self._world.scene.things.values() if one.of == container]
        return max(float(self._world.data.joint(name).qpos[0]) for name in joints if name)

    def grasps_of(self, thing: str) -> tuple[GraspTarget, ...]:
        """See `Grounding.grasps_of`: those that the kit's piece has."""
        things = self._world.scene.things
        part = next((one for one in things.values() if one.of == thing and one.joint), None)
        return tuple(self._grasps(part or things[thing], things[thing]))

    def placements_on(self, place: str, thing: str) -> tuple[Placement, ...]:
        """See `Grounding.placements_on`: free spots of a top, nearest to the robot first."""
        scene = self._world.scene
        if place not in scene.tops:
            return ()
        boards = [name for name in scene.tops if scene.things[name].of == place]
        found = [
            one
            for name in (boards or [place])
            for one in self._spots(scene.tops[name], thing, front=bool(boards))
        ]
        x, y, _ = self._world.odometry.pose
        comfortable = np.array([x, y, _COMFORTABLE_M])
        found.sort(key=lambda one: float(np.linalg.norm(one.position - comfortable)))
        return tuple(found)

    # ---- truth ---------------------------------------------------------------------------------

    def _point(self, thing: str) -> Array:
        """Where the robot works on a thing: the handle of a drawer, the grasp of a thing."""
        things = self._world.scene.things
        part = next((one.name for one in things.values() if one.of == thing and one.joint), thing)
        grasps = things[part].grasps
        return np.array(self._world.data.site(grasps[0].site if grasps else things[part].site).xpos)

    def _moved(self, point: Array) -> Array:
        return self._world.in_odometry(point, np.eye(3))[0]

    def _stands(self, thing: str) -> Iterator[tuple[float, float]]:
        """Free poses of the base around a thing, those in front of it first."""
        at = self._point(thing)
        front = self._front(thing)
        for far in _STANDS_M:
            turns = sorted(
                (2 * math.pi * k / _DIRECTIONS for k in range(_DIRECTIONS)),
                key=lambda turn: abs(math.remainder(turn - front, 2 * math.pi)),
            )
            for turn in turns[: _DIRECTIONS // 2]:
                goal = float(at[0] + far * math.cos(turn)), float(at[1] + far * math.sin(turn))
                if self._map.free(*goal):
                    yield goal

    def _front(self, thing: str) -> float:
        """The direction (rad) in which a thing, or what it stands on, faces."""
        body = self._judge.support(thing) if self._world.scene.things[thing].movable else thing
        for name, region in self._world.scene.insides.items():
            if thing in self._world.movable and self._world.within(thing, region):
                body = name
        if not body:
            x, y, _ = self._world.base
            at = self._point(thing)
            return math.atan2(y - at[1], x - at[0])
        matrix = self._world.data.body(body).xmat.reshape(3, 3)
        return math.atan2(-matrix[1, 0], -matrix[0, 0])

    def _grasps(self, part: SceneObject, thing: SceneObject) -> Iterator[GraspTarget]:
        data = self._world.data
        foot = float(data.site(thing.site).xpos[2]) - thing.extent[1]
        for grasp in part.grasps:
            site = data.site(grasp.site)
            frame = site.xmat.reshape(3, 3)
            above = float(site.xpos[2]) - foot
            for rotation in _rotations(grasp, frame):
                position, turned = self._world.in_odometry(np.array(site.xpos), rotation)
                yield GraspTarget(position, turned, _WIDTH_M, above)

    def _spots(self, region: Region, thing: str, *, front: bool) -> Iterator[Placement]:
        body = self._world.data.body(region.body)
        matrix = body.xmat.reshape(3, 3)
        floor = region.centre[2] - region.half[2]
        wide = self._world.scene.things[thing].extent[0] if thing else _HAND_M
        inward = self._world.in_odometry(np.zeros(3), matrix)[1][:2, 0] if front else None
        xs = [0.0] if front else np.linspace(-1, 1, _GRID) * max(region.half[0] - _EDGE_M, 0.0)
        for x in xs:
            for y in np.linspace(-1, 1, _GRID) * max(
                region.half[1] - max(wide, _HAND_M) - 0.04, 0.0
            ):
                local = np.array([region.centre[0] + x, region.centre[1] + y, floor])
                at = body.xpos + matrix @ local
                if self._is_free(at, wide, thing):
                    yield Placement(self._moved(at), wide, 2 * region.half[2], inward)

    def _is_free(self, at: Array, wide: float, but: str) -> bool:
        others = (name for name in self._world.movable if name != but)
        things = self._world.scene.things
        return all(
            math.dist(self._world.at(name)[:2], at[:2]) > wide + things[name].extent[0]
            for name in others
            if abs(float(self._world.at(name)[2] - at[2])) < 0.5
        )


def _rotations(grasp: Grasp, frame: Array) -> Iterator[Array]:
    """Rotations of the palm: the site's own, or from above and tilted about the closing axis."""
    if not grasp.above:
        yield frame
        return
    for axis in grasp.closing or "xy":
        closing = frame[:, "xyz".index(axis)]
        along = np.cross(closing, (0.0, 0.0, 1.0))
        for tilt in _TILTS:
            yield hand_rotation(
                math.sin(tilt) * along - math.cos(tilt) * np.array([0.0, 0.0, 1.0]), closing
            )
