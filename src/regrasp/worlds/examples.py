"""Robots to try things on: factories that `regrasp check robot MODULE:NAME` takes."""

from __future__ import annotations

from regrasp.worlds import open_world
from regrasp.worlds.sim_robot import SimRobot

__all__ = ["cabinet_robot"]


def cabinet_robot() -> SimRobot:
    """The arm in front of a closed cabinet, with small pictures.

    `regrasp check robot regrasp.worlds.examples:cabinet_robot` passes every check.
    """
    return SimRobot(open_world("cabinet", "closed", seed=0), size=(64, 48))
