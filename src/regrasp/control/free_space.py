"""Free positions to put an object out of the way: on a free patch outside the sweep of any door.

Positions are tested in the robot's own model of the scene, not in the world.
"""

from __future__ import annotations

import mujoco
import numpy as np

from regrasp.control.affordance import Affordances, SceneObject
from regrasp.core.arrays import Array

__all__ = ["PlacementProbe", "free_position"]

_REACH = (0.36, 0.78)  # m from the arm's foot
_RADII = np.linspace(0.38, 0.78, 17)
_ANGLES = np.linspace(-1.25, 1.25, 61)
_STRIDES = np.linspace(0.15, 0.50, 15)
_DEPTH = 0.006  # m two shapes may overlap on the way before it counts as a collision


def free_position(
    model: mujoco.MjModel,
    state: mujoco.MjData,
    affordances: Affordances,
    thing: SceneObject,
    away_from: Array,
    distance: float,
) -> Array | None:
    """The nearest free point (3,) for `thing`'s centre, `distance` m or more from `away_from` (3,).

    A patch is free if the object on it touches nothing, with every joint of the scene closed, half
    open and open. Patches that a straight motion at the object's height and tilt reaches come
    first: a bar can leave two handles only along its own axis. None if no free patch is in reach.
    """
    probe = PlacementProbe(model, state, thing)
    here, palm = probe.here, np.array(state.site("palm").xpos)
    spots = [np.append(xy, probe.support(xy) + thing.extent[1] + 0.004) for xy in probe.patches()]
    spots = [at for at in spots if _apart(at, here[2], away_from) >= distance + 0.02]
    # Prefer the surface it stands on, and the side of the hand.
    spots.sort(
        key=lambda at: float(
            np.linalg.norm(at[:2] - here[:2])
            + 0.5 * np.linalg.norm(at[:2] - palm[:2])
            + 4.0 * abs(at[2] - here[2])
        )
    )
    second: Array | None = None
    for at in spots:
        if not probe.clear(at, affordances):
            continue
        if probe.straight(at):
            return at
        second = at if second is None else second
    return second


def _apart(at: Array, carried: float, other: Array) -> float:
    """The smaller distance from `other`: of the object at `at`, or carried above it."""
    above = np.append(at[:2], carried)
    return float(min(np.linalg.norm(at - other), np.linalg.norm(above - other)))


class PlacementProbe:
    """A copy of the scene in which one object is moved."""

    def __init__(self, model: mujoco.MjModel, state: mujoco.MjData, thing: SceneObject) -> None:
        self.model, self.thing = model, thing
        self.data = mujoco.MjData(model)
        self.data.qpos[:] = state.qpos
        self.here = np.array(state.site(thing.site).xpos)
        self.axes = np.array(state.site(thing.site).xmat).reshape(3, 3).T
        # A held object keeps its tilt while it is carried, and lies level when put down.
        self.tilt, self.level = np.zeros(4), np.zeros(4)
        mujoco.mju_mat2Quat(self.tilt, self.axes.T.flatten())
        level = np.array(self.axes)
        steep = int(np.argmax(np.abs(level[:, 2])))
        level[steep] = [0.0, 0.0, np.sign(level[steep, 2])]
        first, second = (steep + 1) % 3, (steep + 2) % 3
        level[first, 2] = 0.0
        level[first] /= np.linalg.norm(level[first])
        level[second] = np.cross(level[steep], level[first])
        mujoco.mju_mat2Quat(self.level, level.T.flatten())
        self.body = int(model.site_bodyid[model.site(thing.site).id])
        self.address = int(model.jnt_qposadr[model.body_jntadr[self.body]])
        self.data.qpos[self.address + 3 : self.address + 7] = self.level
        self.arm = int(model.body_rootid[model.body("hand").id])

    def patches(self) -> list[Array]:
        """(2,) points to try: a fan in front of the arm, and strides along the axes."""
        fan = [r * np.array([np.cos(a), np.sin(a)]) for r in _RADII for a in _ANGLES]
        axes = [axis[:2] for axis in (*self.axes, *np.eye(3)) if abs(axis[2]) < 0.5]
        own = [s * axis for axis in axes for s in _STRIDES]
        points = fan + [self.here[:2] + sign * step for step in own for sign in (1, -1)]
        return [p for p in points if _REACH[0] <= np.linalg.norm(p) <= _REACH[1] and p[0] > 0.1]

    def support(self, xy: Array) -> float:
        """Height of the surface under a point, from 0.6 m up, without the arm and the object."""
        self._move(np.array([0.0, 0.0, -5.0]))
        start, down = np.append(xy, 0.6), np.array([0.0, 0.0, -1.0])
        hit = np.array([-1], np.int32)
        while True:
            drop = mujoco.mj_ray(self.model, self.data, start, down, None, True, -1, hit, None)
            if drop < 0:
                return 0.0
            if self.model.body_rootid[self.model.geom_bodyid[hit[0]]] != self.arm:
                return float(start[2] - drop)
            start = start + (drop + 1e-3) * down

    def clear(self, at: Array, affordances: Affordances) -> bool:
        """Whether the object is free at `at`, with every joint closed, half open and open."""
        before = self.data.qpos.copy()
        margin = 0.012  # m of room all around
        try:
            for fraction in (0.0, 0.5, 1.0):
                for name, joint in affordances.joints.items():
                    q = joint.closed + fraction * (joint.open - joint.closed)
                    self.data.qpos[self.model.joint(name).qposadr[0]] = q
                for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                    if self.depth(at + margin * np.array([dx, dy, 0.0])) > 0.0:
                        return False
        finally:
            self.data.qpos[:] = before
        return True

    def straight(self, at: Array) -> bool:
        """Whether it can move above `at` as it is, and down level, without a collision."""
        over = np.append(at[:2], max(self.here[2], at[2]))
        return self._free(self.here, over, self.tilt) and self._free(over, at, self.level)

    def _free(self, start: Array, end: Array, turned: Array) -> bool:
        """Whether it can move from `start` to `end`, `turned` (a quaternion), without collision."""
        turn = slice(self.address + 3, self.address + 7)
        self.data.qpos[turn] = turned
        steps = np.linspace(0.0, 1.0, max(2, int(np.linalg.norm(end - start) / 0.02)))
        free = all(self.depth(start + t * (end - start)) < _DEPTH for t in steps)
        self.data.qpos[turn] = self.level
        return free

    def _move(self, at: Array) -> None:
        self.data.qpos[self.address : self.address + 3] = at
        mujoco.mj_kinematics(self.model, self.data)

    def depth(self, at: Array) -> float:
        """How deep (m) the thing at `at` overlaps anything but the arm; 0 if it does not."""
        self._move(at)
        mujoco.mj_collision(self.model, self.data)
        contact = self.data.contact
        bodies = self.model.geom_bodyid[contact.geom]
        mine = (bodies == self.body).any(axis=1)
        mine &= ~(self.model.body_rootid[bodies] == self.arm).any(axis=1)
        return float(max(0.0, -contact.dist[mine].min())) if mine.any() else 0.0
