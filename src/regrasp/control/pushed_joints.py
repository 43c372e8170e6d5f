"""Joints of furniture that the robot's own parts push, without a picture and without physics.

No part of the robot can be inside a door or a button. So where its encoders put a part of the robot
there, the door or the button gave way. With the depth d > 0 of an overlap, the direction n (3,) out
of the robot, and the velocity J (3,) of the point of contact per unit of the joint, the joint moved
by

    d / (n · J).

A spring brings a joint back as far as the robot lets it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Articulation
from regrasp.core.arrays import Array

__all__ = ["PushedJoints"]

_TOUCH_M = 1e-5  # a smaller overlap is a touch
_ALONG = 0.5  # cosine of n and J: a push across the joint's motion does not move it
_LEVER_M = 0.05  # a contact nearer to a hinge does not turn it
_RETURN = 0.2  # of its way back, a sprung joint goes in one control period

Geoms = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class _Joint:
    """A joint of furniture: its `number` and `address`, and the `geoms` (k,) that it moves."""

    number: int
    address: int
    geoms: Geoms


class PushedJoints:
    """Moves the joints of furniture in a believed state `data` of `model`.

    `things` are the free bodies; each joint that is neither theirs nor in `joints` is the robot's.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        things: Collection[str],
        joints: Sequence[Articulation],
    ) -> None:
        self._model, self._data = model, data
        moved = {joint.name: int(model.joint(joint.name).bodyid[0]) for joint in joints}
        free = {int(model.body(name).id) for name in things}
        carrier = model.body_weldid[model.geom_bodyid]  # the body that each geom moves with
        self._own = np.flatnonzero(~np.isin(carrier, [0, *free, *moved.values()]))
        self._joints = {
            name: _Joint(
                int(model.joint(name).id),
                int(model.joint(name).qposadr[0]),
                np.flatnonzero(carrier == body),
            )
            for name, body in moved.items()
        }

    def give_way(self, held: Collection[str]) -> None:
        """Move every joint that is not `held` by a gripper out of the robot's way.

        The kinematics of the state must be computed; they are up to date afterwards.
        """
        for name, joint in self._joints.items():
            if name not in held:
                self._spring_back(joint)
                self._push(joint)

    def _spring_back(self, joint: _Joint) -> None:
        model, data = self._model, self._data
        low, high = model.jnt_range[joint.number]
        rest = float(np.clip(model.qpos_spring[joint.address], low, high))
        away = rest - float(data.qpos[joint.address])
        friction = model.dof_frictionloss[model.jnt_dofadr[joint.number]]
        if abs(away) > 0.0 and model.jnt_stiffness[joint.number] * abs(away) > friction:
            data.qpos[joint.address] += _RETURN * away
            mujoco.mj_kinematics(model, data)

    def _push(self, joint: _Joint) -> None:
        moves = list(self._moves(joint))
        if not moves or min(moves) < 0.0 < max(moves):
            return  # between two parts of the robot it goes neither way
        low, high = self._model.jnt_range[joint.number]
        before = float(self._data.qpos[joint.address])
        after = float(np.clip(before + max(moves, key=abs), low, high))
        if after != before:
            self._data.qpos[joint.address] = after
            mujoco.mj_kinematics(self._model, self._data)

    def _moves(self, joint: _Joint) -> Iterator[float]:
        """How far the joint must move to end each overlap with the robot."""
        model, data, fromto = self._model, self._data, np.zeros(6)
        axis, anchor = data.xaxis[joint.number], data.xanchor[joint.number]
        slides = model.jnt_type[joint.number] == int(mujoco.mjtJoint.mjJNT_SLIDE)
        for own, part in self._near(joint.geoms):
            depth = -mujoco.mj_geomDistance(model, data, int(own), int(part), _TOUCH_M, fromto)
            if depth < _TOUCH_M:
                continue
            outward = (fromto[:3] - fromto[3:]) / depth
            point = (fromto[:3] + fromto[3:]) / 2
            velocity = axis if slides else np.cross(axis, point - anchor)
            lever, along = float(np.linalg.norm(velocity)), float(outward @ velocity)
            if lever > _LEVER_M and abs(along) > _ALONG * lever:
                yield depth / along

    def _near(self, geoms: Geoms) -> Array:
        """Pairs (k, 2) of a geom of the robot and one of `geoms` that may touch."""
        model, at = self._model, self._data.geom_xpos
        apart = np.linalg.norm(at[self._own, None] - at[None, geoms], axis=2)
        reach = model.geom_rbound[self._own, None] + model.geom_rbound[None, geoms]
        kinds, masks = model.geom_contype, model.geom_conaffinity
        meet = (kinds[self._own, None] & masks[None, geoms]) != 0
        meet |= (masks[self._own, None] & kinds[None, geoms]) != 0
        first, second = np.nonzero(meet & (apart < reach))
        return np.stack([self._own[first], geoms[second]], axis=1)
