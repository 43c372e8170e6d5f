"""The recorded states of a run as a 3D scene for a viewer."""

from __future__ import annotations

from collections.abc import Iterable

import mujoco
import numpy as np

from regrasp.core.arrays import Array
from regrasp.episodes.state_log import States
from regrasp.view.rerun_file import Body3D, Camera3D, Path3D, Scene3D, Solid, SolidKind
from regrasp.worlds.render.base import ALPHA_MIN, GROUPS
from regrasp.worlds.render.solids import geom_rgba

__all__ = ["build_scene3d"]

_KINDS = {
    int(mujoco.mjtGeom.mjGEOM_BOX): SolidKind.BOX,
    int(mujoco.mjtGeom.mjGEOM_SPHERE): SolidKind.ELLIPSOID,
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): SolidKind.ELLIPSOID,
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): SolidKind.CAPSULE,
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): SolidKind.CYLINDER,
    int(mujoco.mjtGeom.mjGEOM_PLANE): SolidKind.BOX,
}
_FLOOR = np.array((3.0, 3.0, 0.005))  # m: MuJoCo's plane is infinite and has no thickness


def build_scene3d(states: States) -> Scene3D:
    """Every visible body and every camera, at every state."""
    world, count = states.world, len(states.seconds)
    model, data = world.model, world.data
    bodies = np.empty((count, model.nbody, 7))
    cameras = np.empty((count, model.ncam, 12))
    for i, (qpos, user) in enumerate(zip(states.qpos, states.user, strict=True)):
        world.set_state(qpos, user)
        bodies[i] = np.concatenate([data.xpos, data.xquat], axis=1)
        cameras[i] = np.concatenate([data.cam_xpos, data.cam_xmat], axis=1)
    solids = [tuple(_solids(model, body)) for body in range(model.nbody)]
    return Scene3D(
        states.seconds,
        tuple(
            Body3D(model.body(i).name or f"body{i}", solids[i], _path(bodies[:, i]))
            for i in range(model.nbody)
            if solids[i]
        ),
        tuple(
            Camera3D(
                model.camera(i).name,
                float(np.radians(model.cam_fovy[i])),
                Path3D(cameras[:, i, :3], _quaternions(cameras[:, i, 3:])),
            )
            for i in range(model.ncam)
        ),
    )


def _solids(model: mujoco.MjModel, body: int) -> Iterable[Solid]:
    first, colours = int(model.body_geomadr[body]), geom_rgba(model)
    for geom in range(first, first + int(model.body_geomnum[body])):
        kind, size = _KINDS.get(int(model.geom_type[geom])), model.geom_size[geom]
        red, green, blue, alpha = (float(part) for part in colours[geom])
        if kind is None or model.geom_group[geom] >= GROUPS or alpha < ALPHA_MIN:
            continue  # meshes are an optional look of the arm; the primitives under them are drawn
        if int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_PLANE):
            half = _FLOOR
        elif int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_SPHERE):
            half = np.full(3, size[0])
        elif kind in (SolidKind.CAPSULE, SolidKind.CYLINDER):
            half = np.array((size[0], size[0], size[1]))
        else:
            half = size.copy()
        position, rotation = model.geom_pos[geom].copy(), _xyzw(model.geom_quat[geom])
        yield Solid(kind, half, position, rotation, (red, green, blue, alpha))


def _path(poses: Array) -> Path3D:
    return Path3D(poses[:, :3], _xyzw(poses[:, 3:]))


def _xyzw(quaternions: Array) -> Array:
    """Quaternions (..., 4) in the order x, y, z, w, from MuJoCo's order w, x, y, z."""
    return np.roll(quaternions, -1, axis=-1)


def _quaternions(matrices: Array) -> Array:
    """The quaternions (n, 4), in the order x, y, z, w, of rotation matrices (n, 9)."""
    found = np.empty((len(matrices), 4))
    for row, matrix in zip(found, matrices, strict=True):
        mujoco.mju_mat2Quat(row, matrix)
    return _xyzw(found)
