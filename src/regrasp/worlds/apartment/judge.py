"""The judge of the apartment: what is where, and what the robot is near. See `TwoArmJudge`."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from regrasp.core.arrays import Array
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.kit.garment import loop_name
from regrasp.worlds.kit.mobile_two_arms import CAMERAS
from regrasp.worlds.two_arms.judge import TwoArmJudge

__all__ = ["AT_M", "ApartmentJudge"]

AT_M = 1.1
"""From the middle of the base to the nearest part of a thing: near enough to work on it."""


class ApartmentJudge(TwoArmJudge):
    """Predicates of `TwoArmJudge`, and at(x), in(x, y), opened(x), detected(x).

    on(x, y) is also true of a garment that hangs on a stand, and of what stands on any board of a
    shelf.
    """

    CAMERAS: ClassVar[tuple[str, ...]] = CAMERAS
    UNSEEN: ClassVar[tuple[str, ...]] = (*TwoArmJudge.UNSEEN, "at")

    def __init__(self, world: ApartmentWorld) -> None:
        super().__init__(world)
        self._home = world
        self._predicates |= {
            "at": self.is_at,
            "in": self._inside,
            "opened": self._open,
            "detected": self._visible,
        }

    def is_at(self, thing: str) -> bool:
        """Whether the base is near a thing and faces it within a quarter turn."""
        x, y, yaw = self._home.base
        away = math.atan2(self._at(thing)[1] - y, self._at(thing)[0] - x)
        turned = abs(math.remainder(away - yaw, 2 * math.pi))
        return self.distance_to(thing) <= AT_M and turned < math.pi / 2

    def distance_to(self, thing: str) -> float:
        """How far (m) the middle of the base is from the nearest part of a thing."""
        x, y, _ = self._home.base
        return min(math.dist(one[:2], (x, y)) for one in self._corners(thing))

    def _corners(self, thing: str) -> list[Array]:
        """The middles of a thing's shapes and its own point."""
        return [self._at(thing), *self._home.data.geom_xpos[self._shapes(thing)]]

    def support(self, thing: str) -> str:
        """See `TwoArmJudge.support`: a garment is supported by the stand that it hangs on."""
        world = self._home
        if world.scene.things[thing].kind == "jacket":
            loop = world.model.equality(loop_name(thing))
            if world.data.eq_active[loop.id]:
                return str(world.model.body(world.model.eq_obj1id[loop.id]).name)
        return super().support(thing)

    def _points(self, thing: str) -> list[Array]:
        """See `WorldJudge._points`: what is larger than a hand may be seen at any of its parts."""
        return [np.array(one) for one in self._corners(thing)[1:]]
