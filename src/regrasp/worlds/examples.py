"""Robots to try things on: factories that `regrasp check robot MODULE:NAME` takes."""

from __future__ import annotations

from regrasp.episodes.casting import SimulatedRobot, robot_of
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot

__all__ = ["cabinet_robot", "household_robot", "tabletop_robot", "walker_robot"]


def cabinet_robot() -> SimRobot:
    """The arm in front of a closed cabinet, with small pictures.

    `regrasp check robot regrasp.worlds.examples:cabinet_robot` passes every check.
    """
    return SimRobot(open_world("cabinet", "closed", seed=0), size=(64, 48))


def household_robot() -> SimulatedRobot:
    """The mobile robot before a mug that is in a cabinet, with small pictures.

    `regrasp check robot regrasp.worlds.examples:household_robot --skill find --arg sink` passes.
    """
    return robot_of(open_world("household", "boil-water", seed=0), size=(64, 48))


def tabletop_robot() -> SimulatedRobot:
    """The arm with a suction cup, before a block and a fixture, with small pictures.

    `regrasp check robot regrasp.worlds.examples:tabletop_robot` passes every check.
    """
    return robot_of(open_world("tabletop", "pick-and-place", seed=0), size=(64, 48))


def walker_robot() -> SimulatedRobot:
    """The walking humanoid between two tables, with small pictures.

    `regrasp check robot regrasp.worlds.examples:walker_robot` passes every check.
    """
    return robot_of(open_world("walker_room", "move-box", seed=0), size=(64, 48))
