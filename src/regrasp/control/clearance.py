"""Whether a path is free of collisions, in the robot's own model of the scene.

The model holds the objects that the robot knows, at their estimated poses. An object is in the way
if the arm or the carried object comes nearer to it than `MARGIN_M`.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["MARGIN_M", "Carried", "Clearance", "between_knots", "place_body"]

MARGIN_M = 0.003
_STRIDE = 0.05  # rad between two checked postures of a path


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """An object that moves with the cup: its name, and its pose in the cup's frame."""

    name: str
    offset: Pose

    def under(self, cup: Pose) -> Pose:
        """Its pose when the cup is at `cup`."""
        position = cup.position + cup.rotation @ self.offset.position
        return Pose(position, cup.rotation @ self.offset.rotation)


class Clearance:
    """Checks `joints` for collisions in a copy of `model`; `site` is the cup."""

    def __init__(self, model: mujoco.MjModel, joints: Sequence[str], site: str) -> None:
        self._model = copy.copy(model)
        self._model.geom_margin[:] = MARGIN_M
        self._model.body_margin[:] = MARGIN_M  # the broad phase goes by this one
        self._model.geom_gap[:] = 0.0
        self._data = mujoco.MjData(self._model)
        self._at = model.jnt_qposadr[[model.joint(name).id for name in joints]]
        self._site = int(model.site(site).id)
        first = model.jnt_bodyid[model.joint(joints[0]).id]
        self._arm = np.zeros(model.nbody, bool)
        for body in range(model.nbody):
            self._arm[body] = body == first or self._arm[model.body_parentid[body]]

    def see(self, qpos: Array) -> None:
        """Copy the present positions of the scene, (nq,)."""
        self._data.qpos[:] = qpos

    def first_collision(
        self, knots: Array, carried: Carried | None = None, beside: Collection[str] = ()
    ) -> str:
        """The first part of the robot that would touch something along `knots` (m, n); "" if none.

        Objects named in `beside` may be touched: they are the objects of the motion. A path may
        begin in contact if it leads away.
        """
        leaving, touching = True, ""
        for q in between_knots(knots):
            touching = self._touches(q, carried, beside)
            if touching and not leaving:
                return touching
            leaving = bool(touching)
        return touching

    def _touches(self, q: Array, carried: Carried | None, beside: Collection[str]) -> str:
        model, data = self._model, self._data
        data.qpos[self._at] = q
        mujoco.mj_kinematics(model, data)
        mine = self._arm.copy()
        if carried is not None:
            cup = Pose(data.site_xpos[self._site], data.site_xmat[self._site].reshape(3, 3))
            place_body(model, data, carried.name, carried.under(cup))
            mujoco.mj_kinematics(model, data)
            mine[model.body(carried.name).id] = True
        mujoco.mj_collision(model, data)
        bodies = model.geom_bodyid[data.contact.geom[data.contact.dist < MARGIN_M]]
        passive = [model.body(name).id for name in beside]
        for pair in bodies[mine[bodies].sum(axis=1) == 1]:
            own, other = pair if mine[pair[0]] else pair[::-1]
            if other not in passive:
                return str(model.body(int(own)).name)
        return ""


def place_body(model: mujoco.MjModel, data: mujoco.MjData, name: str, pose: Pose) -> None:
    """Set the position of a free body; its frames follow with the next kinematics."""
    start = int(model.jnt_qposadr[model.body_jntadr[model.body(name).id]])
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, pose.rotation.flatten())
    data.qpos[start : start + 7] = [*pose.position, *quat]


def between_knots(knots: Array) -> Array:
    """The knots, with postures between knots that are far apart."""
    parts = [knots[:1]]
    for a, b in itertools.pairwise(knots):
        count = max(1, int(np.ceil(np.abs(b - a).max() / _STRIDE)))
        parts.append(a + (b - a) * np.linspace(0.0, 1.0, count + 1)[1:, None])
    return np.concatenate(parts)
