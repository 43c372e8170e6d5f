"""All postures of a seven-joint arm for a pose of its palm, in closed form.

The arm has the joints of Franka Emika's: three axes meet in the shoulder S, two in the wrist W, and
the elbow has an offset a to both sides. Its last joint q7 parametrises the redundancy (He and Liu,
"Analytical Inverse Kinematics for Franka Emika Panda", ICMA 2021; derived here from the frames).
With q7 chosen, W is known. With d = W - S, b and c the lengths of upper arm and forearm,

    |d|² = 2a² + b² + c² + 2 (bc - a²) cos q4 - 2a (b + c) sin q4            gives q4,
    d · z5 = h(q4),  z5 = sin q6 x6 - cos q6 z7                              gives two q6,

and the directions of the upper arm and of the elbow's axis follow from d and z5; two shoulder
postures (q1, q2) and their mirror images have them. So there are up to four postures for each q7.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["ArmPostures"]

_SAMPLES = 101  # values of the last joint: where the upper arm is upright, the elbow swings fast
_APART = 0.12  # rad between two postures that are kept
_TURN = np.array([0.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]) * np.pi / 2  # between two axes


class ArmPostures:
    """The postures of the arm of `joints` on its chain (`control.chain`); `site` is its palm."""

    def __init__(self, chain: mujoco.MjModel, joints: Sequence[str], site: str) -> None:
        bodies = [int(chain.joint(name).bodyid[0]) for name in joints]
        offsets = chain.body_pos[bodies]
        if len(joints) != 7 or not _is_known(chain, bodies):
            raise ValueError("closed-form postures need the joint axes of Franka Emika's arm")
        self._upper, self._fore = -float(offsets[2, 1]), float(offsets[4, 1])
        self._elbow, self._hand = float(offsets[3, 0]), float(offsets[6, 0])
        data = mujoco.MjData(chain)
        mujoco.mj_kinematics(chain, data)
        base = int(chain.body_parentid[bodies[0]])
        self._base = Pose(data.xpos[base].copy(), data.xmat[base].reshape(3, 3).copy())
        self._height = float(offsets[0, 2])
        flange = Pose(data.xpos[bodies[6]], data.xmat[bodies[6]].reshape(3, 3))
        palm = Pose.of(data.site(site))
        self._tool = flange.rotation.T @ (palm.position - flange.position)
        self._turn = flange.rotation.T @ palm.rotation
        self._low, self._high = chain.jnt_range[[chain.joint(name).id for name in joints]].T.copy()
        q7 = np.linspace(self._low[6], self._high[6], _SAMPLES + 2)[1:-1]
        self._q7 = np.concatenate([q7, q7])  # for either wrist posture
        self._sign = np.repeat([1.0, -1.0], _SAMPLES)

    def all_for(self, target: Pose) -> Array:
        """Postures (m, 7) within the joints' limits that reach a pose, sampled along q7."""
        return self.all_for_each([target])[0]

    def all_for_each(self, targets: Sequence[Pose]) -> list[Array]:
        """The same for each of several poses."""
        base = self._base.rotation.T
        R7 = base @ np.array([one.rotation for one in targets]) @ self._turn.T
        O7 = np.array([one.position for one in targets]) - self._base.position
        O7 = O7 @ base.T - R7 @ self._tool
        c7, s7 = np.cos(self._q7)[:, None], np.sin(self._q7)[:, None]
        x6, z7 = c7 * R7[:, None, :, 0] - s7 * R7[:, None, :, 1], R7[:, None, :, 2]
        d = O7[:, None] - self._hand * x6 - np.array([0.0, 0.0, self._height])
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._within(self._solved(d, x6, z7))

    def _solved(self, d: Array, x6: Array, z7: Array) -> Array:
        """Postures (p, m, 7) of p poses, NaN where there is none.

        d and x6 are (p, k, 3) for k samples of q7, z7 is (p, 1, 3).
        """
        a, b, c = self._elbow, self._upper, self._fore
        k1, k2 = 2 * (b * c - a * a), -2 * a * (b + c)
        k3 = (d * d).sum(axis=-1) - 2 * a * a - b * b - c * c
        q4 = np.arctan2(k2, k1) - np.arccos(k3 / np.hypot(k1, k2))
        C, S = np.cos(q4), np.sin(q4)
        X, Z = a * (1 - C) - c * S, b - a * S + c * C  # d in the axes x3, z3
        A, B = (x6 * d).sum(axis=-1), -(d * z7).sum(axis=-1)
        q6 = np.arctan2(A, B) + self._sign * np.arccos((C * Z - S * X) / np.hypot(A, B))
        s6, c6 = np.sin(q6)[..., None], np.cos(q6)[..., None]
        z5, x5 = s6 * x6 - c6 * z7, c6 * x6 + s6 * z7
        det = (X * C + Z * S)[..., None]
        x3 = (C[..., None] * d - Z[..., None] * z5) / det
        z3 = (S[..., None] * d + X[..., None] * z5) / det
        x4, z4 = C[..., None] * x3 + S[..., None] * z3, -np.cross(z3, x3)
        q5 = np.arctan2(-(x5 * z4).sum(axis=-1), (x5 * x4).sum(axis=-1))
        q7, found = np.broadcast_to(self._q7, q4.shape), []
        for side in (1.0, -1.0):
            q1 = np.arctan2(side * z3[..., 1], side * z3[..., 0])
            q2 = side * np.arccos(np.clip(z3[..., 2], -1.0, 1.0))
            c1, s1, c2, s2 = np.cos(q1), np.sin(q1), np.cos(q2), np.sin(q2)
            along = x3[..., 0] * c2 * c1 + x3[..., 1] * c2 * s1 - x3[..., 2] * s2
            q3 = np.arctan2(x3[..., 1] * c1 - x3[..., 0] * s1, along)
            found.append(np.stack([q1, q2, q3, q4, q5, q6, q7], axis=-1))
        return np.concatenate(found, axis=1)

    def _within(self, solved: Array) -> list[Array]:
        """Those of the postures (p, m, 7) within the limits, full turns aside, thinned out."""
        middle = (self._low + self._high) / 2
        turned = middle + (solved - middle + np.pi) % (2 * np.pi) - np.pi
        valid = ((turned > self._low) & (turned < self._high)).all(axis=2)  # none that is NaN
        return [_thinned(q[kept]) for q, kept in zip(turned, valid, strict=True)]


def _thinned(q: Array) -> Array:
    """Some of the postures (m, 7) of a pose, evenly spread."""
    if len(q) < 2:
        return q
    steps = np.abs(np.diff(q, axis=0)).max(axis=1)
    counted = np.floor(np.cumsum(steps) / _APART)
    kept: Array = q[np.concatenate([[True], np.diff(counted, prepend=0.0) > 0])]
    return kept


def _is_known(chain: mujoco.MjModel, bodies: Sequence[int]) -> bool:
    """Whether the frames are those of the derivation: turned about x, offsets where they are."""
    turns = np.array([2 * np.arctan2(chain.body_quat[n, 1], chain.body_quat[n, 0]) for n in bodies])
    off = chain.body_pos[bodies].copy()
    off[[0], 2] = off[[2, 4], 1] = off[[3, 4, 6], 0] = 0.0
    equal = np.isclose(chain.body_pos[bodies[3], 0], -chain.body_pos[bodies[4], 0])
    straight = np.allclose(chain.jnt_axis, [0.0, 0.0, 1.0])
    return bool(np.allclose(turns, _TURN) and np.allclose(off, 0.0) and equal and straight)
