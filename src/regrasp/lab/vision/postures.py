"""Postures of the walker during its skills: moments of real episodes, without the room.

The motion of a policy cannot be guessed. `python -m train.walker.postures` runs episodes and keeps
moments of them; the scene sampler sets the walker of any room to one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.worlds.kit.walker import BASE, JOINTS
from regrasp.worlds.walker_room.world import WalkerWorld

__all__ = ["FILE", "Posture", "postures"]

Doubles = npt.NDArray[np.float64]

FILE = Path(__file__).with_name("postures.npy")
_AT_A_TABLE_M, _BY_THE_BOX_M = 1.2, 0.9  # within which a table, or the box, is included
_PARTS = (len(JOINTS), 1, 4, 7, 3, 1)  # numbers of each part of a row


@dataclass(frozen=True, slots=True, eq=False)
class Posture:
    """One moment, in an upright frame at the walker's feet, with the walker's heading.

    `joints` (16,) in the order of JOINTS; `height` and `tilt` (4,), a quaternion, of the trunk;
    `box` (7,), the pose of the box in that frame, or None if it was farther away; `table` (3,), the
    x, y and yaw of that frame relative to the nearest table, or None; `held` whether the hands
    held the box.
    """

    joints: Doubles
    height: float
    tilt: Doubles
    box: Doubles | None
    table: Doubles | None
    held: bool

    @property
    def row(self) -> npt.NDArray[np.float32]:
        """The row in the file; None becomes nan."""
        box = np.full(7, np.nan) if self.box is None else self.box
        table = np.full(3, np.nan) if self.table is None else self.table
        parts = (self.joints, [self.height], self.tilt, box, table, [float(self.held)])
        return np.concatenate(parts).astype(np.float32)

    @classmethod
    def of(cls, row: npt.NDArray[np.float32]) -> Posture:
        """From a row of the file."""
        ends = np.cumsum(_PARTS)[:-1]
        joints, height, tilt, box, table, held = np.split(row.astype(np.float64), ends)
        return cls(
            joints, float(height[0]), tilt, None if np.isnan(box).any() else box,
            None if np.isnan(table).any() else table, bool(held[0]),
        )  # fmt: skip

    @classmethod
    def in_world(cls, world: WalkerWorld) -> Posture:
        """The posture of the present moment."""
        data = world.data
        trunk = data.body(BASE)
        x, y, yaw = _stands(data, BASE)
        tilt = _turned(np.array(trunk.xquat), -yaw)
        joints = np.array([float(data.joint(name).qpos[0]) for name in JOINTS])
        box = table = None
        for name in (thing.name for thing in world.scene.things.values() if thing.movable):
            at = _seen(data.body(name).xpos, (x, y, yaw))
            if float(np.hypot(*at[:2])) < _BY_THE_BOX_M:
                box = np.concatenate([at, _turned(np.array(data.body(name).xquat), -yaw)])
        for name in world.scene.tops:
            place = _stands(data, name)
            at = _seen(np.array([x, y, 0.0]), place)
            away = float(np.hypot(*at[:2]))
            if away < _AT_A_TABLE_M and (table is None or away < float(np.hypot(*table[:2]))):
                table = np.array([*at[:2], yaw - place[2]])
        return cls(joints, float(trunk.xpos[2]), tilt, box, table, bool(world.holding))

    def from_table(self, data: mujoco.MjData, table: str) -> tuple[float, float, float]:
        """The walker's pose (x, y, yaw) in the room, at a table of that name."""
        if self.table is None:
            raise ValueError("this posture was not taken at a table")
        place = _stands(data, table)
        return (*_world_position(self.table[:2], place), self.table[2] + place[2])

    def trunk(self, stands: tuple[float, float, float]) -> Doubles:
        """The pose (7,) of the trunk for a walker at `stands` (x, y, yaw)."""
        x, y, yaw = stands
        return np.array([x, y, self.height, *_turned(self.tilt, yaw)])

    def thing(self, stands: tuple[float, float, float]) -> Doubles:
        """The pose (7,) of the box for a walker at `stands` (x, y, yaw)."""
        if self.box is None:
            raise ValueError("there was no box near this posture")
        x, y = _world_position(self.box[:2], stands)
        return np.array([x, y, self.box[2], *_turned(self.box[3:], stands[2])])


@cache
def postures() -> tuple[Posture, ...]:
    """The postures in the package."""
    return tuple(map(Posture.of, np.load(FILE)))


def _stands(data: mujoco.MjData, name: str) -> tuple[float, float, float]:
    """The pose (x, y, yaw) of a body, seen from above."""
    (x, y, _), ahead = data.body(name).xpos, data.body(name).xmat.reshape(3, 3)[:2, 0]
    return float(x), float(y), float(np.arctan2(ahead[1], ahead[0]))


def _seen(at: Doubles, stands: tuple[float, float, float]) -> Doubles:
    """A point (3,) of the room in the frame at `stands`."""
    x, y, yaw = stands
    c, s = np.cos(yaw), np.sin(yaw)
    dx, dy = at[0] - x, at[1] - y
    return np.array([c * dx + s * dy, c * dy - s * dx, at[2]])


def _world_position(at: Doubles, stands: tuple[float, float, float]) -> tuple[float, float]:
    """The room coordinates of a point (2,) in the frame at `stands`."""
    x, y, yaw = stands
    c, s = np.cos(yaw), np.sin(yaw)
    return float(x + c * at[0] - s * at[1]), float(y + s * at[0] + c * at[1])


def _turned(quat: Doubles, yaw: float) -> Doubles:
    """An orientation after a turn about the vertical."""
    turn, found = np.zeros(4), np.zeros(4)
    mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0.0, 1.0]), yaw)
    mujoco.mju_mulQuat(found, turn, quat)
    return found
