"""The grip of a hand: what its closed fingers have between them is held by a weld.

A command to close holds the first body that both fingers touch, at the pose it has at that moment.
A free body is held in position and orientation. A part of furniture (a handle) is held at the point
between the fingers and may turn there. A body that is pulled out of its pose by more than `SLIP_M`
or `SLIP_RAD` is lost; then nothing is held until the fingers were opened. All of it is kept in the
state of the simulation, so that a snapshot includes it; `sync` writes it into the model, where
MuJoCo keeps the data of a weld.
"""

from __future__ import annotations

from typing import ClassVar

import mujoco
import numpy as np

from regrasp.core.arrays import Array
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.kit.two_arms import SIDES, grasp_weld

__all__ = ["MEMORY", "SLIP_M", "SLIP_RAD", "WeldGrip", "both_grips"]

SLIP_M, SLIP_RAD = 0.02, 0.35
_CLOSING = 0.0  # m: a target of the fingers below this is a command to close
_TURNS, _STAYS = 1e-3, 1.0  # MuJoCo's torquescale of a weld: a ball joint, and a rigid one
_BODY, _LOST, _ANCHOR, _TURN, _WIDTH = 0, 1, slice(2, 5), slice(5, 9), 9


class WeldGrip:
    """The grip of one hand; `memory` (`SLOTS`,) is its piece of the simulation's user data."""

    SLOTS: ClassVar[int] = 10
    """Body number (0: none), whether it was lost, anchor (3) in its frame, rotation (4), width."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, side: str, memory: Array
    ) -> None:
        self._model, self._data, self._memory = model, data, memory
        self._welds = {
            int(model.eq_obj2id[k]): k
            for k in np.flatnonzero(model.eq_type == int(mujoco.mjtEq.mjEQ_WELD)).tolist()
            if model.equality(k).name == grasp_weld(side, model.body(model.eq_obj2id[k]).name)
        }
        self._hand = int(model.body(f"{side}_hand").id)
        self._palm = model.site_pos[model.site(f"{side}_{PALM}").id].copy()
        fingers = (f"{side}_finger_left", f"{side}_finger_right")
        self._fingers = [int(model.body(name).id) for name in fingers]
        self._finger = int(model.joint(fingers[0]).qposadr[0])
        self._robot = int(model.body_rootid[self._hand])

    @property
    def holds(self) -> str:
        """The body it holds; empty for none."""
        body = int(self._memory[_BODY])
        return str(self._model.body(body).name) if body else ""

    @property
    def between(self) -> int:
        """The body that both fingers touch, free ones first; 0 for none."""
        contacts = self._data.contact
        pairs = self._model.geom_bodyid[contacts.geom].reshape(-1, 2)
        touched = [
            {int(b) for b in pairs[(pairs == finger).any(axis=1)].ravel()} - {finger}
            for finger in self._fingers
        ]
        found = [b for b in touched[0] & touched[1] if self._model.body_rootid[b] != self._robot]
        moving = [b for b in found if b in self._welds]
        return max(moving, key=lambda b: (self._model.body_dofnum[b], -b), default=0)

    def advance(self, fingers: float) -> float:
        """One control period in which the target of the fingers is `fingers` (m).

        Returns the target to apply: fingers that hold something stay as wide as it is, because
        their pressure would work against the weld.
        """
        before = float(self._memory[_BODY])
        if fingers >= _CLOSING:
            self._memory[:] = 0.0
        elif self._memory[_BODY] and self._slipped():
            self.lose()
        elif not self._memory[_BODY] and not self._memory[_LOST] and (body := self.between):
            self.take(body)
        if float(self._memory[_BODY]) != before:
            self.sync()
        return float(self._memory[_WIDTH]) if self._memory[_BODY] else fingers

    def lose(self) -> None:
        """Let go of what is held, as if it had slipped out."""
        self._memory[_BODY], self._memory[_LOST] = 0.0, 1.0
        self.sync()

    def sync(self) -> None:
        """Write the weld of the memory into the model and the state."""
        model, body = self._model, int(self._memory[_BODY])
        self._data.eq_active[list(self._welds.values())] = False
        if body:
            self._data.eq_active[self._welds[body]] = True
            weld = model.eq_data[self._welds[body]]
            weld[0:3], weld[3:6], weld[6:10] = (
                self._memory[_ANCHOR],
                self._palm,
                self._memory[_TURN],
            )
            weld[10] = _STAYS if model.body_dofnum[body] == 6 else _TURNS

    def take(self, body: int) -> None:
        """Hold a body at the pose it has now."""
        data, turn = self._data, np.zeros(4)
        point = self._point()
        self._memory[_BODY] = body
        self._memory[_ANCHOR] = data.xmat[body].reshape(3, 3).T @ (point - data.xpos[body])
        mujoco.mju_negQuat(turn, data.xquat[self._hand])
        mujoco.mju_mulQuat(turn, turn.copy(), data.xquat[body])
        self._memory[_TURN] = turn
        self._memory[_WIDTH] = data.qpos[self._finger]

    def _point(self) -> Array:
        """The point (3,) between the finger tips, in the world's frame."""
        data = self._data
        point: Array = data.xpos[self._hand] + data.xmat[self._hand].reshape(3, 3) @ self._palm
        return point

    def _slipped(self) -> bool:
        data, body = self._data, int(self._memory[_BODY])
        anchor = data.xpos[body] + data.xmat[body].reshape(3, 3) @ self._memory[_ANCHOR]
        if float(np.linalg.norm(anchor - self._point())) > SLIP_M:
            return True
        if self._model.body_dofnum[body] != 6:
            return False
        wanted, turn = np.zeros(4), np.zeros(3)
        mujoco.mju_mulQuat(wanted, data.xquat[self._hand], self._memory[_TURN])
        mujoco.mju_subQuat(turn, wanted, data.xquat[body])
        return float(np.linalg.norm(turn)) > SLIP_RAD


MEMORY = len(SIDES) * WeldGrip.SLOTS
"""The first numbers of the simulation's user data are the grips'."""


def both_grips(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, WeldGrip]:
    """The grips of both hands, by side."""
    return {
        side: WeldGrip(
            model, data, side, data.userdata[k * WeldGrip.SLOTS : (k + 1) * WeldGrip.SLOTS]
        )
        for k, side in enumerate(SIDES)
    }
