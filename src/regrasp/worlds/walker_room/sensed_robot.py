"""The walker whose skills use what it senses, not the state of the simulator.

Sensed is the box: by the cameras in its head and in the room, and by the touch of its hands. Given
are its own pose (odometry), and those of tables and gate (a calibrated map).

Names that begin with an underscore have access to the truth; agents must not use them.
"""

from __future__ import annotations

from regrasp.control.humanoid import HumanoidPlant
from regrasp.control.sensed_scene import SensedScene
from regrasp.worlds.kit.walker import HAND_M, HANDS
from regrasp.worlds.sensed_plant import SENSED, SensedPlant
from regrasp.worlds.walker_room.robot import WalkerRobot
from regrasp.worlds.walker_room.world import WalkerWorld

__all__ = ["SensedWalkerRobot"]

_PERIOD_S = 0.5  # between two looks
_ROWS = 120  # of rays: the box is small in a picture of the room
_AT_HAND_M = 0.05  # from the palm to what it holds, when the belief is a little wrong


class _SensedRoom(SensedPlant):
    """The room as the walker senses it."""

    _world: WalkerWorld

    def _make_belief(self) -> SensedScene:
        return SensedScene(*self._scene_parts(), near_first=True)

    @property
    def holding(self) -> str:
        """What the hands feel between them; the touch sensors do not say which thing it is."""
        return "something" if self._world.holding else ""

    @property
    def fallen(self) -> bool:
        """Whether it has fallen, by its own orientation sensor."""
        return self._world.fallen

    @property
    def gripping(self) -> tuple[str, ...]:
        """The left hand, while both feel something between them."""
        return HANDS[:1] if self._world.holding else ()

    @property
    def grip_reach_m(self) -> float:
        """See `SensedPlant.grip_reach_m`: the tool is the middle of a hand."""
        return HAND_M + _AT_HAND_M


class SensedWalkerRobot(WalkerRobot):
    """A `WalkerRobot` that estimates where the box is."""

    name = f"walker, {SENSED}"

    def _plant(self) -> HumanoidPlant:
        self._sensed = _SensedRoom(
            self._world, self._lens.look, self._cameras, period_s=_PERIOD_S, rows=_ROWS
        )
        return self._sensed

    def _unseen(self) -> frozenset[str]:
        return self._sensed.unseen
