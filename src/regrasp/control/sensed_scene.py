"""Where the robot believes everything is, from depth pictures and its own joints.

The belief is a state of the robot's own model of the scene, which has the shapes of all things and
the poses of fixed furniture (a calibrated map). Between two looks it is predicted: physics moves
what the robot touches, and the robot's joints are as their encoders say. A look corrects it: a
thing or a door whose surface the cameras do not find where it is believed to be is fitted to the
points that nothing else explains. A thing that was never seen is nowhere: see `seen`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Articulation
from regrasp.control.body_surface import BodySurface, starting_poses
from regrasp.control.clearance import place_body
from regrasp.control.depth_view import DepthView, ExpectedDepth
from regrasp.control.hue import Hue
from regrasp.control.ik import Pose
from regrasp.control.point_clusters import clusters, some_of
from regrasp.core.arrays import Array

__all__ = ["SensedScene"]

_NOWHERE_M = 60.0  # where things that were never seen are kept, apart from each other
_NEAR_M = 0.03  # from a believed surface: a loose point this near may belong to it
_LEAST = 12  # rays that make a sighting
_FITS_M = 0.006  # mean distance of the points from the fitted surface
_STIRRED_M, _STIRRED_RAD = 0.003, 0.05  # smaller corrections are left out
_CLUSTERS = 4  # at most so many are tried for a lost thing
_FAR_M, _ROUGH_M = 0.09, 0.03  # reach of the fit: from the middle of a cluster, then close by
_TRIALS, _FINE = 17, 4  # positions of a joint that are tried over its range, and around the best
_AJAR = 0.02  # fraction of its range: a smaller correction of a joint is left out
_JOINT_RAYS = 1200
_SEARCHED, _TRACKED = 100, 300  # points of a fit

Bits = npt.NDArray[np.bool_]


class SensedScene:
    """The believed state `data` of `planning`; `model` is the same scene as cameras show it.

    `things` are the free bodies, with the hue that each must have, if any; `joints` the joints of
    furniture. All other joints are the robot's own.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        planning: mujoco.MjModel,
        things: Mapping[str, Hue | None],
        joints: Sequence[Articulation],
    ) -> None:
        self.model, self.planning = model, planning
        self.data, self._shown = mujoco.MjData(planning), mujoco.MjData(model)
        self._hues, self._joints = dict(things), tuple(joints)
        self._surfaces = {name: BodySurface(model, name) for name in things}
        self._driven = {joint.name: self._subtree(joint.name) for joint in joints}
        self.seen: set[str] = set()
        self._held: tuple[str, str, Pose] | None = None  # frame, thing, its pose in the frame
        self.forget()

    def forget(self) -> None:
        """Begin anew: no thing was seen yet, and every joint may be anywhere."""
        self.seen.clear()
        self._held = None
        mujoco.mj_resetData(self.planning, self.data)
        for number, name in enumerate(self._hues):
            away = np.array([_NOWHERE_M + 2.0 * number, _NOWHERE_M, self._surfaces[name].radius])
            place_body(self.planning, self.data, name, Pose(away, np.eye(3)))
        mujoco.mj_forward(self.planning, self.data)

    def pose_of(self, thing: str) -> Pose:
        """The believed pose of a thing."""
        return Pose.of(self.data.body(thing))

    def hold(self, frame: str) -> None:
        """A gripper whose tool is the site `frame` feels that it holds something; "" for nothing.

        It is the thing next to the tool, and moves with it.
        """
        if not frame or (self._held is not None and self._held[0] == frame):
            self._held = self._held if frame else None
            return
        tool = self.data.site(frame).xpos[None]
        near = {
            name: float(np.abs(self._surfaces[name].from_pose(self.pose_of(name), tool)[0]))
            for name in self.seen
        }
        if near and min(near.values()) < _NEAR_M:
            thing = min(near, key=lambda name: near[name])
            self._held = (frame, thing, self._within(frame, thing))

    def _within(self, frame: str, thing: str) -> Pose:
        """The pose of a thing in the frame of a site."""
        tool, pose = Pose.of(self.data.site(frame)), self.pose_of(thing)
        back = tool.rotation.T
        return Pose(back @ (pose.position - tool.position), back @ pose.rotation)

    # ---- prediction ----------------------------------------------------------------------------

    def predict(self, control: Array, own: Array, own_speed: Array) -> None:
        """One control period under actuator commands (nu,), in the robot's model of the scene.

        `own` (nq,) and `own_speed` (nv,) hold the readings of the robot's joints; their other
        numbers are not a number, and are not used.
        """
        data = self.data
        data.ctrl[:] = control
        mujoco.mj_step(self.planning, data)
        if not np.isfinite(data.qpos).all():  # a prediction that failed is no knowledge
            self.forget()
        known, moving = np.isfinite(own), np.isfinite(own_speed)
        data.qpos[known], data.qvel[moving] = own[known], own_speed[moving]
        if self._held is not None:
            frame, thing, inside = self._held
            mujoco.mj_kinematics(self.planning, data)
            tool = Pose.of(data.site(frame))
            position = tool.position + tool.rotation @ inside.position
            self._place(thing, Pose(position, tool.rotation @ inside.rotation), still=True)
            self._move_along(frame, thing, position - tool.position)
        mujoco.mj_forward(self.planning, data)

    def _move_along(self, frame: str, thing: str, arm: Array) -> None:
        """Give a held thing, `arm` (3,) from the tool, the tool's velocity."""
        velocity, site = np.zeros(6), int(self.planning.site(frame).id)
        kind = int(mujoco.mjtObj.mjOBJ_SITE)
        mujoco.mj_comPos(self.planning, self.data)
        mujoco.mj_comVel(self.planning, self.data)
        mujoco.mj_objectVelocity(self.planning, self.data, kind, site, velocity, 0)
        spin, first = velocity[:3], self._first_dof(thing)
        self.data.qvel[first : first + 3] = velocity[3:] + np.cross(spin, arm)
        rotation = np.zeros(9)
        address = int(self.planning.jnt_qposadr[self._free_joint(thing)])
        mujoco.mju_quat2Mat(rotation, self.data.qpos[address + 3 : address + 7])
        self.data.qvel[first + 3 : first + 6] = rotation.reshape(3, 3).T @ spin

    # ---- correction ----------------------------------------------------------------------------

    def correct(self, views: Sequence[DepthView]) -> None:
        """Correct the belief by what cameras measure now."""
        expected = self._expect(views)
        for joint in self._joints:
            if self._fit_joint(joint, views, expected):
                expected = self._expect(views)
        for name in self._hues:
            if self._fit_thing(name, views, expected):
                expected = self._expect(views)
        mujoco.mj_forward(self.planning, self.data)
        if self._held is not None:
            frame, thing, _ = self._held
            self._held = (frame, thing, self._within(frame, thing))

    def _expect(self, views: Sequence[DepthView]) -> list[ExpectedDepth]:
        self._shown.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, self._shown)
        return [view.expected(self.model, self._shown) for view in views]

    # ---- joints of furniture -------------------------------------------------------------------

    def _fit_joint(
        self, joint: Articulation, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Move a joint to where the pictures show its parts; whether it was moved."""
        mine, near, wrong, count = self._driven[joint.name], [], 0, 0
        anchor = self._shown.xanchor[self.model.joint(joint.name).id]
        reach = self._reach(joint.name)
        for view, one in zip(views, expected, strict=True):
            on = mine[one.geom]
            beside = ~one.seen & (np.linalg.norm(view.points - anchor, axis=1) < reach)
            wrong += int(np.sum(on & one.absent) + np.sum(beside & one.hidden))
            count += int(np.sum(on & one.seen))
            near.append(view.where(on | beside))
        if wrong < max(_LEAST, 0.1 * count):
            return False
        near = [view.thinned(_JOINT_RAYS // len(near)) for view in near]
        address = int(self.planning.joint(joint.name).qposadr[0])
        now = float(self.data.qpos[address])
        low, high = self.model.joint(joint.name).range
        trials = np.append(np.linspace(low, high, _TRIALS), now)
        best = self._best_position(address, trials, mine, near)
        step = (high - low) / (_TRIALS - 1)
        around = best + step * np.linspace(-1.0, 1.0, 2 * _FINE + 1)
        best = self._best_position(address, np.append(np.clip(around, low, high), now), mine, near)
        if abs(best - now) < _AJAR * (high - low):
            return False
        self.data.qpos[address] = best
        self.data.qvel[int(self.planning.joint(joint.name).dofadr[0])] = 0.0
        return True

    def _best_position(
        self, address: int, trials: Array, mine: Bits, views: Sequence[DepthView]
    ) -> float:
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

    # ---- things --------------------------------------------------------------------------------

    def _fit_thing(
        self, name: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Find a thing in the pictures; whether its believed pose was changed."""
        mine = self._of(name)
        on, absent = [], 0
        for view, one in zip(views, expected, strict=True):
            on.append(view.points[mine[one.geom] & one.seen])
            absent += int(np.sum(mine[one.geom] & one.absent))
        seen = sum(map(len, on))
        if name in self.seen and seen >= _LEAST and seen >= absent:
            loose = self._loose(name, views, expected, self.pose_of(name))
            return self._track(name, np.concatenate([*on, loose]))
        if name in self.seen and absent < _LEAST:
            return False  # hidden, or out of view: it is where it was
        return self._search(name, views, expected)

    def _of(self, name: str) -> Bits:
        mine = np.zeros(self.model.ngeom + 1, bool)
        mine[list(self._surfaces[name].geoms)] = True
        return mine

    def _loose(
        self,
        name: str,
        views: Sequence[DepthView],
        expected: Sequence[ExpectedDepth],
        near: Pose | None = None,
    ) -> Array:
        """Points (n, 3) that nothing explains and that have the thing's hue."""
        hue, found = self._hues[name], [np.zeros((0, 3))]
        for view, one in zip(views, expected, strict=True):
            free = ~one.seen if hue is None else ~one.seen & hue.matches(view.rgb)
            found.append(view.points[free])
        points = np.concatenate(found)
        if near is not None and len(points):
            points = points[np.abs(self._surfaces[name].from_pose(near, points)) < _NEAR_M]
        return points

    def _track(self, name: str, points: Array) -> bool:
        before = self.pose_of(name)
        pose, off = self._surfaces[name].fit(before, some_of(points, _TRACKED), _ROUGH_M)
        away = float(np.linalg.norm(pose.position - before.position))
        cosine = (np.trace(pose.rotation.T @ before.rotation) - 1.0) / 2.0
        turned = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
        if off > _FITS_M or (away < _STIRRED_M and turned < _STIRRED_RAD):
            return False
        self._place(name, pose, still=away > _NEAR_M)
        return True

    def _search(
        self, name: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Look for a thing among the points that nothing explains."""
        surface, before = self._surfaces[name], self.pose_of(name)
        best, best_score, least_off = before, 0.0, _FITS_M
        loose = self._loose(name, views, expected)
        for points in clusters(loose, least=_LEAST)[:_CLUSTERS]:
            few = some_of(points, _SEARCHED)
            for start in starting_poses(points):
                rough, far = surface.fit(start, few, _FAR_M)
                pose, off = surface.fit(rough, few, _ROUGH_M) if far < _FAR_M else (rough, far)
                if off < least_off and (score := self._score(name, pose, views)) > 0.0:
                    best, best_score, least_off = pose, score, off
            if best_score:
                break
        self._place(name, best, still=bool(best_score))
        if best_score:
            self.seen.add(name)
        return bool(best_score)

    def _score(self, name: str, pose: Pose, views: Sequence[DepthView]) -> float:
        """How many rays agree with a thing at a pose, less those that look through it; else 0."""
        place_body(self.planning, self.data, name, pose)
        mine, seen, absent = self._of(name), 0, 0
        for one in self._expect(views):
            seen += int(np.sum(mine[one.geom] & one.seen))
            absent += int(np.sum(mine[one.geom] & one.absent))
        return float(seen - 2 * absent) if seen >= _LEAST and seen > 2 * absent else 0.0

    def _place(self, name: str, pose: Pose, *, still: bool) -> None:
        place_body(self.planning, self.data, name, pose)
        if still:
            first = self._first_dof(name)
            self.data.qvel[first : first + 6] = 0.0

    def _free_joint(self, name: str) -> int:
        return int(self.planning.body_jntadr[self.planning.body(name).id])

    def _first_dof(self, name: str) -> int:
        return int(self.planning.jnt_dofadr[self._free_joint(name)])
