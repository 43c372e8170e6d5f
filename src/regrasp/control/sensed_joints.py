"""How far the doors of furniture are open, from depth pictures."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Articulation
from regrasp.control.depth_view import DepthView, ExpectedDepth
from regrasp.core.arrays import Array

__all__ = ["LEAST_RAYS", "SensedJoints"]

LEAST_RAYS = 12
"""Rays that make a sighting."""
_TRIALS, _FINE = 17, 4  # positions of a joint that are tried over its range, and around the best
_AJAR = 0.02  # fraction of its range: a smaller correction of a joint is left out
_JOINT_RAYS = 1200

Bits = npt.NDArray[np.bool_]


class SensedJoints:
    """Fits joints of a believed state `data` of `planning`; `model` is the scene as cameras see it.

    `shown` is a state of `model`, used for what the cameras should see.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        planning: mujoco.MjModel,
        data: mujoco.MjData,
        shown: mujoco.MjData,
        joints: Sequence[Articulation],
    ) -> None:
        self.model, self.planning = model, planning
        self.data, self._shown = data, shown
        self._driven = {joint.name: self._subtree(joint.name) for joint in joints}

    def correct(
        self, joint: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Move a joint to where the pictures show its parts; whether it was moved."""
        mine, near, wrong, count = self._driven[joint], [], 0, 0
        anchor = self._shown.xanchor[self.model.joint(joint).id]
        reach = self._reach(joint)
        for view, one in zip(views, expected, strict=True):
            on = mine[one.geom]
            beside = ~one.seen & (np.linalg.norm(view.points - anchor, axis=1) < reach)
            wrong += int(np.sum(on & one.absent) + np.sum(beside & one.hidden))
            count += int(np.sum(on & one.seen))
            near.append(view.where(on | beside))
        if wrong < max(LEAST_RAYS, 0.1 * count):
            return False
        near = [view.thinned(_JOINT_RAYS // len(near)) for view in near]
        address = int(self.planning.joint(joint).qposadr[0])
        now = float(self.data.qpos[address])
        low, high = self.model.joint(joint).range
        trials = np.append(np.linspace(low, high, _TRIALS), now)
        best = self._best_position(address, trials, near)
        step = (high - low) / (_TRIALS - 1)
        around = best + step * np.linspace(-1.0, 1.0, 2 * _FINE + 1)
        best = self._best_position(address, np.append(np.clip(around, low, high), now), near)
        if abs(best - now) < _AJAR * (high - low):
            return False
        self.data.qpos[address] = best
        self.data.qvel[int(self.planning.joint(joint).dofadr[0])] = 0.0
        return True

    def _best_position(self, address: int, trials: Array, views: Sequence[DepthView]) -> float:
        """The position of a joint at which the fewest rays contradict it."""
        self._shown.qpos[:] = self.data.qpos
        costs = []
        for trial in trials:
            self._shown.qpos[address] = trial
            mujoco.mj_kinematics(self.model, self._shown)
            found = [view.expected(self.model, self._shown) for view in views]
            costs.append(sum(int(np.sum(~one.seen)) for one in found))
        return float(trials[int(np.argmin(costs))])

    def _subtree(self, joint: str) -> Bits:
        """Which geoms a joint moves: (ngeom + 1,), the last one for no geom."""
        model, within = self.model, np.zeros(self.model.nbody, bool)
        within[int(model.joint(joint).bodyid[0])] = True
        for body in range(model.nbody):
            within[body] |= within[model.body_parentid[body]]
        return np.append(within[model.geom_bodyid], False)

    def _reach(self, joint: str) -> float:
        """How far (m) its parts reach from a joint."""
        geoms = np.flatnonzero(self._driven[joint][:-1])
        anchor = self._shown.xanchor[self.model.joint(joint).id]
        away = np.linalg.norm(self._shown.geom_xpos[geoms] - anchor, axis=1)
        return float(np.max(away + self.model.geom_rbound[geoms], initial=0.0))
