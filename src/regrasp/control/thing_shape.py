"""The shape of a thing that a hand can take, from the solid geoms of the robot's model of it."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["ThingShape", "thing_shape"]

_OFF_AXIS_M, _LEVEL = 0.002, 0.999
_ROUND = tuple(
    int(kind)
    for kind in (
        mujoco.mjtGeom.mjGEOM_CYLINDER,
        mujoco.mjtGeom.mjGEOM_CAPSULE,
        mujoco.mjtGeom.mjGEOM_SPHERE,
    )
)


@dataclass(frozen=True, slots=True)
class ThingShape:
    """In the thing's frame (m): `radius` about z, `bottom` and `top` along z.

    `mouth` is the radius of its highest part: the lip of a vessel. `round` is whether it looks the
    same from all sides.
    """

    radius: float
    bottom: float
    top: float
    mouth: float
    round: bool

    @property
    def height(self) -> float:
        """From its bottom to its top."""
        return self.top - self.bottom


def thing_shape(model: mujoco.MjModel, thing: str) -> ThingShape:
    """The shape of a free body and of the bodies fixed to it."""
    root = int(model.body(thing).id)
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    mine = [int(g) for g in np.flatnonzero(solid & (model.body_rootid[model.geom_bodyid] == root))]
    if not mine:
        raise ValueError(f"{thing} has no solid geom: the robot cannot take it")
    boxes = [_box(model, geom, root) for geom in mine]
    low, high = min(low[2] for low, _ in boxes), max(high[2] for _, high in boxes)
    wide = [float(np.abs([a[:2], b[:2]]).max()) for a, b in boxes]
    topmost = max(range(len(mine)), key=lambda k: boxes[k][1][2])
    return ThingShape(
        max(wide), float(low), float(high), wide[topmost], all(_is_round(model, g) for g in mine)
    )


def _box(model: mujoco.MjModel, geom: int, root: int) -> tuple[Array, Array]:
    """The corners of an upright box around a geom, in the thing's frame."""
    rotation, position = np.eye(3), np.zeros(3)
    frames = [(model.geom_pos[geom], model.geom_quat[geom])]
    body = int(model.geom_bodyid[geom])
    while body != root:
        frames.append((model.body_pos[body], model.body_quat[body]))
        body = int(model.body_parentid[body])
    for pos, quat in reversed(frames):
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, quat)
        position = position + rotation @ pos
        rotation = rotation @ matrix.reshape(3, 3)
    centre = position + rotation @ model.geom_aabb[geom, :3]
    half = np.abs(rotation) @ model.geom_aabb[geom, 3:]
    return centre - half, centre + half


def _is_round(model: mujoco.MjModel, geom: int) -> bool:
    """Whether a geom is a body of revolution about the thing's z axis."""
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, model.geom_quat[geom])
    upright = abs(matrix[8]) > _LEVEL
    centred = float(np.abs(model.geom_pos[geom, :2]).max()) < _OFF_AXIS_M
    return int(model.geom_type[geom]) in _ROUND and upright and centred
