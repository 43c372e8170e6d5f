"""The scene sampler of each world: an arm's, the tabletop's, two hands', the household's, …"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regrasp.lab.vision import relations
from regrasp.lab.vision.arm import ArmSceneSampler
from regrasp.lab.vision.blocks import BlockPoseSampler, clear_of_the_cup
from regrasp.lab.vision.house import HouseholdSceneSampler
from regrasp.lab.vision.poses import ArmPoseSampler
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, SceneSampler
from regrasp.lab.vision.two_hands import TwoHandsSceneSampler
from regrasp.lab.vision.walk import WalkerSceneSampler
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.tasks import TABLE
from regrasp.worlds.tabletop.world import CAMERAS as TABLETOP_CAMERAS
from regrasp.worlds.tabletop.world import TabletopWorld
from regrasp.worlds.two_arms.world import TwoArmWorld
from regrasp.worlds.walker_room.world import WalkerWorld

__all__ = ["open_scene_sampler"]


def open_scene_sampler(room: VisionRoom, rng: np.random.Generator) -> SceneSampler:
    """The scene sampler of a room; `rng` draws its states."""
    if isinstance(room.world, HouseholdWorld):
        return HouseholdSceneSampler(room, room.world, rng)
    if isinstance(room.world, TabletopWorld):
        return TabletopSceneSampler(room, room.world, rng)
    if isinstance(room.world, TwoArmWorld):
        return TwoHandsSceneSampler(room, room.world, rng)
    if isinstance(room.world, WalkerWorld):
        return WalkerSceneSampler(room, room.world, rng)
    return ArmSceneSampler(room, ArmPoseSampler(room, rng).pose)


class TabletopSceneSampler(ArmSceneSampler):
    """The arm with the suction cup, and its two cameras."""

    cameras: tuple[str, ...] = TABLETOP_CAMERAS
    more: tuple[str, ...] = ()

    def __init__(self, room: VisionRoom, world: TabletopWorld, rng: np.random.Generator) -> None:
        super().__init__(room, BlockPoseSampler(room, world, rng).pose)
        self._table, self._judge = world, TabletopJudge(world)

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """See `SceneSampler`; no question has an answer that depends on the pump only.

        The table is only asked about as a support of blocks: everything is on or beside it.
        """
        for one in relations.candidates(self.room, seen, rng):
            fits = (one.a != TABLE or one.topic is Topic.SEEN) and (
                one.b != TABLE or one.topic in (Topic.ON, Topic.ANY_ON)
            )
            if fits and clear_of_the_cup(self._table, self._judge, one):
                yield one
