"""What the robot's cameras show, counted in pixels of geoms. Ground truth; not for agents."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.worlds.household.rooms import BOARDS
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import CAMERAS
from regrasp.worlds.kit.scene import Region
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["Clue", "HouseholdSight"]

_EDGE = 112  # pixels along the edge of the counted images
_SMALL, _LARGE = 0.0008, 0.03  # smallest share of an image that shows an object; furniture
_DOOR = 0.02  # its doors
_PART = 0.0004  # a part: a lamp, the water in a mug
_HAND = 0.01  # the hand
_FROM_ABOVE = 0.35  # sine of the smallest angle at which the inside of a vessel is visible
_TOP = 0.6  # share of a surface in the image needed to decide that an object is not on it
_GRID = np.linspace(-0.9, 0.9, 7)  # sample points of a surface, in half sizes
_CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


class Clue(StrEnum):
    """What an image can show of a household."""

    THING = "thing"  # an object, a piece of furniture, a floor or the water, large enough
    PART = "part"  # a named geom: a lamp, the water in a mug
    BRIM = "brim"  # a vessel from above, so that it shows whether it is full
    DOOR = "door"  # the doors of a receptacle, not only a wall of it
    TOP = "top"  # most of a surface, so that an object not visible on it is not on it
    INSIDE = "inside"  # the objects in a receptacle, or that it is empty
    HAND = "hand"  # the robot's own hand


class HouseholdSight:
    """Counts pixels of the present state; each state is traced once."""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world = world
        self._renderer = RaycastRenderer(world.model, shadows=False)
        self._key: bytes = b""
        self._shares: Array = np.zeros((len(CAMERAS), world.model.ngeom))
        self._names = [world.model.geom(i).name for i in range(world.model.ngeom)]

    def shows(self, clue: Clue, name: str) -> bool:
        """Whether a camera of the robot shows it."""
        return bool(self.shown(clue, name).max() >= 1.0)

    def shown(self, clue: Clue, name: str) -> Array:
        """How well each camera shows it, relative to the threshold (cameras,): 1 is enough."""
        match clue:
            case Clue.THING:
                return self._thing(name)
            case Clue.PART:
                return self._share([named == name for named in self._names]) / _PART
            case Clue.HAND:
                return self._share(self._of_bodies("hand", "finger_left", "finger_right")) / _HAND
            case Clue.BRIM:
                detail = (self._from_above(name) / _FROM_ABOVE) ** 2
            case Clue.DOOR:
                detail = self._share(self._doors(name)) / _DOOR
            case Clue.TOP:
                detail = (self._within(self._world.scene.tops[name]) / _TOP) ** 2
            case Clue.INSIDE:
                inner = self._inner_geoms(self._world.scene.insides[name])
                detail = self._share(inner) / (_LARGE / 2)
        return np.asarray(np.minimum(self._thing(name), detail))

    def framed(self, name: str) -> Array:
        """The share of an object's outline inside each camera's image."""
        model, data, mine = self._world.model, self._world.data, self._geoms(name)
        box = model.geom_aabb[mine]
        corners = box[:, None, :3] + _CORNERS * box[:, None, 3:]
        turned = np.einsum("gij,gkj->gki", data.geom_xmat[mine].reshape(-1, 3, 3), corners)
        return self._framed((turned + data.geom_xpos[mine][:, None]).reshape(-1, 3))

    def count(self, ids: Sequence[npt.NDArray[np.int32]]) -> None:
        """Use geom ids that were already traced for each camera's image."""
        for row, seen in enumerate(ids):
            counted = np.bincount(seen[seen >= 0], minlength=self._world.model.ngeom)
            self._shares[row] = counted / seen.size
        self._key = self._state()

    def _thing(self, name: str) -> Array:
        world = self._world
        if name not in world.scene.things:  # a liquid
            wet = [f"{thing}_water" for thing in (*world.movable, "sink")]
            return np.asarray(np.max([self.shown(Clue.PART, part) for part in wet], axis=0))
        thing = world.scene.things[name]
        if thing.kind == "floor":
            x, y, _ = world.body.base
            here = world.room_at(float(x), float(y)) in world.rooms_of(name)
            return self._share(self._floor_geoms()) / _LARGE * here
        return self._share(self._geoms(name)) / (_SMALL if thing.movable else _LARGE)

    def _from_above(self, vessel: str) -> Array:
        """The sine of the angle from which each camera looks down on a vessel."""
        data = self._world.data
        lines = np.array([data.camera(c).xpos - data.body(vessel).xpos for c in CAMERAS])
        up = data.body(vessel).xmat.reshape(3, 3)[:, 2]
        return np.asarray(np.maximum(lines @ up / np.linalg.norm(lines, axis=1), 0.0))

    def _within(self, region: Region) -> Array:
        """The share of a region's floor that is within each camera's picture."""
        data = self._world.data
        x, y = (axis.ravel() for axis in np.meshgrid(_GRID, _GRID))
        spots = np.stack([x, y, np.full_like(x, -1.0)], axis=1) * region.half + region.centre
        body = data.body(region.body)
        return self._framed(spots @ body.xmat.reshape(3, 3).T + body.xpos)

    def _framed(self, points: Array) -> Array:
        """The share of some points (n, 3) that is within each camera's picture."""
        model, data = self._world.model, self._world.data
        shares = []
        for name in CAMERAS:
            camera, slope = data.camera(name), np.tan(np.radians(model.camera(name).fovy[0]) / 2)
            seen = (points - camera.xpos) @ camera.xmat.reshape(3, 3)  # it looks along -z
            shares.append(np.mean(np.abs(seen[:, :2]).max(axis=1) < -seen[:, 2] * slope))
        return np.array(shares)

    def _share(self, mine: npt.ArrayLike) -> Array:
        """The share of each camera's picture that some geoms (ngeom,) have."""
        return np.asarray(self._counted()[:, np.asarray(mine, bool)].sum(axis=1))

    def _of_bodies(self, *names: str) -> npt.NDArray[np.bool_]:
        model = self._world.model
        return np.isin(model.geom_bodyid, [model.body(name).id for name in names])

    def _geoms(self, name: str) -> npt.NDArray[np.bool_]:
        model, world = self._world.model, self._world
        if not world.there(name):
            return self._of_bodies(*world.parts(name))
        thing = world.scene.things[name]
        body = model.site_bodyid[model.site(thing.site).id]
        if thing.movable or thing.of:
            return np.asarray(model.geom_bodyid == body)
        return np.asarray(model.body_rootid[model.geom_bodyid] == body)

    def _doors(self, place: str) -> npt.NDArray[np.bool_]:
        model = self._world.model
        bodies = [model.joint(door).bodyid[0] for door in self._world.doors(place)]
        return np.isin(model.geom_bodyid, bodies)

    def _inner_geoms(self, region: Region) -> npt.NDArray[np.bool_]:
        """The back wall and floor of a receptacle, which only an open door shows.

        They are the geoms whose middle is behind the front by half the receptacle's depth or more.
        """
        model = self._world.model
        own = model.geom_bodyid == model.body(region.body).id
        back = model.geom_pos[:, 0] + 0.02 >= region.centre[0] + region.half[0] - 0.04
        low = np.abs(model.geom_pos[:, 2] - (region.centre[2] - region.half[2])) < 0.035
        return np.asarray(own & (back | low))

    def _floor_geoms(self) -> npt.NDArray[np.bool_]:
        return np.array([name == "floor" or name.startswith(BOARDS) for name in self._names])

    def _state(self) -> bytes:
        data = self._world.data
        return bytes(data.qpos.tobytes() + data.userdata.tobytes())

    def _counted(self) -> Array:
        if self._state() != self._key:
            data, look = self._world.data, self._renderer.segment
            self.count([look(data, camera, _EDGE, _EDGE) for camera in CAMERAS])
        return self._shares
