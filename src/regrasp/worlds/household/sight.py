"""What the robot's cameras show, counted in pixels of geoms: ground truth, behind the wall."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.worlds.household.rooms import BOARDS
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import CAMERAS
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["HouseholdSight"]

_EDGE = 112  # pixels along the edge of the pictures that are counted
_SMALL, _LARGE = 0.0008, 0.03  # shares of a picture that show a thing; a piece of furniture
_PART = 0.0004  # and a part: a lamp, the water in a mug
_FROM_ABOVE = 0.35  # sine of the angle from which on one sees into a vessel

Counts = npt.NDArray[np.float64]


class HouseholdSight:
    """Counts pixels of the present state; the same state is traced once."""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world = world
        self._renderer = RaycastRenderer(world.model, shadows=False)
        self._key: bytes = b""
        self._shares: Counts = np.zeros((len(CAMERAS), world.model.ngeom))
        self._names = [world.model.geom(i).name for i in range(world.model.ngeom)]

    def inview(self, name: str) -> bool:
        """Whether a camera of the robot shows a thing, a floor or the water well enough."""
        world = self._world
        if name not in world.scene.things:  # a liquid
            return any(self.part(f"{thing}_water") for thing in (*world.movable, "sink"))
        thing = world.scene.things[name]
        if thing.kind == "floor":
            x, y, _ = world.body.base
            here = world.room_at(float(x), float(y)) in world.rooms_of(name)
            return here and self._share(self._floor_geoms()) >= _LARGE
        return self._share(self._geoms(name)) >= (_SMALL if thing.movable else _LARGE)

    def part(self, geom: str) -> bool:
        """Whether a camera shows a named geom."""
        mine = np.array([name == geom for name in self._names])
        return self._share(mine) >= _PART

    def shows_brim(self, vessel: str) -> bool:
        """Whether a camera looks into a vessel from above, so that it shows if it is full."""
        world = self._world
        body = world.data.body(vessel)
        seen = self._counted()[:, self._geoms(vessel)].sum(axis=1) >= _SMALL
        for camera in (name for name, sees in zip(CAMERAS, seen, strict=True) if sees):
            line = world.data.camera(camera).xpos - body.xpos
            if line @ body.xmat.reshape(3, 3)[:, 2] > _FROM_ABOVE * np.linalg.norm(line):
                return True
        return False

    def shows_inside(self, place: str) -> bool:
        """Whether a camera sees into a receptacle: pixels that lie within it, or on its walls."""
        region = self._world.scene.insides[place]
        return self._share(self._inner_geoms(region.body)) >= _LARGE / 2

    def _share(self, mine: npt.NDArray[np.bool_]) -> float:
        """The largest share of a picture that geoms have."""
        return float(self._counted()[:, mine].sum(axis=1).max(initial=0.0))

    def _geoms(self, name: str) -> npt.NDArray[np.bool_]:
        model, world = self._world.model, self._world
        if not world.there(name):
            bodies = [model.body(half).id for half in half_names(name)]
            return np.isin(model.geom_bodyid, bodies)
        body = model.body(name).id
        if world.scene.things[name].movable:
            return np.asarray(model.geom_bodyid == body)
        return np.asarray(model.body_rootid[model.geom_bodyid] == body)

    def _inner_geoms(self, body: str) -> npt.NDArray[np.bool_]:
        """The back wall and floor of a receptacle, which only an open door shows.

        They are the geoms whose middle is behind the front by half the receptacle's depth or more.
        """
        model = self._world.model
        number = model.body(body).id
        region = next(r for r in self._world.scene.insides.values() if r.body == body)
        own = model.geom_bodyid == number
        back = model.geom_pos[:, 0] + 0.02 >= region.centre[0] + region.half[0] - 0.04
        low = np.abs(model.geom_pos[:, 2] - (region.centre[2] - region.half[2])) < 0.035
        return np.asarray(own & (back | low))

    def _floor_geoms(self) -> npt.NDArray[np.bool_]:
        return np.array([name == "floor" or name.startswith(BOARDS) for name in self._names])

    def _counted(self) -> Counts:
        world = self._world
        key = world.data.qpos.tobytes() + world.data.userdata.tobytes()
        if key != self._key:
            for row, camera in enumerate(CAMERAS):
                ids = self._renderer.segment(world.data, camera, _EDGE, _EDGE)
                seen = np.bincount(ids[ids >= 0], minlength=world.model.ngeom)
                self._shares[row] = seen / _EDGE**2
            self._key = key
        return self._shares
