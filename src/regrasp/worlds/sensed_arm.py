"""The Franka whose controller and reports use what it senses, not the state of the simulator.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from functools import cached_property

from regrasp.control.estimate import StateEstimate
from regrasp.control.reward_terms import RewardProgram
from regrasp.control.staged_skill import StagedSkill, refuse_unseen
from regrasp.core.action import Action
from regrasp.core.robot import SkillRun
from regrasp.worlds.sensed_plant import SENSED, SensedPlant
from regrasp.worlds.sim_robot import SimRobot

__all__ = ["SensedArm"]

_PERIOD_S = 0.5  # between two looks
_APART_M = 0.002  # from the middle to a finger: less, and nothing is between them


class _SensedArmScene(SensedPlant):
    """A scene as the arm senses it."""

    @cached_property
    def _now(self) -> StateEstimate:
        return StateEstimate(self.model, self.data)

    @property
    def gripping(self) -> tuple[str, ...]:
        """The palm, while the fingers are commanded shut and something keeps them apart."""
        now = self._now
        apart = now.closing and now.fingers > _APART_M and now.fingers_still
        return ("palm",) if apart else ()


class SensedArm(SimRobot):
    """A `SimRobot` that estimates where things are and how far doors are open."""

    name = f"panda, {SENSED}"

    def _plant(self) -> SensedPlant:
        self._sensed = _SensedArmScene(
            self._world, self._lens.look, self._cameras, period_s=_PERIOD_S
        )
        return self._sensed

    def _skill(self, action: Action, program: RewardProgram) -> SkillRun:
        named = {name for term in program.terms for name in term.names}
        unseen = sorted(named & self._sensed.unseen)
        if unseen:
            return StagedSkill(action, refuse_unseen(unseen[0]), lambda: self.seconds)
        return super()._skill(action, program)
