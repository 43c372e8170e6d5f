"""Forward kinematics of an arm for many postures at once, without the simulator.

Poses are expressed in the frame of the first joint: its origin on the joint's axis, its z along the
axis. In that frame the first joint only turns the hand about z.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.control.chain import arm_chain
from regrasp.core.arrays import Array, Floats

__all__ = ["HandPoses", "SerialChain", "arm_chains", "quaternions_of", "rotation_of"]


@dataclass(frozen=True, slots=True, eq=False)
class HandPoses:
    """Positions (3, n) in m and unit quaternions (4, n; w first) of the hand."""

    position: Floats
    quaternion: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SerialChain:
    """A chain of revolute joints.

    `base_position` (3,) and `base_rotation` (3, 3) place the frame of the first joint in the
    robot's frame. `offsets` (n + 1, 3) and `turns` (n + 1, 4, unit quaternions) lead from the frame
    of each joint (z is its axis) to the next one, and from the last one to the hand; those of index
    0 are the identity. `low` and `high` (n,) are the joints' limits in rad.
    """

    base_position: Array
    base_rotation: Array
    offsets: Array
    turns: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, model: mujoco.MjModel, joints: Sequence[str], site: str) -> SerialChain:
        """The chain of `joints` of a model up to a site; other joints stay at zero."""
        chain = arm_chain(model, joints, site)
        data = mujoco.MjData(chain)
        mujoco.mj_kinematics(chain, data)
        numbers = [chain.joint(name).id for name in joints]
        sliding = [j for j, k in zip(joints, numbers, strict=True) if chain.jnt_type[k] != 3]
        if sliding:
            raise ValueError(f"{sliding} are no hinges: a map is made of an arm's hinges alone")
        frames = [
            (np.array(data.xanchor[k]), _frame_with_z(np.array(data.xaxis[k]))) for k in numbers
        ]
        palm = data.site(site)
        frames.append((palm.xpos.copy(), palm.xmat.reshape(3, 3).copy()))
        offsets, rotations = [np.zeros(3)], [np.eye(3)]
        for (at, turn), (then, next_turn) in itertools.pairwise(frames):
            offsets.append(turn.T @ (then - at))
            rotations.append(turn.T @ next_turn)
        low, high = chain.jnt_range[numbers].T.copy()
        return cls(
            frames[0][0], frames[0][1], np.array(offsets), quaternions_of(np.array(rotations)).T,
            low, high,
        )  # fmt: skip

    @property
    def reach(self) -> float:
        """A radius (m) around the first joint that the hand never leaves."""
        return float(np.linalg.norm(self.offsets, axis=1).sum())

    def poses(self, q: Floats) -> HandPoses:
        """The hand for postures `q` (joints, n), in the frame of the first joint."""
        place, turn = self._walk([*q])
        place = [a + b for a, b in zip(place, _rotate(turn, self.offsets[-1]), strict=True)]
        return HandPoses(np.stack(place), np.stack(_times(turn, self.turns[-1])))

    def wrist_poses(self, inner: Floats) -> HandPoses:
        """The frame of the last joint for the joints between the first and the last one.

        `inner` is (joints - 2, n); the first and the last joint are at zero.
        """
        place, turn = self._walk([None, *inner, None])
        return HandPoses(np.stack(place), np.stack(turn))

    def _walk(self, angles: Sequence[Floats | None]) -> tuple[list[Floats], list[Floats]]:
        """Position and rotation of the last joint's frame, after its turn; None is no turn."""
        count = next(len(angle) for angle in angles if angle is not None)
        place = [np.zeros(count, np.float32) for _ in range(3)]
        turn = [np.ones(count, np.float32), *(np.zeros(count, np.float32) for _ in range(3))]
        for k, angle in enumerate(angles):
            if k:
                step = _rotate(turn, self.offsets[k])
                place = [a + b for a, b in zip(place, step, strict=True)]
                turn = _times(turn, self.turns[k])
            if angle is not None:
                turn = _times_z(turn, angle)
        return place, turn

    def manipulability(self, q: Floats) -> Array:
        """√det(J Jᵀ) (n,) for postures `q` (joints, n), with J in m and rad (Yoshikawa 1985)."""
        count, joints = q.shape[1], len(self.low)
        anchors, axes = np.empty((count, joints, 3)), np.empty((count, joints, 3))
        place, turn = np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1))
        rotations = [rotation_of(one) for one in self.turns]
        for k in range(joints + 1):
            place = place + turn @ self.offsets[k]
            turn = turn @ rotations[k]
            if k < joints:
                anchors[:, k], axes[:, k] = place, turn[:, :, 2]
                c, s = np.cos(q[k]), np.sin(q[k])
                x, y = turn[:, :, 0].copy(), turn[:, :, 1].copy()
                turn[:, :, 0] = c[:, None] * x + s[:, None] * y
                turn[:, :, 1] = c[:, None] * y - s[:, None] * x
        moved = np.cross(axes, place[:, None] - anchors)
        J = np.concatenate([moved, axes], axis=2)
        gram = np.swapaxes(J, 1, 2) @ J
        value: Array = np.sqrt(np.maximum(np.linalg.det(gram), 0.0))
        return value


def arm_chains(model: mujoco.MjModel, palm: str = "palm") -> dict[str, SerialChain]:
    """The arms of a robot by name: every site called `palm` or `left_palm`, and its hinges.

    An arm is called by what stands before `palm`, or "arm". Joints without limits (a base that
    turns) and slides (a lift) are no part of it.
    """
    chains = {}
    for number in range(model.nsite):
        site = model.site(number).name
        if site == palm or site.endswith(f"_{palm}"):
            joints: list[str] = []
            body = int(model.site_bodyid[number])
            while body:
                first = int(model.body_jntadr[body])
                own = range(first, first + int(model.body_jntnum[body]))
                hinges = [k for k in own if model.jnt_type[k] == 3 and model.jnt_limited[k]]
                joints = [model.joint(k).name for k in hinges] + joints
                body = int(model.body_parentid[body])
            if len(joints) >= 3:
                name = site.removesuffix(palm).rstrip("_") or "arm"
                chains[name] = SerialChain.of(model, joints, site)
    return chains


def rotation_of(quaternion: Array) -> Array:
    """The rotation (3, 3) of a unit quaternion (4,)."""
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quaternion, float))
    return matrix.reshape(3, 3)


def quaternions_of(rotations: Array) -> Array:
    """Unit quaternions (4, n) of rotations (n, 3, 3): of four formulas, the one that is stable."""
    r = np.asarray(rotations, float)
    xx, yy, zz = r[:, 0, 0], r[:, 1, 1], r[:, 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    a, b, c = r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]
    d, e, f = r[:, 0, 1] + r[:, 1, 0], r[:, 0, 2] + r[:, 2, 0], r[:, 1, 2] + r[:, 2, 1]
    table = np.array(
        [[squares[0], a, b, c], [a, squares[1], d, e], [b, d, squares[2], f], [c, e, f, squares[3]]]
    )
    best = squares.argmax(axis=0)
    chosen = table[best, :, np.arange(len(r))].T
    unit: Array = chosen / np.linalg.norm(chosen, axis=0)
    return unit


def _frame_with_z(axis: Array) -> Array:
    """A rotation (3, 3) whose third column is `axis`; upright axes keep x where it was."""
    x = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    y = np.cross(axis, x)
    y /= np.linalg.norm(y)
    return np.stack([np.cross(y, axis), y, axis], axis=1)


def _times(q: list[Floats], p: Array) -> list[Floats]:
    """The product of quaternions (four rows) and one constant quaternion."""
    a, b, c, d = (float(part) for part in p)
    w, x, y, z = q
    return [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b,
        w * d + x * c - y * b + z * a,
    ]


def _times_z(q: list[Floats], angle: Floats) -> list[Floats]:
    """The product of quaternions and turns about z."""
    c, s = np.cos(angle / 2), np.sin(angle / 2)
    w, x, y, z = q
    return [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s]


def _rotate(q: list[Floats], v: Array) -> list[Floats]:
    """A constant vector, turned by each quaternion: v + 2 w (u × v) + 2 u × (u × v)."""
    a, b, c = (float(part) for part in v)
    w, x, y, z = q
    i, j, k = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)
    return [a + w * i + y * k - z * j, b + w * j + z * i - x * k, c + w * k + x * j - y * i]
