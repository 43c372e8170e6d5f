"""The judge of the walker's room: true facts, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.walker import BASE, HANDS
from regrasp.worlds.walker_room.tasks import OBSTACLE
from regrasp.worlds.walker_room.world import CAMERAS, WalkerWorld

__all__ = ["AHEAD_M", "ASIDE_M", "FLOOR", "SIDES", "WalkerJudge"]

FLOOR, SIDES = "floor", ("left", "right")
AHEAD_M, ASIDE_M = 1.1, 0.40
"""The largest distance ahead, and to either side, of an obstacle in front of the walker."""
_AT_M = 0.60  # from the edge of a table, or from the middle of a gate


class WalkerJudge(WorldJudge):
    """Predicates, with x for the box and y for a table: those of `WorldJudge`, and

    holding(x): both hands hold it; handempty(); standing(), fallen(): the walker's posture;
    at(y): it is near a table or the gate; clear(s): no obstacle in front on the left or right;
    y may be `floor` for on(x, y); nobody is at(floor), which is no place to walk to.
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS

    def __init__(self, world: WalkerWorld) -> None:
        super().__init__(world)
        self._room = world
        self._predicates |= {
            "handempty": lambda: not world.holding,
            "fallen": lambda: world.fallen,
            "standing": lambda: not world.fallen,
            "at": lambda place: place != FLOOR and self.nearer(place) > 0.0,
            "clear": lambda side: not self.before(side),
        }

    def _facts(self) -> Iterator[Fact]:
        yield Fact("handempty")
        yield Fact("fallen")
        things = self._room.scene.things.values()
        yield from (Fact.of("at", thing.name) for thing in things if not thing.movable)
        yield from (Fact.of("on", thing.name, FLOOR) for thing in things if thing.movable)
        yield from super()._facts()

    def observe(self, fact: Fact) -> bool | None:
        """See `WorldJudge.observe`. Holding, place and obstacles in front are always observable."""
        if fact.predicate in ("holding", "handempty", "at", "clear"):
            return self._true(fact)
        return super().observe(fact)

    def _on(self, thing: str, place: str) -> bool:
        if place != FLOOR:
            return super()._on(thing, place)
        return not self._holding(thing) and "world" in self._touching(thing)

    def nearer(self, place: str) -> float:
        """The margin (m) by which the walker is near enough to a place, as seen from above."""
        away = self._seen(self._at(place))
        top = self._room.scene.tops.get(place)
        reach = _AT_M + (float(np.hypot(*top.half[:2])) if top is not None else 0.0)
        return reach - float(np.linalg.norm(away))

    def before(self, side: str, more: float = 0.0) -> tuple[str, ...]:
        """The obstacles close in front of the walker on a side; `more` (m) widens the area."""
        if side not in SIDES:
            raise UnknownNameError("side", side, SIDES)
        model, data = self._room.model, self._room.data
        sign, found = 1.0 if side == "left" else -1.0, []
        for body in range(model.nbody):
            if not model.body(body).name.startswith(OBSTACLE):
                continue
            ahead, aside = self._seen(data.xpos[body]) * np.array([1.0, sign])
            if -more < ahead < AHEAD_M + more and -more <= aside < ASIDE_M + more:
                found.append(str(model.body(body).name))
        return tuple(found)

    def _seen(self, point: Array) -> Array:
        """A point relative to the walker: distance ahead and to the left (m)."""
        base = self._room.data.body(BASE)
        x, y = base.xmat.reshape(3, 3)[:2, 0]
        along = np.array([[x, y], [-y, x]]) / max(float(np.hypot(x, y)), 1e-9)
        return np.asarray(along @ (point[:2] - base.xpos[:2]))

    def _holding(self, thing: str) -> bool:
        self._at(thing)
        return self._room.holding == thing

    def _supported(self, thing: str) -> bool:
        return bool(self._touching(thing) - set(HANDS))
