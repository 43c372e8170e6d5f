"""Who goes with a world: the robot that lives in it, the judge that knows it, its oracle eyes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from regrasp.core.event import Disturbed
from regrasp.core.robot import Robot
from regrasp.episodes.household_eyes import HouseholdEyes
from regrasp.episodes.oracle_vision import EyeErrors, OracleEyes
from regrasp.episodes.walker_eyes import WalkerEyes
from regrasp.models.vision import VisionModel
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.robot import HouseholdRobot
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.robot import TabletopRobot
from regrasp.worlds.tabletop.world import TabletopWorld
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.robot import WalkerRobot
from regrasp.worlds.walker_room.world import WalkerWorld
from regrasp.worlds.world import World

__all__ = ["Oracle", "SimulatedRobot", "eyes_of", "judge_of", "robot_of"]


class SimulatedRobot(Robot, Protocol):
    """A robot that holds a renderer: close it."""

    def close(self) -> None:
        """Free what it holds."""
        ...


class Oracle(VisionModel, Protocol):
    """Eyes that know the truth, and what a question is about."""

    def topic(self, question: str) -> str:
        """The predicate that a question asks about; `other` for one in no form we know."""
        ...


def judge_of(world: World) -> WorldJudge:
    """The judge of a world."""
    match world:
        case HouseholdWorld():
            return HouseholdJudge(world)
        case TabletopWorld():
            return TabletopJudge(world)
        case WalkerWorld():
            return WalkerJudge(world)
        case _:
            return WorldJudge(world)


def robot_of(
    world: World,
    *,
    arm: type[SimRobot] = SimRobot,
    renderer: str = "raycast",
    size: tuple[int, int] = (224, 224),
    note: Callable[[Disturbed], None] = lambda event: None,
) -> SimulatedRobot:
    """The robot of a world; `arm` is which one where it follows rewards.

    `note` hears what goes wrong without the robot's knowing.
    """
    if isinstance(world, HouseholdWorld):
        return HouseholdRobot(world, renderer=renderer, size=size, note=note)
    if isinstance(world, TabletopWorld):
        return TabletopRobot(world, renderer=renderer, size=size, note=note)
    if isinstance(world, WalkerWorld):
        return WalkerRobot(world, renderer=renderer, size=size, note=note)
    return arm(world, renderer=renderer, size=size)


def eyes_of(
    world: World, errors: EyeErrors | None = None, rng: np.random.Generator | None = None
) -> Oracle:
    """Oracle eyes for a world, wrong as often as `errors` says."""
    if isinstance(world, HouseholdWorld):
        return HouseholdEyes(world, errors, rng)
    if isinstance(world, WalkerWorld):
        return WalkerEyes(world, errors, rng)
    return OracleEyes(world, errors, rng, judge_of(world))
