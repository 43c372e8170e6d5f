"""A sensed scene where nothing moves between looks but the robot, what it holds, what it pushes.

It suits a robot with grippers among many things at rest: physics for all of them would cost more
than it tells. Where things are at the start is known from a map; a thing that still stands there is
left alone, and one that was put down is taken to stand upright on what is below it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import mujoco
import numpy as np

from regrasp.control.affordance import Articulation
from regrasp.control.body_surface import BodySurface
from regrasp.control.clearance import place_body
from regrasp.control.depth_view import DepthView, ExpectedDepth
from regrasp.control.hue import Hue
from regrasp.control.ik import Pose
from regrasp.control.pushed_joints import PushedJoints
from regrasp.control.sensed_joints import LEAST_RAYS
from regrasp.control.sensed_scene import NEAR_M, SensedScene
from regrasp.control.thing_shape import thing_shape
from regrasp.core.arrays import Array

__all__ = ["StillScene"]

_AGREES, _REST_M = 0.8, 0.001  # mean distance of the points of a thing at rest: of their noise, and
_CLUSTERS = 4  # at most so many are tried for a lost thing
_SMALL_M = 0.004  # a larger correction must explain more of the pictures
_DEEP_M = 0.002  # two things are at the same place
_UPRIGHT_COS, _GAP_M = 0.96, 0.02  # a thing that leans less, and is not farther above, stands


class StillScene(SensedScene):
    """See `SensedScene`. A gripper may also hold a part of furniture, which then turns with it.

    A part of furniture that the robot pushes gives way; a thing that it pushes does not.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        planning: mujoco.MjModel,
        things: Mapping[str, Hue | None],
        joints: Sequence[Articulation],
    ) -> None:
        self._leaves: dict[str, tuple[BodySurface, str]] = {}  # by body: its surface and its joint
        for joint in joints:
            body = str(model.body(int(model.joint(joint.name).bodyid[0])).name)
            self._leaves[body] = (BodySurface(model, body), joint.name)
        self._turned: dict[str, tuple[str, Array]] = {}  # by frame: the body, where in it
        self._views: tuple[DepthView, ...] = ()
        self._shapes = {name: thing_shape(planning, name) for name in things}
        super().__init__(model, planning, things, joints, near_first=True)
        self._pushed = PushedJoints(planning, self.data, things, joints)

    def forget(self) -> None:
        """See `SensedScene.forget`."""
        self._turned.clear()
        super().forget()

    def read_map(self, poses: Mapping[str, Pose]) -> None:
        """Take things to be where a map shows them."""
        for name, pose in poses.items():
            place_body(self.planning, self.data, name, pose)
            self.seen.add(name)
        mujoco.mj_forward(self.planning, self.data)

    # ---- what grippers hold --------------------------------------------------------------------

    def hold(self, frames: Collection[str], within_m: float = NEAR_M) -> None:
        """See `SensedScene.hold`."""
        for frame in [one for one in self._turned if one not in frames]:
            del self._turned[frame]
        before = dict(self._held)
        super().hold([one for one in frames if one not in self._turned], within_m)
        for frame, (thing, _) in before.items():
            if frame not in self._held:
                self._stand(thing)  # let go of, it falls the last millimetres
        for frame in frames:
            if frame in self._held or frame in self._turned:
                continue
            tool, near = self.data.site(frame).xpos, {}
            for body, (surface, _) in self._leaves.items():
                pose = Pose.of(self.data.body(body))
                near[body] = float(surface.from_pose(pose, tool[None])[0])
            body = min(near, key=lambda one: near[one], default="")
            if body and near[body] < within_m:
                pose = Pose.of(self.data.body(body))
                self._turned[frame] = (body, pose.rotation.T @ (tool - pose.position))

    def held(self, frame: str) -> str:
        """The body that the gripper with a tool holds: a thing or a part of furniture, or ""."""
        return {**self._turned, **self._held}.get(frame, ("",))[0]

    # ---- prediction ----------------------------------------------------------------------------

    def predict(self, control: Array, own: Array, own_speed: Array) -> None:
        """See `SensedScene.predict`."""
        self.data.qvel[:] = 0.0
        self._follow(own, own_speed)
        for frame, (body, point) in self._turned.items():
            self._turn(self._leaves[body][1], body, point, self.data.site(frame).xpos)
        mujoco.mj_kinematics(self.planning, self.data)
        self._pushed.give_way({self._leaves[body][1] for body, _ in self._turned.values()})
        mujoco.mj_comPos(self.planning, self.data)
        mujoco.mj_makeM(self.planning, self.data)

    def _turn(self, joint: str, body: str, point: Array, tool: Array) -> None:
        """Move a joint so that a point of its body comes as near as it can to a tool."""
        number, pose = int(self.planning.joint(joint).id), Pose.of(self.data.body(body))
        axis, anchor = self.data.xaxis[number], self.data.xanchor[number]
        now = pose.position + pose.rotation @ point
        if self.planning.jnt_type[number] == int(mujoco.mjtJoint.mjJNT_SLIDE):
            step = float(axis @ (tool - now))
        else:
            before, after = (arm - (arm @ axis) * axis for arm in (now - anchor, tool - anchor))
            step = float(np.arctan2(axis @ np.cross(before, after), before @ after))
        low, high = self.planning.jnt_range[number]
        address = int(self.planning.jnt_qposadr[number])
        self.data.qpos[address] = np.clip(self.data.qpos[address] + step, low, high)

    # ---- correction ----------------------------------------------------------------------------

    def _in_order(self) -> list[str]:
        """Lower things first: others stand on them."""
        return sorted(self._hues, key=lambda name: float(self.data.body(name).xpos[2]))

    def correct(self, views: Sequence[DepthView]) -> None:
        """See `SensedScene.correct`."""
        self._views = tuple(views)
        super().correct(views)

    def _track(self, name: str, points: Array) -> bool:
        before, noise = self.pose_of(name), float(points[:, 3].mean())
        off = np.abs(self._surfaces[name].from_pose(before, points[:, :3])).mean()
        if off < _AGREES * noise + _REST_M or not super()._track(name, points):
            return False
        self._stand(name)
        after = self.pose_of(name)
        if float(np.linalg.norm(after.position - before.position)) < _SMALL_M:
            return False
        explained = self._explained()
        self._place(name, before, still=True)
        if self._explained() >= explained or self._overlaps(name, after):
            return False  # it slid along others that look like it
        self._place(name, after, still=True)
        return True

    def _explained(self) -> int:
        """How many rays of the present views meet what the belief expects."""
        return sum(int(np.sum(one.seen)) for one in self._expect(self._views))

    def _search(
        self, name: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """See `SensedScene._search`; first it looks near to where the thing was."""
        before = self.pose_of(name)
        near = self._loose(name, views, expected, before)
        if len(near) >= LEAST_RAYS and self._track(name, near):
            if self._score(name, self.pose_of(name), views) > 0.0:
                return True
            self._place(name, before, still=True)
            mujoco.mj_kinematics(self.planning, self.data)
        found = super()._search(name, views, expected)
        if found:
            self._stand(name)
        return found

    def _ranked(self, name: str, found: list[Array]) -> list[Array]:
        """The clusters nearest to where a thing was: equal things cannot be told apart."""
        at = self.pose_of(name).position
        away = [float(np.linalg.norm(points[:, :3].mean(axis=0) - at)) for points in found]
        order = sorted(range(len(found)), key=lambda k: away[k])
        return [found[k] for k in order[:_CLUSTERS]]

    def _score(self, name: str, pose: Pose, views: Sequence[DepthView]) -> float:
        """See `SensedScene._score`: 0 also where another thing is."""
        return 0.0 if self._overlaps(name, pose) else super()._score(name, pose, views)

    def _overlaps(self, name: str, pose: Pose) -> bool:
        """Whether the middle of a thing at a pose is in another thing, or the other way round."""
        mine = self._surfaces[name]
        for other in self.seen - {name}:
            its = self.pose_of(other)
            within = self._surfaces[other].from_pose(its, pose.position[None])
            around = mine.from_pose(pose, its.position[None])
            if min(float(within[0]), float(around[0])) < -_DEEP_M:
                return True
        return False

    def _stand(self, name: str) -> None:
        """Make a thing that leans or floats a little stand upright on what is below it."""
        mujoco.mj_kinematics(self.planning, self.data)
        pose = self.pose_of(name)
        upward = pose.rotation[:, 2]
        if upward[2] < _UPRIGHT_COS or name in [thing for thing, _ in self._held.values()]:
            return
        yaw = float(np.arctan2(pose.rotation[1, 0], pose.rotation[0, 0]))
        cos, sin = np.cos(yaw), np.sin(yaw)
        level = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        hit, down = np.array([-1], np.int32), np.array([0.0, 0.0, -1.0])
        body = int(self.planning.body(name).id)
        far = mujoco.mj_ray(self.planning, self.data, pose.position, down, None, 1, body, hit, None)
        height = far + self._shapes[name].bottom
        position = pose.position.copy()
        if hit[0] >= 0 and abs(height) < _GAP_M:
            position[2] -= height
        self._place(name, Pose(position, level), still=True)
        mujoco.mj_kinematics(self.planning, self.data)
