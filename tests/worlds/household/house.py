"""A household to try things in: its world, robot and judge, and the plans that its tasks need."""

from __future__ import annotations

import numpy as np

from regrasp.core.action import Action
from regrasp.core.event import Disturbed, Event
from regrasp.core.robot import SkillReport
from regrasp.worlds.household.faults import Fault, FaultDraw
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.places import Places
from regrasp.worlds.household.robot import HouseholdRobot
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.registry import open_world

PLANS = {
    "boil-water": (
        "find(cabinet) open(cabinet) find(mug) grasp(mug) find(sink) fillsink(sink) fill(mug,sink) "
        "find(microwave) open(microwave) placein(mug,microwave) close(microwave) turnon(microwave)"
    ),
    "empty-bottle": (
        "find(green_bottle) grasp(green_bottle) find(tiled_floor) "
        "placefloor(green_bottle,tiled_floor) find(orange_bottle) grasp(orange_bottle) "
        "find(tiled_floor) placefloor(orange_bottle,tiled_floor)"
    ),
    "frozen-pie": (
        "find(refrigerator) open(refrigerator) find(pie) grasp(pie) find(oven) open(oven) "
        "placein(pie,oven) turnon(oven)"
    ),
    "halve-egg": (
        "find(carving_knife) grasp(carving_knife) find(hard_boiled_egg) "
        "cut(hard_boiled_egg,carving_knife)"
    ),
    "store-firewood": (
        "find(brown_stick) grasp(brown_stick) find(table) placeon(brown_stick,table) "
        "find(white_stick) grasp(white_stick) find(table) placeon(white_stick,table)"
    ),
    "collect-toys": (
        "find(blue_container) grasp(blue_container) find(table) placeon(blue_container,table) "
        "find(toy_duck) grasp(toy_duck) find(blue_container) placein(toy_duck,blue_container) "
        "find(toy_car) grasp(toy_car) find(blue_container) placein(toy_car,blue_container)"
    ),
}
LENGTHS = {
    "boil-water": 12,
    "empty-bottle": 8,
    "frozen-pie": 8,
    "halve-egg": 4,
    "store-firewood": 8,
    "collect-toys": 12,
}


def action(text: str) -> Action:
    """Read `placein(mug,microwave)`."""
    name, _, args = text.partition("(")
    return Action(name, tuple(args.rstrip(")").split(",")))


def actions(text: str) -> list[Action]:
    return [action(one) for one in text.split()]


class Forced:
    """Situations that are not left to chance: each use of a skill meets with its mishap."""

    def __init__(self, mishaps: dict[str, Fault], seed: int) -> None:
        self._mishaps, self._seed = mishaps, seed

    def draw(self, skill: str, use: int) -> FaultDraw:
        return FaultDraw(self._mishaps.get(skill), np.random.default_rng([self._seed, use]))


class House:
    """A task at its start, in which nothing goes wrong but `mishaps`."""

    def __init__(
        self, task: str, seed: int = 0, *, same_room: bool = False, **mishaps: Fault
    ) -> None:
        world = open_world("household", f"{task}:situations=0,same_room={int(same_room)}", seed)
        assert isinstance(world, HouseholdWorld)
        self.world, self.noted = world, list[Disturbed]()
        self.robot = HouseholdRobot(world, size=(96, 96), emit=self._note)
        self.robot._situations = Forced(mishaps, seed)  # type: ignore[assignment]
        self.judge = HouseholdJudge(world)

    def _note(self, event: Event) -> None:
        assert isinstance(event, Disturbed)
        self.noted.append(event)

    def do(self, text: str) -> SkillReport:
        """Do one action; its report."""
        run = self.robot.start(action(text))
        while run.step():
            pass
        assert run.report is not None
        return run.report

    def go(self, name: str) -> None:
        """Be before a thing at once, looking at it."""
        places = Places(self.world, FloorMap(self.world))
        viewpoint = places.viewpoint(name)
        self.world.body.set_base(*viewpoint.pose)
        self.world.focus(viewpoint.focus, viewpoint.width)
        self.world.refresh()

    def give(self, thing: str) -> None:
        """Have a thing in the hand at once."""
        self.world.hold(thing)
        self.world.refresh()

    def swing(self, place: str, fraction: float) -> None:
        """Have the doors of a receptacle open or closed at once."""
        for door in self.world.doors(place):
            joint = self.world.scene.joints[door]
            self.world.data.joint(door).qpos = joint.closed + fraction * (joint.open - joint.closed)
        self.world.refresh()

    def make(self, condition: str, thing: str, value: float = 1.0) -> None:
        """Have a condition be so at once."""
        self.world.conditions.set(condition, thing, value)
        self.world.refresh()

    def holds(self, predicate: str, *args: str) -> bool:
        return self.judge.holds(predicate, *args)
