"""The position servos of some joints: readings, and the feed-forward that keeps them from lagging.

A servo's torque is kp (ctrl - q) - kv v. For it to be M a at the setpoint's v and a, ctrl has to
lead the setpoint by (M a + kv v) / kp.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from regrasp.control.trajectory import Setpoint
from regrasp.core.arrays import Array

__all__ = ["JointServos"]


class JointServos:
    """The servos of `joints` of a simulated model; each servo has the name of its joint."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, joints: Sequence[str]) -> None:
        self._model, self._data = model, data
        numbers = [int(model.joint(name).id) for name in joints]
        self.numbers = range(min(numbers), max(numbers) + 1)
        self.addresses, self._dof = model.jnt_qposadr[numbers], model.jnt_dofadr[numbers]
        servos = [int(model.actuator(name).id) for name in joints]
        self._kp = model.actuator_gainprm[servos, 0].copy()
        self._kv = -model.actuator_biasprm[servos, 2] + model.dof_damping[self._dof]
        self.low, self.high = model.jnt_range[numbers].T.copy()

    @property
    def q(self) -> Array:
        """Joint positions (n,), in rad or m."""
        return np.array(self._data.qpos[self.addresses])

    @property
    def v(self) -> Array:
        """Joint velocities (n,)."""
        return np.array(self._data.qvel[self._dof])

    def lead(self, wanted: Setpoint) -> Array:
        """How far (n,) the servos' targets have to be ahead of a setpoint."""
        torque, a = np.zeros(self._model.nv), np.zeros(self._model.nv)
        a[self._dof] = wanted.a
        mujoco.mj_mulM(self._model, self._data, torque, a)
        ahead: Array = (torque[self._dof] + self._kv * wanted.v) / self._kp
        return ahead
