"""Random states of the household, reachable or not: doors, objects, conditions, the robot."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np

from regrasp.lab.vision.placing import AWAY, Doubles, Placer
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.household.body import CARRY, hold_of
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.household.places import Places
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.kit.mobile import FINGER_OPEN
from regrasp.worlds.kit.scene import Region

__all__ = ["HouseholdPoseSampler"]

_LEVELS = (0.0, 0.0, 0.0, 0.45, 0.95, 0.95, 0.95)  # of a vessel: empty, half full, full
_OFTEN = {"water": 0.5, "on": 0.45, "frozen": 0.35, "hot": 0.65}
_HALVED = 0.5
_CHANGING, _RUNNING = ("mug", "pie", "egg"), ("sink", "oven", "microwave")
"""Kinds of objects that change by use, and those that change them."""
_WITH = {"egg": "knife", "sink": "mug", "microwave": "mug", "oven": "pie", "container": "toy"}
"""Objects that are used together."""
_NEAR = 0.28  # m between the centres of objects in one view
_ODD = 1 / 3  # share of states with a random view, not the view after `find`
_UPRIGHT = 0.7  # cosine of the tilt at which a vessel spills
_SOLID = np.array([1, 1, 1, 1, 1, 1], np.uint8)


class HouseholdPoseSampler(Placer):
    """Puts a `room` of the household into one random state after another."""

    def __init__(self, room: VisionRoom, world: HouseholdWorld, rng: np.random.Generator) -> None:
        super().__init__(room, rng, ())
        self._house = world
        self._map = FloorMap(world)
        self._places = Places(world, self._map)
        self._tops = [name for name in world.scene.tops if name in room.spoken]
        insides = [name for name in world.scene.insides if name in room.spoken]
        self._receptacles = [name for name in insides if name not in self._movable]
        self._baskets = [name for name in insides if name in self._movable]

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be used."""
        self._clear()
        self._doors()
        self._conditions()
        self._house.refresh()
        halves = {half for egg in self._eggs() for half in half_names(egg)}
        # Containers are placed before their contents.
        order = sorted(self._rng.permutation(self._movable), key=lambda n: n not in self._baskets)
        for name in (str(one) for one in order if one not in halves):
            self._somewhere(name, self._ways(name))
        odd, to = bool(self._rng.random() < _ODD), ""
        if not odd:
            looks = (self._gather, self._stock, lambda: self._one_of(_RUNNING))
            to = looks[int(self._rng.choice(3, p=(0.52, 0.35, 0.13)))]()
        for egg in self._eggs():
            self._halve(egg)
        self._go(to, odd)
        if self._rng.random() < 0.35:
            some = self._of_kinds(_CHANGING) if self._rng.random() < 0.7 else []
            self._drop(str(self._rng.choice(some or self._there())))
        self._cook()
        self._hand(to)
        self._spill()
        self._house.refresh()

    # ---- conditions ----------------------------------------------------------------------------

    def _conditions(self) -> None:
        c = self._house.conditions
        for name, often in _OFTEN.items():
            for thing in c.of(name):
                c.set(name, thing, float(self._rng.random() < often))
        for vessel in c.of("level"):
            c.set("level", vessel, float(self._rng.choice(_LEVELS)))
            if not c.get("level", vessel):
                c.set("hot", vessel, 0.0)
        for food in c.of("frozen"):
            if c.get("frozen", food):
                c.set("hot", food, 0.0)
        for appliance in c.of("on"):
            if self._scene.things[appliance].kind == "microwave" and not self._house.shut(
                appliance
            ):
                c.set("on", appliance, 0.0)

    def _spill(self) -> None:
        for vessel in self._house.conditions.of("level"):
            if vessel != self._house.held and self._data.body(vessel).xmat[8] < _UPRIGHT:
                self._house.conditions.set("level", vessel, 0.0)
                self._house.conditions.set("hot", vessel, 0.0)

    def _cook(self) -> None:
        """Objects in a running appliance are mostly hot."""
        c = self._house.conditions
        for appliance in (name for name in c.of("on") if c.get("on", name)):
            for thing in self._house.contents(appliance):
                wet = not c.has("level", thing) or c.get("level", thing) > 0
                if c.has("hot", thing) and wet and self._rng.random() < 0.7:
                    c.set("hot", thing, 1.0)
                    if c.has("frozen", thing):
                        c.set("frozen", thing, 0.0)

    def _eggs(self) -> list[str]:
        return self._house.conditions.of("halved")

    def _halve(self, egg: str) -> None:
        """Sometimes replace an egg by its halves at the same place."""
        if self._rng.random() > _HALVED:
            return
        self._house.conditions.set("halved", egg, 1.0)
        at = self._data.body(egg).xpos.copy()
        low = at[2] - self._scene.things[egg].extent[1]
        angle = self._rng.uniform(-math.pi, math.pi)
        for side, half in zip((-1, 1), half_names(egg), strict=True):
            off = side * 0.045 * np.array([math.cos(angle), math.sin(angle)])
            high = self._scene.things[half].extent[1]
            self._place(half, np.array([*(at[:2] + off), low + high]), self._rng.uniform(-3, 3))
        mujoco.mj_kinematics(self._model, self._data)

    # ---- where things are ----------------------------------------------------------------------

    def _gather(self) -> str:
        """Put objects that change side by side on a level place. Returns one, or the place."""
        place = str(self._rng.choice(self._tops))
        top = self._scene.tops[place]
        half = np.minimum(top.half, _NEAR)
        aside = self._rng.uniform(-0.8, 0.8, 2) * (np.array(top.half) - half)[:2]
        centre = (top.centre[0] + aside[0], top.centre[1] + aside[1], top.centre[2])
        spot = replace(top, centre=centre, half=(half[0], half[1], half[2]))
        things = self._scene.things
        for name in sorted(self._of_kinds(_CHANGING), key=lambda n: -things[n].extent[0]):
            self._put(name, spot)  # the largest first: it is the hardest to fit
        if self._rng.random() < 0.3:
            return place
        small = ("egg",) if self._rng.random() < 0.4 else _CHANGING  # otherwise rare
        return self._one_of(small) or self._one_of(_CHANGING)

    def _put(self, name: str, region: Region) -> None:
        """Put an object into a region if it fits there."""
        self._somewhere(name, [(1.0, lambda one: self._rest(one, self._point(region, 0.8)))])

    def _of_kinds(self, kinds: tuple[str, ...]) -> list[str]:
        """The objects of some kinds that exist and have a spoken name."""
        things = [n for n in self._room.spoken if n in self._scene.things]
        there = [n for n in things if n not in self._movable or self._is_there(n)]
        return [n for n in there if self._scene.things[n].kind in kinds]

    def _one_of(self, kinds: tuple[str, ...]) -> str:
        found = self._of_kinds(kinds)
        return str(self._rng.choice(found)) if found else ""

    def _is_there(self, name: str) -> bool:
        return bool(self._data.body(name).xpos[0] > AWAY / 2)

    def _ways(self, name: str) -> list[tuple[float, Callable[[str], None]]]:
        return [
            (0.30, self._on_a_top),
            (0.30, self._in_a_receptacle),
            (0.12 if self._baskets and name not in self._baskets else 0.0, self._in_a_basket),
            (0.22, self._on_floor),
            (0.06, self._out),
        ]

    def _on_a_top(self, name: str) -> None:
        region = self._scene.tops[str(self._rng.choice(self._tops))]
        self._rest(name, self._point(region, 0.8))

    def _in_a_receptacle(self, name: str) -> None:
        region = self._scene.insides[str(self._rng.choice(self._receptacles))]
        self._rest(name, self._point(region, 0.75))

    def _in_a_basket(self, name: str) -> None:
        basket = str(self._rng.choice(self._baskets))
        if self._data.body(basket).xpos[0] > AWAY / 2:
            point = self._point(self._scene.insides[basket], 0.55)
            self._rest(name, point + np.array([0.0, 0.0, 0.1]))

    def _on_floor(self, name: str) -> None:
        room = list(self._house.rooms.values())[int(self._rng.random() < 0.3)]
        x = self._rng.uniform(room.left + 0.3, room.right - 0.3)
        y = self._rng.uniform(room.near + 0.3, room.far - 0.3)
        if self._map.clearance(x, y) > 0.08:
            self._rest(name, np.array([x, y, 0.4]))
        else:
            self._out(name)

    def _rest(self, name: str, over: Doubles) -> None:
        """Lay or stand an object on the surface below a point."""
        self._out(name)
        mujoco.mj_kinematics(self._model, self._data)
        down, hit = np.array([0.0, 0.0, -1.0]), np.array([-1], np.int32)
        far = mujoco.mj_ray(self._model, self._data, over, down, _SOLID, True, -1, hit, None)
        kind, draw = self._scene.things[name].kind, self._rng.random()
        roll = 0.0
        if kind in ("mug", "bottle") and draw < 0.25:
            roll = math.pi / 2
        elif kind == "container" and draw < 0.15:
            roll = math.pi
        at, yaw = np.array([*over[:2], 5.0]), self._rng.uniform(-math.pi, math.pi)
        self._place(name, at, yaw, roll)
        mujoco.mj_kinematics(self._model, self._data)
        self._free(name)[2] = 5.0 + over[2] - max(far, 0.0) - self._span(name)[0] + 0.001

    def _drop(self, name: str) -> None:
        """Put an object on the floor in front of the robot."""
        if self._house.there(name):
            x, y, _ = self._places.floor_spot(name, self._rng)
            self._rest(name, np.array([x, y, 0.4]))

    # ---- the robot -----------------------------------------------------------------------------

    def _there(self) -> list[str]:
        """The objects that exist; the halves of an egg count as the egg."""
        spoken = (n for n in self._movable if n in self._room.spoken)
        return [n for n in spoken if self._is_there(n)] or [self._movable[0]]

    def _stock(self) -> str:
        """Put an object into an open receptacle or a basket. Returns its name, or the place's."""
        rng, places = self._rng, [*self._receptacles, *self._baskets]
        items = [n for n in self._there() if n not in self._baskets and self._house.there(n)]
        if not items:
            return ""
        place, name = str(rng.choice(places)), str(rng.choice(items))
        mates = [n for n in items if self._used_with(place, n)]
        if mates and rng.random() < 0.6:
            name = str(rng.choice(mates))
        mates += self._of_kinds(_CHANGING)
        for door in self._house.doors(place):
            joint, far = self._scene.joints[door], rng.uniform(0.65, 1.1)
            self._data.joint(door).qpos = joint.closed + far * (joint.open - joint.closed)
        if place in self._baskets:
            self._somewhere(name, [(1.0, self._in_a_basket)])
        else:
            for one in (name, *(n for n in mates if n != name and rng.random() < 0.6)):
                self._put(one, self._scene.insides[place])
        for appliance in self._house.conditions.of("on"):
            if self._scene.things[appliance].kind == "microwave" and appliance == place:
                self._house.conditions.set("on", appliance, 0.0)
        return name if self._is_there(name) and rng.random() < 0.6 else place

    def _used_with(self, thing: str, other: str) -> bool:
        things = self._scene.things
        return _WITH.get(things[thing].kind) == things[other].kind

    def _go(self, to: str, odd: bool) -> None:
        """Stand in front of an object and look at it, as after `find`, or stand anywhere."""
        house, rng = self._house, self._rng
        fixed = [n for n in self._room.spoken if n in self._scene.things
                 and n not in self._movable and not self._scene.things[n].of]  # fmt: skip
        things = [n for n in self._there() if self._is_there(n)]
        of = things if things and rng.random() < 0.5 else fixed
        viewpoint = self._places.viewpoint(to or str(rng.choice(of)))
        x, y, yaw = np.array(viewpoint.pose) + rng.normal(0.0, (0.05, 0.05, 0.06))
        focus, width = viewpoint.focus + rng.normal(0.0, 0.03, 3), viewpoint.width
        if odd and rng.random() < 0.5:  # or the robot only passes by
            x, y = x + rng.normal(0.0, 0.4), y + rng.normal(0.0, 0.4)
            yaw = yaw + rng.normal(0.0, 0.5)
            width = rng.uniform(0.6, 2.2)
        if not self._map.free(x, y):
            x, y, yaw = viewpoint.pose
        house.body.set_base(float(x), float(y), float(yaw))
        house.focus(focus, width * rng.uniform(0.9, 1.2 if odd else 1.6))

    def _hand(self, before: str) -> None:
        """An object in the hand or none; the hand in its carrying position or at work.

        The held object may be one that is used with the object in front of the robot.
        """
        house, rng = self._house, self._rng
        hand = np.array(CARRY) + rng.normal(0.0, 0.01, 3)
        if rng.random() < 0.15:
            hand = rng.uniform((0.40, -0.40, 0.30), (0.75, 0.25, 1.15))
        house.body.reach(hand)
        spoken = [n for n in self._movable if n in self._room.spoken]
        mates = [n for n in spoken if before and self._used_with(before, n)]
        fitting = bool(mates) and bool(rng.random() < 0.6)
        taken = str(rng.choice(mates if fitting else spoken))
        if rng.random() < (0.8 if fitting else 0.4) and house.there(taken):
            hold = hold_of(self._scene.things[taken])
            house.hold(taken)
            house.body.set(wrist=hold.roll)
            house.body.grip(hold.opening)
        else:
            house.body.set(wrist=0.0)
            house.body.grip(FINGER_OPEN if rng.random() < 0.85 else rng.uniform(0.0, FINGER_OPEN))
