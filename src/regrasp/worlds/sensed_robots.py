"""Robots whose skills and reports use what the robot senses, not the state of the simulator.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from regrasp.control.reward_terms import RewardProgram
from regrasp.control.staged_skill import StagedSkill, Stages
from regrasp.control.suction_arm import HELD
from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.robot import Progress, SkillRun
from regrasp.worlds.kit.ur5e import CUP
from regrasp.worlds.sensed_plant import SensedPlant
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.tabletop.robot import TabletopRobot
from regrasp.worlds.tabletop.world import TabletopWorld

__all__ = ["SENSED", "SensedArm", "SensedSuctionArm"]

SENSED = "sensed estimates"
"""The suffix of the name of a robot with such estimates."""
_PERIOD_S = 0.5
_TABLE_PERIOD_S = 0.2  # blocks fall


class SensedArm(SimRobot):
    """A `SimRobot` that estimates where things are and how far doors are open."""

    name = f"panda, {SENSED}"

    def _plant(self) -> SensedPlant:
        self._sensed = SensedPlant(
            self._world, self._lens.look, self._cameras, period_s=_PERIOD_S
        )
        return self._sensed

    def _skill(self, action: Action, program: RewardProgram) -> SkillRun:
        loose = {name for name, thing in self._world.scene.things.items() if thing.movable}
        named = sorted({name for term in program.terms for name in term.names} & loose)
        missing = [name for name in named if name not in self._sensed.seen]
        if missing:
            return StagedSkill(action, _not_seen(self, missing[0]), lambda: self.seconds)
        return super()._skill(action, program)


def _not_seen(robot: SensedArm, thing: str) -> Stages:
    """Nothing can be done with a thing that was never seen."""
    yield Progress("look", 1.0)
    error = f"{robot.name.partition(',')[0]} has not seen {thing}, so it cannot reach it."
    return Feedback(FeedbackLevel.PHYSICAL, FailureCode.UNREACHED, error)


class _SensedTable(SensedPlant):
    """The tabletop as its arm senses it."""

    _world: TabletopWorld

    @property
    def vacuum(self) -> float:
        """The reading of the gripper's pressure sensor."""
        return self._world.vacuum

    @property
    def gripping(self) -> str:
        """The cup, while its pressure sensor shows that something closes it."""
        return CUP if self.vacuum > HELD else ""


class SensedSuctionArm(TabletopRobot):
    """A `TabletopRobot` that estimates where the blocks are."""

    name = f"ur5e, {SENSED}"

    def _plant(self) -> _SensedTable:
        return _SensedTable(self._world, self._lens.look, self._cameras, period_s=_TABLE_PERIOD_S)
