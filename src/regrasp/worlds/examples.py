"""Example robots: factories for `regrasp check robot MODULE:NAME`."""

from __future__ import annotations

from regrasp.worlds.registry import open_world
from regrasp.worlds.world import SimulatedRobot, ignore_event

__all__ = ["cabinet_robot", "household_robot", "tabletop_robot", "walker_robot"]


def cabinet_robot() -> SimulatedRobot:
    """The arm in front of a closed cabinet, with small images.

    `regrasp check robot regrasp.worlds.examples:cabinet_robot` passes every check.
    """
    return _robot("cabinet", "closed")


def household_robot() -> SimulatedRobot:
    """The mobile robot in front of a mug in a cabinet, with small images.

    `regrasp check robot regrasp.worlds.examples:household_robot --skill find --arg sink` passes.
    """
    return _robot("household", "boil-water")


def tabletop_robot() -> SimulatedRobot:
    """The arm with a suction cup, in front of a block and a fixture, with small images.

    `regrasp check robot regrasp.worlds.examples:tabletop_robot` passes every check.
    """
    return _robot("tabletop", "pick-and-place")


def walker_robot() -> SimulatedRobot:
    """The walking humanoid between two tables, with small images.

    `regrasp check robot regrasp.worlds.examples:walker_robot` passes every check.
    """
    return _robot("walker_room", "move-box")


def _robot(world: str, task: str) -> SimulatedRobot:
    built = open_world(world, task, seed=0)
    return built.plan.robot(built, renderer="raycast", size=(64, 48), emit=ignore_event)
