"""The arm at the table whose skills use what it senses, not the state of the simulator.

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from regrasp.control.suction_arm import HELD
from regrasp.worlds.kit.ur5e import CUP
from regrasp.worlds.sensed_plant import SENSED, SensedPlant
from regrasp.worlds.tabletop.robot import TabletopRobot
from regrasp.worlds.tabletop.world import TabletopWorld

__all__ = ["SensedTabletopRobot"]

_PERIOD_S = 0.2  # between two looks: blocks fall


class _SensedTable(SensedPlant):
    """The tabletop as its arm senses it."""

    _world: TabletopWorld

    @property
    def vacuum(self) -> float:
        """The reading of the gripper's pressure sensor."""
        return self._world.vacuum

    @property
    def gripping(self) -> tuple[str, ...]:
        """The cup, while its pressure sensor shows that something closes it."""
        return (CUP,) if self.vacuum > HELD else ()


class SensedTabletopRobot(TabletopRobot):
    """A `TabletopRobot` that estimates where the blocks are."""

    name = f"ur5e, {SENSED}"

    def _plant(self) -> _SensedTable:
        self._sensed = _SensedTable(self._world, self._lens.look, self._cameras, period_s=_PERIOD_S)
        return self._sensed

    def _unseen(self) -> frozenset[str]:
        return self._sensed.unseen
