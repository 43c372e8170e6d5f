"""The judge of the walker's room: what is so, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.walker import BASE, HANDS
from regrasp.worlds.walker_room.tasks import OBSTACLE
from regrasp.worlds.walker_room.world import CAMERAS, WalkerWorld

__all__ = ["AHEAD_M", "ASIDE_M", "FLOOR", "SIDES", "WalkerJudge"]

FLOOR, SIDES = "floor", ("left", "right")
AHEAD_M, ASIDE_M = 1.1, 0.40
"""How far ahead, and how far to either side, an obstacle is in front of the walker."""
_AT_M = 0.60  # from the edge of a table, or from the middle of a gate


class WalkerJudge(WorldJudge):
    """Predicates, with x for the box and y for a table: those of `WorldJudge`, and

    holding(x): both hands hold it; handempty(); standing(), fallen(): whether the walker lies;
    at(y): it is near a table or the gate; clear(s): nothing is before it on the left or right;
    y may be `floor` for on(x, y).
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS

    def __init__(self, world: WalkerWorld) -> None:
        super().__init__(world)
        self._room = world
        self._predicates |= {
            "handempty": lambda: not world.holding,
            "fallen": lambda: world.fallen,
            "standing": lambda: not world.fallen,
            "at": self._is_at,
            "clear": self._clear,
        }

    def _facts(self) -> Iterator[Fact]:
        yield Fact("handempty")
        yield Fact("fallen")
        things = self._room.scene.things.values()
        yield from (Fact.of("at", thing.name) for thing in things if not thing.movable)
        yield from (Fact.of("on", thing.name, FLOOR) for thing in things if thing.movable)
        yield from super()._facts()

    def observe(self, fact: Fact) -> bool | None:
        """See `WorldJudge.observe`. What it holds, where it is and what is before it, it sees."""
        if fact.predicate in ("holding", "handempty", "at", "clear"):
            return self._true(fact)
        return super().observe(fact)

    def _on(self, thing: str, place: str) -> bool:
        if place != FLOOR:
            return super()._on(thing, place)
        return not self._holding(thing) and "world" in self._touching(thing)

    def _is_at(self, place: str) -> bool:
        """Whether the walker is near a place, as seen from above."""
        return self.nearer(place) > 0.0

    def nearer(self, place: str) -> float:
        """How much nearer to a place than need be the walker is to be at it (m)."""
        away = self._seen(self._at(place))
        top = self._room.scene.tops.get(place)
        reach = _AT_M + (float(np.hypot(*top.half[:2])) if top is not None else 0.0)
        return reach - float(np.linalg.norm(away))

    def _clear(self, side: str) -> bool:
        """Whether no obstacle is close before the walker on a side."""
        return not self.before(side)

    def before(self, side: str, more: float = 0.0) -> tuple[str, ...]:
        """The obstacles that are close before the walker on a side, give or take `more` (m)."""
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

    def _seen(self, point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How far ahead of the walker and how far to its left (m) a point is."""
        base = self._room.data.body(BASE)
        x, y = base.xmat.reshape(3, 3)[:2, 0]
        along = np.array([[x, y], [-y, x]]) / max(float(np.hypot(x, y)), 1e-9)
        return np.asarray(along @ (point[:2] - base.xpos[:2]))

    def _holding(self, thing: str) -> bool:
        self._at(thing)
        return self._room.holding == thing

    def _supported(self, thing: str) -> bool:
        return bool(self._touching(thing) - set(HANDS))
