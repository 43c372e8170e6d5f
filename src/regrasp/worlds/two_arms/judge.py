"""The judge of worlds with the two-armed robot: hands, supports and doors. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import mujoco
import numpy as np

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.two_arms import CAMERAS, HANDS
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoArmJudge"]

_LEVEL_M = 0.008  # largest gap between an object and what it stands on


class TwoArmJudge(WorldJudge):
    """Predicates, with h for a hand and x, y for objects: those of `WorldJudge`, and

    holding(h, x), holding(x): that hand, or any, holds it; free(h); on(x, y): y is directly below
    the middle of x, which is not held and touches it; inside(x, y): as there, and not held.
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS

    def __init__(self, world: TwoArmWorld) -> None:
        super().__init__(world)
        self._arms = world
        self._predicates |= {
            "holding": self._holds_it,
            "free": lambda hand: not self._held_by(hand),
            "handempty": lambda: not any(map(self._held_by, HANDS)),
            "inside": self._inside,
            "on": self._on,
        }

    def _facts(self) -> Iterator[Fact]:
        scene, movable = self._world.scene, self._movable()
        for hand in HANDS:
            held = self._held_by(hand)
            yield Fact.of("holding", hand, held) if held in movable else Fact.of("free", hand)
        for joint in scene.joints:
            yield from (Fact.of(p, joint) for p in ("open", "closed", "locked"))
        for x in movable:
            if support := self.support(x):
                yield Fact.of("on", x, support)
            yield from (Fact.of("inside", x, y) for y in scene.insides)
            yield from (Fact.of(p, x) for p in ("visible", "upright"))

    def observe(self, fact: Fact) -> bool | None:
        """See `WorldJudge.observe`. What the hands hold is always seen."""
        if fact.predicate in ("holding", "free", "handempty"):
            return self._true(fact)
        return super().observe(fact)

    def _held_by(self, hand: str) -> str:
        if hand not in HANDS:
            raise UnknownNameError("hand", hand, HANDS)
        return self._arms.grips[hand.removesuffix("_hand")].holds

    def _holds_it(self, *args: str) -> bool:
        hand, thing = args if len(args) == 2 else ("", *args)
        self._at(thing)
        return self._held_by(hand) == thing if hand else self._holding(thing)

    def _holding(self, thing: str) -> bool:
        return any(self._held_by(hand) == thing for hand in HANDS)

    def _inside(self, thing: str, place: str) -> bool:
        return self._within(thing, self._world.scene.insides, place) and not self._holding(thing)

    def _on(self, thing: str, place: str) -> bool:
        self._at(thing), self._at(place)
        return self.support(thing) == place

    def support(self, thing: str) -> str:
        """The place or the movable object that an object stands or lies on; empty for none."""
        if not self._world.scene.things[thing].movable or self._holding(thing):
            return ""
        below, gap = self.beneath(thing)
        return below if gap <= _LEVEL_M else ""

    def beneath(self, thing: str) -> tuple[str, float]:
        """The place or object directly below the middle of an object, and the gap (m).

        Empty if something else is below.
        """
        scene, model, data = self._world.scene, self._world.model, self._world.data
        wide, high = scene.things[thing].extent
        rotation = data.body(thing).xmat.reshape(3, 3)
        half = float(np.abs(rotation[2]) @ np.array([wide, wide, high]))
        hit = np.array([-1], np.int32)
        far = mujoco.mj_ray(
            model, data, self._at(thing), np.array([0.0, 0.0, -1.0]), None, True,
            model.body(thing).id, hit, None,
        )  # fmt: skip
        if hit[0] < 0:
            return "", np.inf
        below = str(model.body(model.geom_bodyid[hit[0]]).name)
        known = below in scene.things and (below in scene.tops or scene.things[below].movable)
        return below if known else "", far - half
