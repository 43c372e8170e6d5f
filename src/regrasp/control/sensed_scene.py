"""Where the robot believes everything is, from depth pictures and its own joints.

The belief is a state of the robot's own model of the scene, which has the shapes of all things and
the poses of fixed furniture (a calibrated map). Between two looks it is predicted: physics moves
what the robot touches, and the robot's joints are as their encoders say. A look corrects it: a
thing or a door whose surface the cameras do not find where it is believed to be is fitted to the
points that nothing else explains. A thing that was never seen is nowhere: see `seen`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import Articulation
from regrasp.control.body_surface import BodySurface, starting_poses
from regrasp.control.clearance import place_body
from regrasp.control.depth_view import DepthView, ExpectedDepth
from regrasp.control.hue import Hue
from regrasp.control.ik import Pose
from regrasp.control.point_clusters import CELL_M, clusters, some_of
from regrasp.control.sensed_joints import LEAST_RAYS, SensedJoints
from regrasp.core.arrays import Array

__all__ = ["NEAR_M", "SensedScene"]

_NOWHERE_M = 60.0  # where things that were never seen are kept, apart from each other
NEAR_M = 0.03  # from a believed surface: a loose point this near may belong to it
_FITS_M = 0.006  # mean distance of the points from the fitted surface, or else their noise
_STIRRED_M, _STIRRED_RAD = 0.003, 0.05  # smaller corrections are left out
_CLUSTERS = 4  # at most so many are tried for a lost thing
_FAR_M, _ROUGH_M = 0.09, 0.03  # reach of the fit: from the middle of a cluster, then close by
_SEARCHED, _TRACKED = 100, 300  # points of a fit
_WITHIN = 3.0  # standard deviations: how far noise takes a point from its surface

Bits = npt.NDArray[np.bool_]


class SensedScene:
    """The believed state `data` of `planning`; `model` is the same scene as cameras show it.

    `things` are the free bodies, with the hue that each must have, if any; `joints` the joints of
    furniture. All other joints are the robot's own. With `near_first`, a thing that is looked for
    again is taken to be where it was, if points fit there: for things that do not fall far.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        planning: mujoco.MjModel,
        things: Mapping[str, Hue | None],
        joints: Sequence[Articulation],
        *,
        near_first: bool = False,
    ) -> None:
        self.model, self.planning, self._near_first = model, planning, near_first
        self.data, self._shown = mujoco.MjData(planning), mujoco.MjData(model)
        self._hues, self._joints = dict(things), [joint.name for joint in joints]
        self._doors = SensedJoints(model, planning, self.data, self._shown, joints)
        self._surfaces = {name: BodySurface(model, name) for name in things}
        self.seen: set[str] = set()
        self._held: dict[str, tuple[str, Pose]] = {}  # by frame: the thing, its pose in the frame
        self.forget()

    def forget(self) -> None:
        """Begin anew: no thing was seen yet, and every joint may be anywhere."""
        self.seen.clear()
        self._held.clear()
        mujoco.mj_resetData(self.planning, self.data)
        for number, name in enumerate(self._hues):
            away = np.array([_NOWHERE_M + 2.0 * number, _NOWHERE_M, self._surfaces[name].radius])
            place_body(self.planning, self.data, name, Pose(away, np.eye(3)))
        mujoco.mj_forward(self.planning, self.data)

    def pose_of(self, thing: str) -> Pose:
        """The believed pose of a thing."""
        return Pose.of(self.data.body(thing))

    def hold(self, frames: Collection[str], within_m: float = NEAR_M) -> None:
        """The grippers whose tools are the sites `frames` feel that they hold something.

        It is the thing next to the tool, at most `within_m` from it, and moves with it.
        """
        for frame in [one for one in self._held if one not in frames]:
            del self._held[frame]
        for frame in frames:
            thing = "" if frame in self._held else self.nearest(frame, within_m)
            if thing:
                self._held[frame] = (thing, self._within(frame, thing))

    def nearest(self, frame: str, within_m: float) -> str:
        """The thing whose surface is nearest to a site, at most `within_m` from it; "" for none."""
        tool = self.data.site(frame).xpos[None]
        near = {
            name: float(self._surfaces[name].from_pose(self.pose_of(name), tool)[0])
            for name in self.seen
        }
        thing = min(near, key=lambda name: near[name], default="")
        return thing if thing and near[thing] < within_m else ""

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
        self._follow(own, own_speed)
        for frame, (thing, inside) in self._held.items():
            self._move_along(frame, thing, data.site(frame).xmat.reshape(3, 3) @ inside.position)
        mujoco.mj_forward(self.planning, data)

    def _follow(self, own: Array, own_speed: Array) -> None:
        """Set the robot's joints to their readings, and move what it holds along."""
        data = self.data
        known, moving = np.isfinite(own), np.isfinite(own_speed)
        data.qpos[known], data.qvel[moving] = own[known], own_speed[moving]
        mujoco.mj_kinematics(self.planning, data)
        for frame, (thing, inside) in self._held.items():
            tool = Pose.of(data.site(frame))
            position = tool.position + tool.rotation @ inside.position
            self._place(thing, Pose(position, tool.rotation @ inside.rotation), still=True)

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
            if self._doors.correct(joint, views, expected):
                expected = self._expect(views)
        for name in self._in_order():
            if self._fit_thing(name, views, expected):
                expected = self._expect(views)
        mujoco.mj_forward(self.planning, self.data)
        for frame, (thing, _) in self._held.items():
            self._held[frame] = (thing, self._within(frame, thing))

    def _in_order(self) -> list[str]:
        """The things, in the order in which they are fitted."""
        return list(self._hues)

    def _expect(self, views: Sequence[DepthView]) -> list[ExpectedDepth]:
        self._shown.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, self._shown)
        return [view.expected(self.model, self._shown) for view in views]

    # ---- things --------------------------------------------------------------------------------

    def _fit_thing(
        self, name: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Find a thing in the pictures; whether its believed pose was changed."""
        mine = self._of(name)
        on, absent = [], 0
        for view, one in zip(views, expected, strict=True):
            on.append(_points(view, mine[one.geom] & one.seen))
            absent += int(np.sum(mine[one.geom] & one.absent))
        seen = sum(map(len, on))
        if name in self.seen and seen >= LEAST_RAYS and seen >= absent:
            loose = self._loose(name, views, expected, self.pose_of(name))
            return self._track(name, np.concatenate([*on, loose]))
        if name in self.seen and absent < LEAST_RAYS:
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
        """Points (n, 4) with their noise that nothing explains and that have the thing's hue."""
        hue, found = self._hues[name], [np.zeros((0, 4))]
        for view, one in zip(views, expected, strict=True):
            free = ~one.seen if hue is None else ~one.seen & hue.matches(view.rgb)
            found.append(_points(view, free))
        points = np.concatenate(found)
        if near is not None and len(points):
            points = points[np.abs(self._surfaces[name].from_pose(near, points[:, :3])) < NEAR_M]
        return points

    def _track(self, name: str, points: Array) -> bool:
        before, few = self.pose_of(name), some_of(_sharp(points), _TRACKED)
        noise = float(few[:, 3].mean())
        reach = max(_ROUGH_M, _WITHIN * noise)
        pose, off = self._surfaces[name].fit(before, few[:, :3], reach)
        away = float(np.linalg.norm(pose.position - before.position))
        cosine = (np.trace(pose.rotation.T @ before.rotation) - 1.0) / 2.0
        turned = float(np.arccos(np.clip(cosine, -1.0, 1.0)))
        if off > max(_FITS_M, noise) or (away < _STIRRED_M and turned < _STIRRED_RAD):
            return False
        self._place(name, pose, still=away > NEAR_M)
        return True

    def _search(
        self, name: str, views: Sequence[DepthView], expected: Sequence[ExpectedDepth]
    ) -> bool:
        """Look for a thing among the points that nothing explains."""
        surface, before = self._surfaces[name], self.pose_of(name)
        best, best_score = before, 0.0
        loose = self._loose(name, views, expected)
        cell = max(CELL_M, 2.0 * float(np.median(loose[:, 3]))) if len(loose) else CELL_M
        for cluster in self._ranked(name, clusters(loose, least=LEAST_RAYS, cell_m=cell)):
            points = _sharp(cluster)
            few, noise = some_of(points, _SEARCHED)[:, :3], float(points[:, 3].mean())
            wide, close = max(_FAR_M, _WITHIN * noise), max(_ROUGH_M, _WITHIN * noise)
            least_off = max(_FITS_M, noise)
            known = [before] if self._near_first and name in self.seen else []
            for start in (*known, *starting_poses(points[:, :3])):
                rough, far = surface.fit(start, few, wide)
                pose, off = surface.fit(rough, few, close) if far < wide else (rough, far)
                if off < least_off and (score := self._score(name, pose, views)) > 0.0:
                    best, best_score, least_off = pose, score, off
                    if start is before:
                        break  # near where it was: no other pose is likelier
            if best_score:
                break
        self._place(name, best, still=bool(best_score))
        if best_score:
            self.seen.add(name)
        return bool(best_score)

    def _ranked(self, name: str, found: list[Array]) -> list[Array]:
        """The clusters of points among which a thing is looked for, the likeliest first."""
        return found[:_CLUSTERS]

    def _score(self, name: str, pose: Pose, views: Sequence[DepthView]) -> float:
        """How many rays agree with a thing at a pose, less those that look through it; else 0."""
        place_body(self.planning, self.data, name, pose)
        mine, seen, absent = self._of(name), 0, 0
        for one in self._expect(views):
            seen += int(np.sum(mine[one.geom] & one.seen))
            absent += int(np.sum(mine[one.geom] & one.absent))
        return float(seen - 2 * absent) if seen >= LEAST_RAYS and seen > 2 * absent else 0.0

    def _place(self, name: str, pose: Pose, *, still: bool) -> None:
        place_body(self.planning, self.data, name, pose)
        if still:
            first = self._first_dof(name)
            self.data.qvel[first : first + 6] = 0.0

    def _free_joint(self, name: str) -> int:
        return int(self.planning.body_jntadr[self.planning.body(name).id])

    def _first_dof(self, name: str) -> int:
        return int(self.planning.jnt_dofadr[self._free_joint(name)])


def _points(view: DepthView, chosen: Bits) -> Array:
    """The chosen points of a view, each with its noise: (n, 4)."""
    return np.concatenate([view.points[chosen], view.noise_m[chosen, None]], axis=1)


def _sharp(points: Array) -> Array:
    """Of points (n, 4) with their noise, those that a near camera measured, if they suffice."""
    near = points[points[:, 3] <= _FITS_M]
    return near if len(near) >= LEAST_RAYS else points
