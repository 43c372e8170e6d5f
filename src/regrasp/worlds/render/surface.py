"""The visible surface points, and their normals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.worlds.render.primitives import PLANE, SURFACE_NORMAL
from regrasp.worlds.render.solids import Eye, Solids
from regrasp.worlds.render.trace import Hits

__all__ = ["Surface", "column", "dot", "normals", "ray_directions", "surface"]

_TINY = np.float32(1e-20)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The N visible points: flat pixel indices, rows of `solids` and depths (m), each (N,).

    `points` (3, N) are in the world frame (m). `normals` and `view` (3, N) are unit vectors; `view`
    points to the eye. `distance` (N,) is along the ray (m).
    """

    solids: Solids
    pixels: npt.NDArray[np.intp]
    rows: npt.NDArray[np.int32]
    depth: Floats
    points: Floats
    normals: Floats
    view: Floats
    distance: Floats


def surface(hits: Hits, rays: Floats) -> Surface:
    """The points at which the `rays` (3, H * W) hit a solid; rays without a hit are left out."""
    pixels = np.flatnonzero(hits.row >= 0)
    rows, depth, ray = hits.row.take(pixels), hits.depth.take(pixels), rays.take(pixels, axis=1)
    length = np.sqrt(dot(ray, ray))
    points = ray * depth + hits.eye.position.astype(np.float32)[:, None]
    n = normals(hits.solids, rows, points)
    if hits.mesh_normals is not None:
        n += hits.mesh_normals.reshape(-1, 3).take(pixels, axis=0).T
    ray /= -length
    return Surface(hits.solids, pixels, rows, depth, points, n, ray, depth * length)


def ray_directions(eye: Eye) -> Floats:
    """Directions (3, H * W) of all rays in the world frame, scaled to a depth of 1 m."""
    across = (eye.rotation[:, 0, None] * eye.u).astype(np.float32)
    down = (eye.rotation[:, 1, None] * eye.v - eye.rotation[:, 2, None]).astype(np.float32)
    return np.asarray(down[:, :, None] + across[:, None, :]).reshape(3, -1)


def normals(solids: Solids, rows: npt.NDArray[np.int32], points: Floats) -> Floats:
    """Outward unit normals (3, N) at surface `points` (3, N, world, m) of the solids `rows` (N,).

    The normals of meshes are 0 here: tracing computes them.
    """
    out = np.zeros_like(points)
    types = solids.types[rows]
    for kind in np.flatnonzero(np.bincount(types)).tolist():
        at = np.flatnonzero(types == kind)
        row = rows[at]
        if kind == PLANE:
            up = solids.rotations[:, :, 2].T.astype(np.float32, order="C")
            out[:, at] = up.take(row, axis=1, mode="clip")
        if kind not in SURFACE_NORMAL:
            continue
        rotation, centre, size, limit = (
            np.moveaxis(table, 0, -1).astype(np.float32, order="C").take(row, axis=-1, mode="clip")
            for table in (solids.rotations, solids.centres, solids.sizes, solids.limits)
        )
        x = points.take(at, axis=1) - centre
        q = np.stack([dot(rotation[:, i], x) for i in range(3)])
        q /= size
        n = SURFACE_NORMAL[kind](q, size, limit)
        n /= np.sqrt(np.maximum(dot(n, n), _TINY))
        for i in range(3):
            out[i, at] = dot(rotation[i], n)
    return out


def column(values: npt.ArrayLike) -> Floats:
    """Three numbers as a column (3, 1)."""
    return np.asarray(values, np.float32).reshape(3, 1)


def dot(a: Floats, b: Floats) -> Floats:
    """Scalar products (N,) of vectors (3, N) or (3, 1)."""
    return np.asarray(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], np.float32)
