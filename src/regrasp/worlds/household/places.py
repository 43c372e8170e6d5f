"""Poses of the robot for work on an object, its view there, and free spots to put objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import HEAD_M

__all__ = ["Places", "Viewpoint"]

_BEFORE_DOOR, _BEFORE = 1.0, 0.62  # m to the front of furniture with and without doors
_BEFORE_THING = (0.66, 0.6, 0.74, 0.8)  # m to an object on the floor
_PATCH = (0.54, 0.10)  # where on the floor the robot looks, in its frame: ahead, to the left
_SHOWN = {
    "cabinet": 1.25,
    "microwave": 1.05,
    "oven": 1.15,
    "refrigerator": 1.55,
    "sink": 0.95,
    "counter": 1.20,
    "table": 1.15,
    "floor": 0.95,
}  # m of the picture's width for each kind of place
_ASIDE = 0.30  # m: largest sideways offset from the middle of the furniture
_STEP = 0.02  # m between candidate positions
_DRAWN = np.array([1, 1, 1, 0, 0, 0], np.uint8)
_GAP = 0.015  # m between objects side by side


@dataclass(frozen=True, slots=True, eq=False)
class Viewpoint:
    """The robot's pose (x, y, yaw), the point it looks at, and the width of its view (m)."""

    pose: tuple[float, float, float]
    focus: Array
    width: float


class Places:
    """Finds places in the present state of a household."""

    def __init__(self, world: HouseholdWorld, floor_map: FloorMap) -> None:
        self._world, self._map = world, floor_map

    # ---- where things are ----------------------------------------------------------------------

    def furniture_of(self, thing: str) -> str:
        """The piece of furniture that an object is in or on; empty for none."""
        world, scene = self._world, self._world.scene
        if not scene.things[thing].movable:
            return thing
        around = [*scene.insides.items(), *scene.tops.items()]
        fixed = [(name, region) for name, region in around if not scene.things[name].movable]
        return next((name for name, region in fixed if world.within(thing, region)), "")

    # ---- where to stand ------------------------------------------------------------------------

    def viewpoint(self, name: str) -> Viewpoint:
        """The viewpoint for an object, a piece of furniture or a floor."""
        world = self._world
        thing = world.scene.things[name]
        if thing.kind == "floor":
            return self._on_floor(name)
        shown = next(iter(world.parts(name)), name)
        home = self.furniture_of(shown)
        at = world.at(shown)
        if home:
            pose = self._before(home, at if thing.movable else world.at(home))
            kind = world.scene.things[home].kind
            width = _SHOWN.get(kind, 1.2)
            return Viewpoint(
                pose, at, min(max(0.5, 4.0 * max(thing.extent)), width) if thing.movable else width
            )
        size = max(thing.extent)
        return Viewpoint(self._around(at[:2], shown), at, max(0.5, 5.0 * size))

    def _before(self, home: str, at: Array) -> tuple[float, float, float]:
        """In front of furniture: at its front if it has one, else at the nearest free side."""
        world, kind = self._world, self._world.scene.things[home].kind
        body = world.data.body(home)
        axes = body.xmat.reshape(3, 3)
        if kind != "table":
            away = _BEFORE_DOOR if world.doors(home) else _BEFORE
            aside = float(np.clip(axes[:2, 1] @ (at[:2] - body.xpos[:2]), -_ASIDE, _ASIDE))
            spot = body.xpos[:2] - away * axes[:2, 0] + aside * axes[:2, 1]
            return float(spot[0]), float(spot[1]), math.atan2(axes[1, 0], axes[0, 0])
        half = world.scene.tops[home].half
        sides = [(s * axes[:2, i], half[i]) for i in (0, 1) for s in (1.0, -1.0)]
        base = world.body.base[:2]
        spots = [(body.xpos[:2] + (far + 0.5) * outward, outward) for outward, far in sides]
        spots.sort(key=lambda one: float(np.linalg.norm(one[0] - base)))
        free = [(spot, outward) for spot, outward in spots if self._map.free(*spot)]
        spot, outward = (free or spots)[0]
        return float(spot[0]), float(spot[1]), math.atan2(-outward[1], -outward[0])

    def _around(self, at: Array, thing: str) -> tuple[float, float, float]:
        """Near a point of the floor, preferably on the robot's present side."""
        base = self._world.body.base
        first = math.atan2(base[1] - at[1], base[0] - at[0])
        turns = sorted(np.linspace(-math.pi, math.pi, 24, endpoint=False), key=abs)
        poses: list[tuple[float, float, float]] = []
        for away in _BEFORE_THING:
            for turn in turns:
                angle = first + turn
                x, y = at[0] + away * math.cos(angle), at[1] + away * math.sin(angle)
                if self._map.free(x, y):
                    # The object should be slightly to the left: the hand is on the right.
                    poses.append((float(x), float(y), float(angle + math.pi - 0.1)))
        seen = (pose for pose in poses if self._sees(pose, self._world.at(thing), thing))
        nowhere = (float(base[0]), float(base[1]), first + math.pi)
        return next(seen, poses[0] if poses else nowhere)

    def _sees(self, pose: tuple[float, float, float], point: Array, thing: str = "") -> bool:
        """Whether a head over `pose` has a free line of sight to a point or the object there."""
        world, hit = self._world, np.array([-1], np.int32)
        eye = np.array([*_ahead(*pose, HEAD_M[0], 0.0), HEAD_M[2]])
        line = point - eye
        far = mujoco.mj_ray(world.model, world.data, eye, line, _DRAWN, True, -1, hit, None)
        if thing and hit[0] >= 0:
            return bool(world.model.geom_bodyid[hit[0]] == world.model.body(thing).id)
        return bool(far < 0 or far > 0.93)  # in lengths of the line

    def _on_floor(self, name: str) -> Viewpoint:
        """The nearest pose in the rooms of a floor with free floor in front."""
        world, base = self._world, self._world.body.base
        rooms = [world.rooms[room] for room in world.rooms_of(name)]
        here = [room for room in rooms if room.holds(base[0], base[1])] or rooms[:1]
        spots = [
            (x, y)
            for room in here
            for x in np.arange(room.left + 0.6, room.right - 0.5, 0.15)
            for y in np.arange(room.near + 0.7, room.far - 0.5, 0.15)
        ]
        spots.sort(key=lambda spot: math.dist(spot, base[:2]))
        for x, y in spots:
            for turn in (0.0, 0.8, -0.8, 1.6, -1.6, 2.4, -2.4, 3.1):
                yaw = float(base[2]) + turn
                patch = _ahead(x, y, yaw, *_PATCH)
                if self._map.free(x, y) and self._map.clearance(*patch) >= 0.30:
                    focus = np.array([*patch, 0.0])
                    return Viewpoint((float(x), float(y), yaw), focus, _SHOWN["floor"])
        x, y, yaw = (float(value) for value in base)
        return Viewpoint((x, y, yaw), np.array([*_ahead(x, y, yaw, *_PATCH), 0.0]), _SHOWN["floor"])

    # ---- where to put --------------------------------------------------------------------------

    def spot(self, thing: str, place: str) -> Array:
        """The free point (3,) for an object's centre, nearest to the default spot of a place."""
        world, scene = self._world, self._world.scene
        region = (scene.insides | scene.tops)[place]
        target = world.data.site(scene.things[place].place)
        frame = world.data.body(region.body)
        axes = frame.xmat.reshape(3, 3)
        wide, half = scene.things[thing].extent
        long = wide + 0.005
        radius = long if scene.things[thing].kind != "stick" else 0.05
        centre, room = np.array(region.centre), np.array(region.half)
        start = axes.T @ (target.xpos - frame.xpos)
        margin = np.array([min(radius, room[0] - 0.01), min(long, room[1] - 0.01)])
        low, high = centre[:2] - room[:2] + margin, centre[:2] + room[:2] - margin
        near = [t for t in world.movable if t not in (thing, place) and world.there(t)]
        others = [
            (axes.T @ (world.at(t) - frame.xpos), radius + self._radius(t) + _GAP)
            for t in near
            if world.within(t, region)
        ]
        best = np.clip(start[:2], low, high)
        for x, y in _spiral(best, low, high):
            if all(math.dist((x, y), other[:2]) >= apart for other, apart in others):
                best = np.array([x, y])
                break
        return np.asarray(frame.xpos + axes @ np.array([*best, start[2]]) + [0, 0, half + 0.004])

    def floor_spot(self, thing: str, rng: np.random.Generator | None = None) -> Array:
        """A free point of the floor in front of the robot, to its left, in view of its camera."""
        wide, half = self._world.scene.things[thing].extent
        x, y, yaw = self._world.body.base
        radii, turns = np.linspace(0.50, 0.66, 5), np.linspace(0.1, 1.2, 12)
        choices = [(r, t) for t in turns for r in radii]
        if rng is not None:
            choices = [choices[i] for i in rng.permutation(len(choices))]
        best, most = choices[0], -1.0
        for r, t in choices:
            spot = (x + r * math.cos(yaw + t), y + r * math.sin(yaw + t))
            room = self._map.clearance(*spot)
            if not self._sees((x, y, yaw), np.array([*spot, 2 * half])):
                room *= 0.5  # under an open door, for one
            elif room >= max(wide, half) + 0.03:
                best = (r, t)
                break
            if room > most:
                best, most = (r, t), room
        r, t = best
        return np.array([x + r * math.cos(yaw + t), y + r * math.sin(yaw + t), half + 0.004])

    def _radius(self, thing: str) -> float:
        found = self._world.scene.things[thing]
        return 0.05 if found.kind == "stick" else found.extent[0]


def _ahead(x: float, y: float, yaw: float, ahead: float, left: float) -> tuple[float, float]:
    return (
        float(x + ahead * math.cos(yaw) - left * math.sin(yaw)),
        float(y + ahead * math.sin(yaw) + left * math.cos(yaw)),
    )


def _spiral(start: Array, low: Array, high: Array) -> Iterator[tuple[float, float]]:
    """Points of a rectangle, the nearest to `start` first."""
    xs = np.arange(low[0], max(high[0], low[0]) + 1e-9, _STEP)
    ys = np.arange(low[1], max(high[1], low[1]) + 1e-9, _STEP)
    points = [(float(start[0]), float(start[1])), *((float(x), float(y)) for x in xs for y in ys)]
    return iter(sorted(points, key=lambda p: math.dist(p, (start[0], start[1]))))
