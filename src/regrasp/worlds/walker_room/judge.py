"""The judge of the walker's room: what is so, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.walker import HANDS
from regrasp.worlds.walker_room.world import CAMERAS, WalkerWorld
from regrasp.worlds.world import Fact

__all__ = ["WalkerJudge"]


class WalkerJudge(WorldJudge):
    """Predicates, with x for the box and y for a table: those of `WorldJudge`, and

    holding(x): both hands hold it; handempty(); fallen(): the walker lies.
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS

    def __init__(self, world: WalkerWorld) -> None:
        super().__init__(world)
        self._room = world
        self._predicates |= {
            "handempty": lambda: not world.holding,
            "fallen": lambda: world.fallen,
        }

    def _facts(self) -> Iterator[Fact]:
        yield ("handempty",)
        yield ("fallen",)
        yield from super()._facts()

    def _holding(self, thing: str) -> bool:
        self._at(thing)
        return self._room.holding == thing

    def _supported(self, thing: str) -> bool:
        return bool(self._touching(thing) - set(HANDS))
