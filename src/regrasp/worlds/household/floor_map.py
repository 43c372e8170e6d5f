"""The floor plan of a household: furniture and walls as rectangles, and paths around them.

A path is found on a grid of 10 cm (A*, Hart et al. 1968) and then shortened wherever the straight
line is free.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator
from typing import Protocol

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.worlds.household.rooms import Rect
from regrasp.worlds.kit.mobile import RADIUS_M
from regrasp.worlds.kit.scene import FIXED, Scene

__all__ = ["FloorMap"]

_CELL = 0.10
_MARGIN = 0.02  # m between the robot and any wall
_LOW, _HIGH = 0.03, 1.6  # m: a body between these heights is an obstacle
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)

Point = tuple[float, float]


class FloorWorld(Protocol):
    """A world with rooms, and objects that may lie on their floors."""

    model: mujoco.MjModel
    data: mujoco.MjData
    scene: Scene
    rooms: dict[str, Rect]
    movable: tuple[str, ...]

    @property
    def held(self) -> str:
        """The held object; empty for none."""
        ...

    def at(self, thing: str) -> Array:
        """The position of an object (3,)."""
        ...

    def there(self, thing: str) -> bool:
        """Whether an object exists."""
        ...


class FloorMap:
    """Distances and paths on the floor; each query uses the present positions of objects.

    `radius` (m) is that of the robot.
    """

    def __init__(self, world: FloorWorld, radius: float = RADIUS_M) -> None:
        self._world, self._clearance = world, radius + _MARGIN
        self._walls = np.array(list(_rectangles(world)))
        rooms = world.rooms.values()
        self._low = min(r.left for r in rooms), min(r.near for r in rooms)
        self._high = max(r.right for r in rooms), max(r.far for r in rooms)
        self._clear_cells = self._grid()

    def clearance(self, x: float, y: float) -> float:
        """Distance (m) to furniture, walls and objects on the floor; 0 inside them or outside."""
        nearest = float(np.hypot(*self._distances_to_walls(x, y)).min())
        for at, radius in self._objects_on_floor():
            nearest = min(nearest, max(math.dist(at, (x, y)) - radius, 0.0))
        inside = any(room.holds(x, y) for room in self._world.rooms.values())
        return nearest if inside else 0.0

    def free(self, x: float, y: float) -> bool:
        """Whether the robot has room at this point."""
        return self.clearance(x, y) >= self._clearance

    def path(self, start: Point, goal: Point) -> list[Point]:
        """A path for the robot, as points from `start` to `goal`, both included."""
        if self.line_is_free(start, goal):
            return [start, goal]
        cells = self._search(self._cell(start), self._cell(goal))
        points = [start, *(self._point(cell) for cell in cells[1:-1]), goal]
        path, at = [start], 0
        while at < len(points) - 1:
            farthest_first = range(len(points) - 1, at + 1, -1)
            at = next(
                (k for k in farthest_first if self.line_is_free(points[at], points[k])), at + 1
            )
            path.append(points[at])
        return path

    def _objects_on_floor(self) -> Iterator[tuple[Point, float]]:
        """Position and radius of the objects on the floor."""
        world = self._world
        for thing in world.movable:
            wide, half = world.scene.things[thing].extent
            x, y, z = world.at(thing)
            if world.there(thing) and thing != world.held and z < 2 * max(wide, half) + 0.05:
                yield (float(x), float(y)), max(wide, half)

    def _distances_to_walls(self, x: float, y: float) -> tuple[Array, Array]:
        """Distances (m) in x and in y to each wall and piece of furniture; 0 within it."""
        left, right, near, far = self._walls.T
        dx = np.maximum(np.maximum(left - x, x - right), 0.0)
        return dx, np.maximum(np.maximum(near - y, y - far), 0.0)

    def _clear_of_walls(self, x: float, y: float) -> bool:
        dx, dy = self._distances_to_walls(x, y)
        return bool((dx * dx + dy * dy).min() >= self._clearance**2)

    def line_is_free(self, start: Point, goal: Point) -> bool:
        """Whether the robot fits between furniture and walls on a straight line."""
        steps = max(int(math.dist(start, goal) / (_CELL / 2)), 1)
        line = np.linspace(start, goal, steps + 1)[1:-1]
        return all(self._clear_of_walls(float(x), float(y)) for x, y in line)

    def _cell(self, point: Point) -> tuple[int, int]:
        return tuple(round((s - low) / _CELL) for s, low in zip(point, self._low, strict=True))  # type: ignore[return-value]

    def _point(self, cell: tuple[int, int]) -> Point:
        return self._low[0] + cell[0] * _CELL, self._low[1] + cell[1] * _CELL

    def _grid(self) -> npt.NDArray[np.bool_]:
        """Whether the robot fits between furniture and walls, for every cell of the grid."""
        xs, ys = (
            np.arange(round((high - low) / _CELL) + 1) * _CELL + low
            for low, high in zip(self._low, self._high, strict=True)
        )
        clear = np.ones((len(xs), len(ys)), bool)
        for left, right, near, far in self._walls:
            dx = np.maximum(np.maximum(left - xs, xs - right), 0.0)[:, None]
            dy = np.maximum(np.maximum(near - ys, ys - far), 0.0)[None, :]
            clear &= dx * dx + dy * dy >= self._clearance**2
        return clear

    def _search(self, start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]]:
        """Cells from start to goal; a straight line if there is no path."""
        steps = [s for s in itertools.product((-1, 0, 1), repeat=2) if s != (0, 0)]
        cost, previous, clear = {start: 0.0}, {start: start}, self._clear_cells
        queue = [(math.dist(start, goal), start)]
        while queue:
            _, cell = heapq.heappop(queue)
            if cell == goal:
                break
            for dx, dy in steps:
                to = (cell[0] + dx, cell[1] + dy)
                outside = not (0 <= to[0] < clear.shape[0] and 0 <= to[1] < clear.shape[1])
                if outside or (to != goal and not clear[to]):
                    continue
                new = cost[cell] + math.hypot(dx, dy)
                if new < cost.get(to, math.inf):
                    cost[to], previous[to] = new, cell
                    heapq.heappush(queue, (new + math.dist(to, goal), to))
        if goal not in previous:
            return [start, goal]
        cells = [goal]
        while cells[-1] != start:
            cells.append(previous[cells[-1]])
        return cells[::-1]


def _rectangles(world: FloorWorld) -> Iterator[Array]:
    """(left, right, near, far) of every fixed geom between the heights _LOW and _HIGH."""
    model, data = world.model, world.data
    fixed = (model.geom_contype == FIXED["contype"]) & (
        model.geom_conaffinity == FIXED["conaffinity"]
    )
    still = model.body_weldid[model.geom_bodyid] == 0
    for geom in np.flatnonzero(fixed & still):
        local = model.geom_aabb[geom, :3] + _CORNERS * model.geom_aabb[geom, 3:]
        points = data.geom_xpos[geom] + local @ data.geom_xmat[geom].reshape(3, 3).T
        low, high = points.min(axis=0), points.max(axis=0)
        if high[2] > _LOW and low[2] < _HIGH:
            yield np.array([low[0], high[0], low[1], high[1]])
