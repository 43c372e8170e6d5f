"""What a picture of a world with two hands shows: things, caps, levels, doors, lamps.

A thing is recognised by what tells it from others of its kind: the bands of a label, the staves of
a bowl, the rim of a glass. Enough pixels of it must be there, and a part of its outline.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.embedded.vision.picture import EDGE
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Ids, Shows, Visibility
from regrasp.worlds.kit.two_arms import SIDES
from regrasp.worlds.substances import SUBSTANCE_COLOURS
from regrasp.worlds.two_arms.kitchen import KitchenWorld, doors_of
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoHandsSight", "part"]

_SMALL, _LARGE = (2.0, 14.0), (8.0, 120.0)  # pixels: hidden below, visible from; things, furniture
_SHARE = 0.28  # of the outline of a thing that must be visible
_OUTLINE = 0.62  # of the rectangle around a projected box that its shape fills, about
_MARK = (1.0, 6.0)  # pixels of a mark, e.g. of each band of a label
_LEVEL_SHARE = 0.55  # of the outline, to see how full a vessel of glass is
_LAMP, _DOOR, _HAND = (1.0, 5.0), (10.0, 150.0), (20.0, 150.0)
_INSIDE_PX = (1.0, 8.0)  # of the contents or the bottom of an opaque vessel
_CAP_WINDOW = 1  # pixels around the middle of a cap
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_CLEAR = ("bottle", "glass")


def part(name: str, what: str) -> str:
    """The key of a part of a thing that a question needs to see."""
    return f"{name} {what}"


class TwoHandsSight:
    """Counts pixels of `room`; see `SceneSampler.shown`."""

    def __init__(self, room: VisionRoom, world: TwoArmWorld) -> None:
        self._world, model, scene = world, world.model, world.scene
        self._kitchen = world if isinstance(world, KitchenWorld) else None
        self._things = [n for n in room.spoken if n in scene.things and not scene.things[n].of]
        self._body = {
            n: int(model.site_bodyid[model.site(scene.things[n].site).id]) for n in self._things
        }
        named = {str(model.geom(g).name): g for g in range(model.ngeom)}
        self._marks = {n: _marks_of(n, named) for n in self._things}
        self._boxes = {n: self._box(n) for n in self._things if scene.things[n].movable}
        self._hands = {
            side: [b for b in range(model.nbody) if _of_hand(str(model.body(b).name), side)]
            for side in SIDES
        }

    def shown(self, ids: Ids) -> Shows:
        """The visibility of things and of their parts, by camera."""
        return {camera: self._shown(camera, seen) for camera, seen in ids.items()}

    def contrast(self, name: str) -> float:
        """The distance of the colour of a vessel's contents from that of its wall or bottom."""
        world = self._kitchen
        if world is None:
            return 0.0
        model, vessel = world.model, world.scene.vessels[name]
        if not world.liquids.contents(name):
            colour = self._usual(name)
        else:
            colour = model.geom_rgba[model.geom(vessel.fill).id][:3]
        wall = model.geom_rgba[self._wall(name)][:3]
        return float(np.linalg.norm(colour - wall))

    def _usual(self, name: str) -> Array:
        """The colour of what an empty vessel is for; far from any glass if it is for anything."""
        assert self._kitchen is not None
        substance = self._kitchen.scene.vessels[name].substance
        return np.array(SUBSTANCE_COLOURS[substance] if substance else (9.0, 9.0, 9.0))

    def _wall(self, name: str) -> int:
        """The geom that is seen where there are no contents."""
        model, kind = self._world.model, self._world.scene.things[name].kind
        first = int(model.body_geomadr[self._body[name]])
        # Of a dough the third shape, of a bottle the first; of a glass the second is a stave.
        nth = {"dough": 2, "bottle": 0, "glass": 1}
        if kind == "bowl" or (kind == "glass" and not self._is_clear(name)):
            return int(model.geom(f"{name}_base").id)
        return first + nth[kind]

    def _box(self, name: str) -> tuple[Array, Array]:
        """The box around the visible shapes of a thing, in its frame: middle and half sizes."""
        model = self._world.model
        geoms = np.flatnonzero((model.geom_bodyid == self._body[name]) & (model.geom_group < 3))
        centre, half = model.geom_pos[geoms], model.geom_aabb[geoms][:, 3:]
        low, high = (centre - half).min(axis=0), (centre + half).max(axis=0)
        return (low + high) / 2, (high - low) / 2

    # ---- one picture ---------------------------------------------------------------------------

    def _shown(self, camera: str, ids: npt.NDArray[np.int32]) -> dict[str, Visibility]:
        model, scene, edge = self._world.model, self._world.scene, len(ids)
        scale = (EDGE / edge) ** 2
        geoms = np.asarray(np.bincount(ids[ids >= 0], minlength=model.ngeom) * scale, float)
        bodies = np.asarray(np.bincount(model.geom_bodyid, geoms, minlength=model.nbody), float)
        roots = np.bincount(model.body_rootid[model.geom_bodyid], geoms, minlength=model.nbody)
        found: dict[str, Visibility] = {}
        share: dict[str, float] = {}
        for name, body in self._body.items():
            if not scene.things[name].movable:
                found[name] = _how(float(roots[model.body_rootid[body]]), _LARGE)
                continue
            pixels = float(bodies[body])
            found[name] = _how(pixels, _SMALL)
            if found[name] is not Visibility.YES:
                continue
            share[name] = pixels / max(self._outline(name, camera), 1.0)
            clear = share[name] >= _SHARE and all(
                geoms[mark].sum() >= _MARK[1] for mark in self._marks[name]
            )
            found[name] = Visibility.YES if clear else Visibility.DOUBTFUL
        for side, parts in self._hands.items():
            found[part(f"{side}_hand", "hand")] = _how(float(bodies[parts].sum()), _HAND)
        if self._kitchen is not None:
            self._show_parts(self._kitchen, camera, ids, geoms, bodies, share, found)
        return found

    def _show_parts(
        self,
        world: KitchenWorld,
        camera: str,
        ids: npt.NDArray[np.int32],
        geoms: Array,
        bodies: Array,
        share: dict[str, float],
        found: dict[str, Visibility],
    ) -> None:
        model, scene = world.model, world.scene
        for name, vessel in scene.vessels.items():
            if name not in self._body:
                continue
            if vessel.capped:
                found[part(name, "cap")] = self._cap(name, camera, ids)
            kind = scene.things[name].kind
            if kind in _CLEAR and self._is_clear(name):
                seen = share.get(name, 0.0)
                found[part(name, "level")] = (
                    Visibility.YES if seen >= _LEVEL_SHARE
                    else Visibility.HIDDEN if name not in share else Visibility.DOUBTFUL
                )  # fmt: skip
            else:
                fill = int(model.geom(vessel.fill).id)
                inner = fill if world.liquids.contents(name) else self._wall(name)
                found[part(name, "level")] = _how(float(geoms[inner]), _INSIDE_PX)
            if kind == "dough":
                crust = float(geoms[int(model.geom(f"{name}_crust").id)])
                found[part(name, "crust")] = _how(crust, _LAMP)
        for name in self._things:
            if doors_of(scene, name):
                leaves = [int(model.jnt_bodyid[model.joint(j).id]) for j in doors_of(scene, name)]
                found[part(name, "door")] = _how(float(bodies[leaves].sum()), _DOOR)
            if f"{name}_switch" in scene.joints:
                lamp = float(geoms[int(model.geom(f"{name}_lamp").id)])
                if scene.things[name].kind == "oven":
                    lamp += float(geoms[int(model.geom(f"{name}_back").id)]) / 4
                found[part(name, "lamp")] = _how(lamp, _LAMP)

    def _is_clear(self, name: str) -> bool:
        """Whether a vessel's contents are seen through its wall."""
        vessel = self._world.scene.vessels[name]
        return vessel.radius > self._world.scene.things[name].extent[0]

    def _cap(self, name: str, camera: str, ids: npt.NDArray[np.int32]) -> Visibility:
        """Whether the picture shows the place of a bottle's cap: with it, or the bare neck."""
        at = self._pixels(self._world.data.site(f"{name}_cap").xpos[None], camera, len(ids))
        if at is None:
            return Visibility.HIDDEN
        x, y = np.round(at[0]).astype(int)
        rows, columns = (
            slice(max(v - _CAP_WINDOW, 0), max(v + _CAP_WINDOW + 1, 0)) for v in (y, x)
        )
        window = ids[rows, columns]
        if window.size == 0:
            return Visibility.HIDDEN
        mine = self._world.model.geom_bodyid[window.clip(0)] == self._body[name]
        here = float((mine & (window >= 0)).mean())
        return _how(here, (0.05, 0.5))

    def _outline(self, name: str, camera: str) -> float:
        """About how many pixels a thing would have if nothing were in front of it."""
        centre, half = self._boxes[name]
        body = self._world.data.body(self._body[name])
        points = body.xpos + (centre + _CORNERS * half) @ body.xmat.reshape(3, 3).T
        at = self._pixels(points, camera, EDGE)
        return np.inf if at is None else _OUTLINE * _hull_area(at)

    def _pixels(self, points: Array, camera: str, edge: int) -> Array | None:
        """Points (n, 3) as columns and rows (n, 2) of a picture; None behind the camera."""
        data, model = self._world.data, self._world.model
        view = data.camera(camera)
        local = (points - view.xpos) @ view.xmat.reshape(3, 3)
        depth = -local[:, 2]
        if (depth < 0.05).any():
            return None
        focal = edge / 2 / np.tan(np.deg2rad(float(model.camera(camera).fovy[0])) / 2)
        across = np.stack([local[:, 0], -local[:, 1]], axis=1) / depth[:, None]
        return np.asarray(across * focal + edge / 2 - 0.5)


def _marks_of(name: str, named: dict[str, int]) -> list[npt.NDArray[np.intp]]:
    """Groups of geoms of each of which some pixels must be there."""
    bands = [named[key] for k in (0, 1) if (key := f"{name}_label{k}") in named]
    rim = [named[key] for k in range(10) if (key := f"{name}_band{k}") in named]
    return [np.array([geom], np.intp) for geom in (*bands,)] + (
        [np.array(rim, np.intp)] if rim else []
    )


def _of_hand(body: str, side: str) -> bool:
    return body == f"{side}_hand" or body.startswith(f"{side}_finger")


def _how(amount: float, limits: tuple[float, float]) -> Visibility:
    none, enough = limits
    if amount < none:
        return Visibility.HIDDEN
    return Visibility.YES if amount >= enough else Visibility.DOUBTFUL


def _hull_area(points: Array) -> float:
    """The area of the convex hull of points (n, 2), by Andrew's chain (Andrew 1979)."""
    order = sorted(map(tuple, points.tolist()))
    chain: list[tuple[float, ...]] = []
    for run in (order, order[::-1]):
        start = len(chain)
        for p in run:
            while len(chain) >= start + 2 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chain.pop()
    x, y = np.array(chain).T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
