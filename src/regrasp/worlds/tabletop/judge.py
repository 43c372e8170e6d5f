"""The judge of a tabletop: true facts, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import ClassVar

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.tabletop.world import CAMERAS, TabletopWorld

__all__ = ["TabletopJudge"]

_LEVEL_M = 0.006  # largest distance of an object's lowest point from the top below it
_CORNERS = 0.9 * np.array(list(product((-1, 1), repeat=3)))  # of a box, just within it
_EDGE_M = 0.002  # how far its centre may be past the edge of that top


class TabletopJudge(WorldJudge):
    """Predicates, with x for a block and y for a block, the fixture or the table:

    on(x, y): x touches y, its lowest point is at y's top and its middle over it, and it is not
    held; holding(x): the cup holds it; handempty(); stacked(x, …): each is on the one
    before; upright(x), visible(x).
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS

    def __init__(self, world: TabletopWorld) -> None:
        super().__init__(world)
        self._table = world
        self._predicates = {
            "on": self._on,
            "holding": self._holding,
            "handempty": lambda: not world.cup.holds,
            "stacked": lambda *blocks: all(self._on(x, y) for y, x in pairwise(blocks)),
            "upright": self._upright,
            "visible": self._visible,
        }

    def _facts(self) -> Iterator[Fact]:
        things = self._table.scene.things.values()
        blocks = [thing.name for thing in things if thing.movable]
        yield Fact("handempty")
        for x in blocks:
            yield from (Fact.of(p, x) for p in ("holding", "visible", "upright"))
            yield from (Fact.of("on", x, y.name) for y in things if y.name != x)

    def _holding(self, thing: str) -> bool:
        self._at(thing)
        return self._table.cup.holds == thing

    def _on(self, thing: str, place: str) -> bool:
        things = self._table.scene.things
        if thing in things and (not things[thing].movable or self._holding(thing)):
            return False
        return min(self.margins(thing, place)) >= 0 and place in self._touching(thing)

    def margins(self, thing: str, place: str) -> tuple[float, float]:
        """Margins (m) by which an object is level with a place's top, and over it; below 0: not."""
        things, data = self._table.scene.things, self._table.data
        for name in (thing, place):
            if name not in things:
                raise UnknownNameError("thing", name, things)
        lowest = self._at(thing)[2] - self._half_height(thing)
        if things[place].movable:
            top = self._at(place)[2] + self._half_height(place)
        else:
            top = data.site(things[place].place).xpos[2]
        return float(_LEVEL_M - abs(lowest - top)), self._over(thing, place)

    def _points(self, thing: str) -> Sequence[Array]:
        """See `WorldJudge._points`: a fixed object may also be visible at its corners.

        A block on a fixture covers its centre but not its rim.
        """
        points = [*super()._points(thing)]
        if not self._table.scene.things[thing].movable:
            model, data = self._table.model, self._table.data
            for geom in self._shapes(thing):
                corners = _CORNERS * model.geom_size[geom] @ data.geom_xmat[geom].reshape(3, 3).T
                points += list(data.geom_xpos[geom] + corners)
        return points

    def _half_height(self, block: str) -> float:
        wide, high = self._table.scene.things[block].extent
        rotation = self._table.data.body(block).xmat.reshape(3, 3)
        return float(np.abs(rotation[2]) @ np.array([wide, wide, high]))

    def _over(self, thing: str, place: str) -> float:
        """How far an object's centre is within a place, seen from above (m)."""
        scene, body = self._table.scene, self._table.data.body(place)
        rotation = body.xmat.reshape(3, 3)
        away = rotation.T @ (self._at(thing) - body.xpos)
        if scene.things[place].movable:
            wide, high = scene.things[place].extent
            half = np.array([wide, wide, high])
            upward = int(np.argmax(np.abs(rotation[2])))
            level = [axis for axis in range(3) if axis != upward]
        else:
            region = scene.tops[place]
            away, half, level = away - np.array(region.centre), np.array(region.half), [0, 1]
        return float(np.min(half[level] + _EDGE_M - np.abs(away[level])))
