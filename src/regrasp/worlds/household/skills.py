"""The robot's skills, as in DKPROMPT: each is short and has one effect, or one fault.

A skill with unmet hidden constraints reaches out and changes nothing. A skill with a fault ends
like any other: the robot does not notice the fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from regrasp.core.action import Action
from regrasp.core.arrays import Array
from regrasp.worlds.household.faults import Fault, FaultDraw
from regrasp.worlds.household.motions import Motions
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["HouseholdSkills"]

Stages = Iterator[str]

_ABOVE = np.array([0.0, 0.0, 0.13])  # m: height of a carried object above its target
_FULL, _HALF = 0.95, 0.45  # levels of a vessel
_AJAR = 0.06  # fraction of its range to which a door opens before it falls shut again
_SLIP_FROM, _SLIP_TO = 0.02, 0.2  # fractions of the path between which an object slips


class HouseholdSkills:
    """The implementation of each skill; each yields its present stage."""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world = world
        self._go = Motions(world)
        self._skills: dict[str, Callable[..., Stages]] = {
            "find": self._find,
            "grasp": self._grasp,
            "placein": self._put,
            "placeon": self._put,
            "placefloor": self._placefloor,
            "fillsink": self._fillsink,
            "fill": self._fill,
            "open": lambda fault, place: self._doors(fault, place, 1.0),
            "close": lambda fault, place: self._doors(fault, place, 0.0),
            "turnon": self._turnon,
            "cut": self._cut,
        }

    def run(self, action: Action, fault: FaultDraw) -> Stages:
        """Run an action."""
        return self._skills[action.name](fault, *action.args)

    def without_effect(self) -> Stages:
        """Reach out and draw the hand back, without any effect."""
        ahead = self._world.body.world((0.62, 0.0, float(self._world.body.hand[2])))
        yield from _as("reach", self._go.hand_to(ahead))
        yield from _as("retreat", self._go.carry())

    # ---- going ---------------------------------------------------------------------------------

    def _find(self, fault: FaultDraw, name: str) -> Stages:
        go, world = self._go, self._world
        if name == world.held:
            world.focus(world.at(name), 0.6)
            yield from _as("look", go.wait(0.5))
            return
        viewpoint = go.places.viewpoint(name)
        slips = float(fault.rng.uniform(_SLIP_FROM, _SLIP_TO))
        world.focus(viewpoint.focus, viewpoint.width)
        for part in go.drive(viewpoint.pose):
            yield "drive"
            if fault.fault is Fault.SLIPS and world.held and part >= slips:
                yield from _as("drive", go.slip(world.held, fault.rng))
        if fault.fault is Fault.SLIPS and world.held:  # the robot was there already
            yield from _as("look", go.drop(fault.rng))
            yield from _as("look", go.carry())
        yield from _as("look", go.wait(0.5))

    # ---- taking and putting --------------------------------------------------------------------

    def _grasp(self, fault: FaultDraw, name: str) -> Stages:
        go, world = self._go, self._world
        yield from _as("approach", go.stand_before(name))
        home = world.body.base
        yield from _as("approach", go.approach(world.at(name)))
        yield from _as("reach", go.prepare(name))
        point = go.grip_point(name, world.at(name))
        yield from _as("reach", go.hand_to(self._entry(point)))
        if fault.fault is Fault.MISSED:
            aside = point + np.array([0.0, 0.0, 0.05]) - 0.10 * self._facing(point)
            yield from _as("reach", go.hand_to(aside))
            yield from _as("close", go.fingers(0.0))
        else:
            yield from _as("reach", go.hand_to(point))
            yield from _as("close", go.take(name))
            yield from _as("lift", go.hand_to(point + np.array([0.0, 0.0, 0.05])))
        yield from _as("retreat", go.hand_to(self._entry(point)))
        yield from self._retreat(home, fault)
        if not world.held:
            yield from _as("retreat", go.prepare(name))

    def _put(self, fault: FaultDraw, thing: str, place: str) -> Stages:
        """Put an object on a surface or into a container from above, else in from the front."""
        go, world = self._go, self._world
        from_above = world.scene.things[place].movable or place not in world.scene.insides
        yield from _as("approach", go.stand_before(place))
        home = world.body.base
        if fault.fault is Fault.FALLS:
            yield from _as("reach", go.drop(fault.rng))
            yield from _as("retreat", go.carry())
            return
        spot = go.places.spot(thing, place)
        yield from _as("approach", go.approach(spot))
        point = go.grip_point(thing, spot)
        first = point + _ABOVE if from_above else self._entry(point)
        yield from _as("reach", go.hand_to(first))
        yield from _as("reach", go.hand_to(point))
        if fault.fault is not Fault.KEPT:
            yield from _as("let go", go.release())
        yield from _as("retreat", go.hand_to(first))
        yield from self._retreat(home, fault)

    def _placefloor(self, fault: FaultDraw, thing: str, floor: str) -> Stages:
        go = self._go
        point = go.grip_point(thing, go.places.floor_spot(thing))
        yield from _as("reach", go.hand_to(point + _ABOVE))
        yield from _as("reach", go.hand_to(point))
        if fault.fault is not Fault.KEPT:
            yield from _as("let go", go.release())
        yield from _as("retreat", go.hand_to(point + _ABOVE))
        yield from _as("retreat", go.carry())

    def _retreat(self, home: Array, fault: FaultDraw) -> Stages:
        """Drive back to an earlier pose, and drop the held object if that is the fault."""
        yield from _as("retreat", self._go.back_to(home))
        if fault.fault in (Fault.FALLS, Fault.KNIFE_FALLS):
            yield from _as("retreat", self._go.drop(fault.rng))
        yield from _as("retreat", self._go.carry())

    def _entry(self, point: Array) -> Array:
        """A point in front of `point`, from which the hand moves straight in."""
        return np.asarray(point - 0.30 * self._facing(point) + [0.0, 0.0, 0.03])

    def _facing(self, point: Array) -> Array:
        """The direction (3,) from the robot to a point, level."""
        away = point[:2] - self._world.body.base[:2]
        return np.array([*(away / max(float(np.linalg.norm(away)), 1e-9)), 0.0])

    def _over(self, place: str, height: float) -> Array:
        """A point above the default spot of a place."""
        site = self._world.data.site(self._world.scene.things[place].place)
        return np.asarray(site.xpos + np.array([0.0, 0.0, height]))

    # ---- water ---------------------------------------------------------------------------------

    def _fillsink(self, fault: FaultDraw, sink: str) -> Stages:
        go, world = self._go, self._world
        yield from _as("approach", go.stand_before(sink))
        home = world.body.base
        tap = self._over(sink, 0.30)
        yield from _as("approach", go.approach(tap))
        yield from _as("reach", go.hand_to(tap + 0.10 * self._facing(tap)))
        yield from _as("turn the tap", go.wait(0.5))
        if fault.fault is not Fault.NO_WATER:
            world.conditions.set("water", sink, 1.0)
        yield from _as("turn the tap", go.wait(1.5))
        yield from self._retreat(home, fault)

    def _fill(self, fault: FaultDraw, vessel: str, sink: str) -> Stages:
        go, world = self._go, self._world
        yield from _as("approach", go.stand_before(sink))
        home = world.body.base
        under = self._over(sink, 0.20)
        yield from _as("approach", go.approach(under))
        yield from _as("reach", go.hand_to(go.grip_point(vessel, under)))
        if fault.fault is not Fault.FALLS:
            full = _HALF if fault.fault is Fault.HALF_FULL else _FULL
            for part in np.linspace(0.0, 1.0, 30):
                has = world.conditions.get("level", vessel)
                if world.conditions.get("water", sink):
                    world.conditions.set("level", vessel, max(has, float(part) * full))
                yield from _as("fill", go.wait(0.05))
        yield from self._retreat(home, fault)

    # ---- doors and switches --------------------------------------------------------------------

    def _doors(self, fault: FaultDraw, place: str, fraction: float) -> Stages:
        go, world = self._go, self._world
        fails = fault.fault in (Fault.STAYS_SHUT, Fault.STAYS_OPEN)
        yield from _as("approach", go.stand_before(place))
        home = world.body.base
        for door in world.doors(place):
            was = world.fraction(door)
            handle = world.at(world.scene.joints[door].handle)
            yield from _as("approach", go.approach(handle))
            yield from _as("reach", go.hand_to(handle))
            if abs(was - fraction) > _AJAR:
                to = was + math.copysign(_AJAR, fraction - was) if fails else fraction
                yield from _as("swing", go.swing(door, to))
                if fails:
                    yield from _as("swing", go.swing(door, was))
            yield from _as("retreat", go.back_to(home))
        yield from _as("retreat", go.carry())
        yield from _as("retreat", go.come_to_rest())

    def _turnon(self, fault: FaultDraw, appliance: str) -> Stages:
        go, world = self._go, self._world
        yield from _as("approach", go.stand_before(appliance))
        home = world.body.base
        lamp = world.data.geom(f"{appliance}_lamp").xpos.copy()
        yield from _as("approach", go.approach(lamp))
        yield from _as("press", go.hand_to(lamp))
        # A microwave does not run with its door open; an oven does.
        runs = world.scene.things[appliance].kind != "microwave" or world.shut(appliance)
        if runs and fault.fault is not Fault.STAYS_OFF:
            world.conditions.set("on", appliance, 1.0)
        yield from self._retreat(home, fault)
        yield from _as("wait", go.wait(2.0))

    # ---- the knife -----------------------------------------------------------------------------

    def _cut(self, fault: FaultDraw, food: str, knife: str) -> Stages:
        go, world = self._go, self._world
        yield from _as("approach", go.stand_before(food))
        home = world.body.base
        whole = world.there(food)
        at = world.at(world.parts(food)[0])
        yield from _as("approach", go.approach(at))
        over = at - 0.14 * self._facing(at)
        for height in (0.16, 0.05, 0.16):
            yield from _as("cut", go.hand_to(over + np.array([0.0, 0.0, height])))
            if height < 0.1 and fault.fault is None and whole:
                self._halve(food, at)
                yield from _as("cut", go.come_to_rest())
        yield from self._retreat(home, fault)

    def _halve(self, food: str, at: Array) -> None:
        world = self._world
        across = np.array([-self._facing(at)[1], self._facing(at)[0], 0.0])
        thickness = world.scene.things[half_names(food)[0]].extent[1]
        low = at[2] - world.scene.things[food].extent[1]
        world.conditions.set("halved", food, 1.0)
        yaw = math.atan2(across[1], across[0])
        for half, side in zip(half_names(food), (-1.0, 1.0), strict=True):
            point = at + side * 0.052 * across
            point[2] = low + thickness + 0.003
            world.put(half, point, yaw + math.pi / 2)
        world.wake()


def _as(stage: str, steps: Iterator[object]) -> Stages:
    """The steps of a motion, as those of a stage."""
    for _ in steps:
        yield stage
