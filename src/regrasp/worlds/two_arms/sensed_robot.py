"""The two-armed robot whose skills use what it senses, not the state of the simulator.

Sensed are the poses of things and how far doors are open: by the cameras in its head and above its
shoulders, and by what its grippers feel. Given are a map of the start, with an error of half a
centimetre, which also says which of two equal things is which; furniture; the levels in vessels;
and the force sensors' weights.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

import numpy as np

from regrasp.control.ik import Pose
from regrasp.control.staged_skill import Stages
from regrasp.control.still_scene import StillScene
from regrasp.control.two_arms import TwoArmPlant
from regrasp.core.action import Action
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.two_arms import SIDES, WORK_CAMERAS
from regrasp.worlds.sensed_plant import SENSED, SensedPlant
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["SensedTwoArmRobot"]

_PERIOD_S = 1.0  # between two looks, besides one before each skill
_ROWS = 120
_MAP_M = 0.005  # error of the map of the start, along x and along y


class _SensedTable(SensedPlant):
    """A world of the two-armed robot as it senses it."""

    _world: TwoArmWorld
    belief: StillScene

    def _make_belief(self) -> StillScene:
        return StillScene(*self._scene_parts())

    def _begin_belief(self) -> None:
        poses = {}
        for name in self._loose:
            pose = Pose.of(self._world.data.body(name))
            error = np.append(self._rng.normal(0.0, _MAP_M, 2), 0.0)
            poses[name] = Pose(pose.position + error, pose.rotation)
        self.belief.read_map(poses)

    @property
    def gripping(self) -> tuple[str, ...]:
        """The palms between whose closed fingers something is."""
        return tuple(f"{side}_{PALM}" for side in SIDES if self._world.gripped(side))

    def gripped(self, side: str) -> str:
        """See `TwoArmPlant`: a gripper feels that something is there, the belief says what."""
        return self.belief.held(f"{side}_{PALM}") if self._world.gripped(side) else ""

    def hand_load(self, side: str) -> float:
        """See `TwoArmPlant`: the reading of a force sensor."""
        return self._world.hand_load(side)

    def turn_cap(self, side: str, bottle: str, *, on: bool) -> bool:
        """See `TwoArmPlant`: the world's own doing."""
        return self._world.turn_cap(side, bottle, on=on)

    def room_ml(self, vessel: str) -> float:
        """See `TwoArmPlant`: the level is given."""
        return self._world.room_ml(vessel)


class SensedTwoArmRobot(TwoArmRobot):
    """A `TwoArmRobot` that estimates where things are and how far doors are open."""

    name = f"two_arms, {SENSED}"

    def _plant(self) -> TwoArmPlant:
        self._sensed = _SensedTable(
            self._world, self._lens.look, WORK_CAMERAS, period_s=_PERIOD_S, rows=_ROWS
        )
        return self._sensed

    def _command(self, action: Action) -> Stages:
        self._sensed.look()
        return super()._command(action)
