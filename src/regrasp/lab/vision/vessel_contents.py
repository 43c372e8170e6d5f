"""Random contents of the vessels of a bar or kitchen, caps on or off, machines on or off."""

from __future__ import annotations

import numpy as np

from regrasp.worlds.kit.vessel import Vessel
from regrasp.worlds.two_arms.kitchen import KitchenWorld

__all__ = ["ContentsSampler"]

_CAPPED, _RUNNING, _BAKED = 0.55, 0.4, 0.4
_MIXED = 4  # substances in a glass at most
_TOPPINGS, _HEAP_ML = 6, 90.0
_UPRIGHT_COS = 0.6  # an open vessel that leans further and is not held has lost its contents


class ContentsSampler:
    """Draws what is in every vessel of `world`, after its things were posed."""

    def __init__(self, world: KitchenWorld, rng: np.random.Generator) -> None:
        self._world, self._rng = world, rng

    def fill(self) -> None:
        """Draw contents, caps, switches and crusts, and show them."""
        world, rng = self._world, self._rng
        for vessel in world.scene.vessels.values():
            self._empty(vessel)
            if vessel.capped:
                world.liquids.set_cap(vessel.name, bool(rng.random() < _CAPPED))
            held = any(grip.holds == vessel.name for grip in world.grips.values())
            upright = world.data.body(vessel.name).xmat[8] > _UPRIGHT_COS
            if held or upright or world.liquids.capped(vessel.name):
                self._fill(vessel)
        for thing in world.scene.things.values():
            if f"{thing.name}_switch" in world.scene.joints:
                world.machines.set_switch(thing.name, bool(rng.random() < _RUNNING))
            if thing.kind == "dough":
                world.machines.set_baked(thing.name, bool(rng.random() < _BAKED))
        world.set_state(world.data.qpos.copy(), world.data.userdata.copy())

    def _empty(self, vessel: Vessel) -> None:
        for substance in self._world.liquids.contents(vessel.name):
            self._world.liquids.set_amount(vessel.name, substance, 0.0)

    def _fill(self, vessel: Vessel) -> None:
        rng, liquids, draw = self._rng, self._world.liquids, self._rng.random()
        if vessel.substance:
            share = 0.0 if draw < 0.2 else vessel.stock / vessel.capacity
            if draw > 0.55:
                share = 1.0 if draw > 0.9 else float(rng.uniform(0.05, 1.0))
            liquids.set_amount(vessel.name, vessel.substance, share * vessel.capacity)
        elif draw > 0.4:
            dough = self._world.scene.things[vessel.name].kind == "dough"
            count = int(rng.integers(1, (_TOPPINGS if dough else _MIXED) + 1))
            some = [str(s) for s in rng.permutation(liquids.substances)[:count]]
            parts = rng.dirichlet(np.ones(len(some)))
            whole = vessel.capacity * (1.0 if draw > 0.88 else float(rng.uniform(0.06, 0.95)))
            if dough:
                whole = _HEAP_ML * len(some)
            for substance, part in zip(some, parts, strict=True):
                liquids.set_amount(vessel.name, substance, float(part) * whole)
