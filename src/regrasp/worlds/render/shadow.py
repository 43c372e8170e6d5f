"""Shadows: the scene's depth as one light sees it, and which points are as near as that.

Williams (1978), "Casting curved shadows on curved surfaces", with the light's view fitted to the
solids that can cast a shadow and four comparisons blended per point (Reeves et al. 1987).
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array, Floats
from regrasp.worlds.render.primitives import PLANE
from regrasp.worlds.render.solids import Eye, Solids
from regrasp.worlds.render.trace import trace

__all__ = ["ShadowMap", "cast"]

_AWAY = 12.0  # a sun stands this many scene radii away
_WIDEST = 2.0  # tangent of half the angle a lamp's view is cut to
_SOLID = 0.5  # alpha from which on a geom casts a shadow
_BIAS = 1.5  # pixels of the map by which a point is lifted off its surface


@dataclass(frozen=True, slots=True, eq=False)
class ShadowMap:
    """Depth (H, W) float32 from the light's `eye`; `texel` is the size of its pixels at depth 1."""

    eye: Eye
    depth: Floats
    texel: float

    def lit(self, points: Floats, normals: Floats) -> Floats:
        """How much of the light reaches each of the `points` (3, N, world, m): (N,) in 0..1."""
        R, place = (x.astype(np.float32) for x in (self.eye.rotation, self.eye.position))
        x = points - place[:, None]
        far = -(R[0, 2] * x[0] + R[1, 2] * x[1] + R[2, 2] * x[2])
        x += normals * (far * np.float32(_BIAS * self.texel))
        right, up, back = (R[0, i] * x[0] + R[1, i] * x[1] + R[2, i] * x[2] for i in range(3))
        far = np.maximum(-back, np.float32(self.eye.near))
        u, v, (H, W) = self.eye.u, self.eye.v, self.depth.shape
        column = (right / far - np.float32(u[0])) * np.float32((W - 1) / (u[-1] - u[0]))
        line = (up / far - np.float32(v[0])) * np.float32((H - 1) / (v[-1] - v[0]))
        # Outside the map nothing can cast a shadow: its border sees nothing, so clip to it.
        column = np.clip(column, 0, np.float32(W - 1.001))
        line = np.clip(line, 0, np.float32(H - 1.001))
        i, j = np.floor(line), np.floor(column)  # floats: an integer would make all float64
        a, b = line - i, column - j
        corner = i.astype(np.int32) * np.int32(W) + j.astype(np.int32)
        northwest, northeast, southwest, southeast = (
            (self.depth.take(corner + np.int32(k), mode="clip") > far).astype(np.float32)
            for k in (0, 1, W, W + 1)
        )
        north = northwest + b * (northeast - northwest)
        south = southwest + b * (southeast - southwest)
        return np.asarray(north + a * (south - north), np.float32)


def cast(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    light: int,
    solids: Solids,
    resolution: int,
) -> ShadowMap | None:
    """The shadow map of light number `light`, (resolution, resolution); None if nothing casts."""
    casters = (solids.types != PLANE) & (solids.rgba[:, 3] > _SOLID)
    if not casters.any():
        return None
    chosen = solids.where(casters)
    reach = np.sqrt((chosen.half**2).sum(axis=1)) + np.sqrt((chosen.bound**2).sum(axis=1))
    low, high = (chosen.centres.T - reach).min(axis=1), (chosen.centres.T + reach).max(axis=1)
    middle, radius = (low + high) / 2, float(np.sqrt(((high - low) ** 2).sum())) / 2
    if int(model.light_type[light]) == int(mujoco.mjtLightType.mjLIGHT_DIRECTIONAL):
        ahead = data.light_xdir[light]
        place = middle - _AWAY * radius * ahead
    else:
        place = data.light_xpos[light]
        ahead = middle - place
    R = _facing(ahead)
    x = chosen.centres - place
    right, up, back = (x[:, 0] * R[0, i] + x[:, 1] * R[1, i] + x[:, 2] * R[2, i] for i in range(3))
    far = np.maximum(-back - reach, 0.05 * radius)
    limits = []
    for along in (right, up):
        first = max(float(((along - reach) / far).min()), -_WIDEST)
        last = min(float(((along + reach) / far).max()), _WIDEST)
        margin = 2 * (last - first) / resolution  # the border must see nothing
        limits.append((first - margin, last + margin))
    (left, rightmost), (bottom, top) = limits
    eye = Eye(
        position=place,
        rotation=R,
        u=np.linspace(left, rightmost, resolution),
        v=np.linspace(top, bottom, resolution),
        near=0.01,
    )
    texel = max(rightmost - left, top - bottom) / resolution
    return ShadowMap(eye, trace(model, data, eye, chosen).depth, texel)


def _facing(ahead: Array) -> Array:
    """A rotation (3, 3, columns right, up, back) that looks along `ahead`."""
    back = -ahead / np.sqrt((ahead**2).sum())
    aside = np.eye(3)[int(np.argmin(np.abs(back)))]
    right = np.cross(aside, back)
    right /= np.sqrt((right**2).sum())
    return np.stack([right, np.cross(back, right), back], axis=1)
