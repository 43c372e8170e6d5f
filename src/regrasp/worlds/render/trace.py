"""Which geom each pixel sees, and how far away it is.

The ray of pixel (u, v) is eye + t R (u, v, -1), so t is depth along the optical axis. In the unit
frame of a primitive (see primitives.py) it is o + t d with

    d = A (u, v, -1),   A = diag(1/size) R_geom' R_eye,   o = diag(1/size) R_geom' (eye - centre).

Because d is linear in u and in v, its components over a rectangle of pixels are outer sums, and a
primitive costs some twenty array operations on the rectangle that holds its projection: 8 ms for
89 primitives at 224 x 224, where `mujoco.mj_multiRay` takes 28. It still serves meshes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats
from regrasp.worlds.render.primitives import ENTRY_DEPTH, PLANE, Rays
from regrasp.worlds.render.solids import Eye, Solids

__all__ = ["Hits", "trace"]

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_NUDGE = 1e-9  # keeps a ray from being exactly parallel to a face
_GROUPS = np.array([1, 1, 1, 0, 0, 0], np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What each pixel of `eye` sees: row of `solids` (H, W) int32, -1 for nothing; depth (H, W).

    `depth` is in metres, +inf for nothing. `mesh_normals` (H, W, 3) are those of meshes, zero
    elsewhere; None where no mesh is drawn.
    """

    eye: Eye
    solids: Solids
    row: npt.NDArray[np.int32]
    depth: Floats
    mesh_normals: Floats | None = None

    @property
    def ids(self) -> npt.NDArray[np.int32]:
        """Geom ids (H, W), -1 for nothing."""
        return np.append(self.solids.ids, np.int32(-1))[self.row]


def trace(model: mujoco.MjModel, data: mujoco.MjData, eye: Eye, solids: Solids) -> Hits:
    """The nearest front face along every ray of `eye`."""
    shape = (len(eye.v), len(eye.u))
    depth, seen = np.full(shape, np.inf, np.float32), np.full(shape, -1, np.int32)
    # Sums written out, here and below: a matrix product's last bit depends on the processor.
    back, R = solids.rotations.transpose(0, 2, 1), eye.rotation
    shift = eye.position - solids.centres
    turn = back[:, :, 0, None] * R[0] + back[:, :, 1, None] * R[1] + back[:, :, 2, None] * R[2]
    offset = reduce(np.add, (back[:, :, k] * shift[:, None, k] for k in range(3)))
    windows, nearest = _windows(eye, solids, turn, offset)
    frames = _Frames(eye, solids, turn, offset)
    meshes: list[int] = []
    with np.errstate(all="ignore"):  # a miss is NaN: comparisons with it are False
        for g in np.argsort(nearest, kind="stable").tolist():
            top, bottom, left, right = windows[g].tolist()
            if top >= bottom or left >= right:
                continue
            kind = int(solids.types[g])
            if kind not in ENTRY_DEPTH:
                meshes.append(g)
                continue
            window = (slice(top, bottom), slice(left, right))
            far = depth[window]
            if nearest[g] > far.max():
                continue  # wholly hidden by what is already drawn
            t = ENTRY_DEPTH[kind](frames.rays(g, *window))
            hit = (t < far) & (t > np.float32(eye.near))
            np.copyto(far, t, where=hit)
            np.copyto(seen[window], np.int32(g), where=hit)
    hits = Hits(eye, solids, seen, depth)
    return _trace_meshes(model, data, hits, windows[meshes]) if meshes else hits


class _Frames:
    """The rays of an eye in the unit frames of all solids, as outer sums in u and v."""

    def __init__(self, eye: Eye, solids: Solids, turn: Array, offset: Array) -> None:
        A, o = turn / solids.sizes[:, :, None], offset / solids.sizes
        middle = reduce(np.add, (turn[:, k, 2] * offset[:, k] for k in range(3)))
        d_u, d_v = A[:, :, 0, None] * eye.u, A[:, :, 1, None] * eye.v - (A[:, :, 2, None] - _NUDGE)
        p_u, p_v = middle[:, None, None] * d_u, middle[:, None, None] * d_v + o[:, :, None]
        self._d_u, self._d_v = d_u.astype(np.float32), d_v.astype(np.float32)
        self._p_u, self._p_v = p_u.astype(np.float32), p_v.astype(np.float32)
        self._middle, self._eye = middle.astype(np.float32), o.astype(np.float32)
        self._limits = solids.limits.astype(np.float32)

    def rays(self, g: int, lines: slice, columns: slice) -> Rays:
        """The rays of a window of pixels in the frame of solid `g`."""
        return Rays(
            d=self._d_v[g, :, lines, None] + self._d_u[g, :, None, columns],
            p=self._p_v[g, :, lines, None] + self._p_u[g, :, None, columns],
            middle=self._middle[g],
            eye=self._eye[g],
            limits=self._limits[g],
        )


def _windows(
    eye: Eye, solids: Solids, turn: Array, offset: Array
) -> tuple[npt.NDArray[np.int64], Array]:
    """Each solid's rectangle of pixels (G, 4: top, bottom, left, right) and nearest depth (G,)."""
    corners = solids.bound[:, None] + solids.half[:, None] * _CORNERS - offset[:, None]
    x, y, z = (
        reduce(np.add, (corners[:, :, k] * turn[:, None, k, i] for k in range(3))) for i in range(3)
    )
    nearest, farthest = (-z).min(axis=1), (-z).max(axis=1)
    ahead = np.maximum(-z, eye.near)
    W, H = len(eye.u), len(eye.v)
    columns = (x / ahead - eye.u[0]) / (eye.u[-1] - eye.u[0]) * (W - 1)
    lines = (y / ahead - eye.v[0]) / (eye.v[-1] - eye.v[0]) * (H - 1)
    window = np.stack(
        [
            np.clip(np.floor(lines.min(axis=1)), 0, H),
            np.clip(np.ceil(lines.max(axis=1)) + 1, 0, H),
            np.clip(np.floor(columns.min(axis=1)), 0, W),
            np.clip(np.ceil(columns.max(axis=1)) + 1, 0, W),
        ],
        axis=1,
    ).astype(np.int64)
    # A solid that reaches behind the eye has no rectangle: test every pixel.
    window[(nearest <= eye.near) | (solids.types == PLANE)] = (0, H, 0, W)
    window[farthest <= eye.near] = 0
    nearest[solids.types == PLANE] = np.inf  # drawn last: most of a floor is hidden
    return window, nearest


def _trace_meshes(
    model: mujoco.MjModel, data: mujoco.MjData, hits: Hits, windows: npt.NDArray[np.int64]
) -> Hits:
    """Let MuJoCo trace the pixels in `windows`, and keep its answer wherever a mesh is nearest."""
    wanted = np.zeros(hits.row.shape, bool)
    for top, bottom, left, right in windows.tolist():
        wanted[top:bottom, left:right] = True
    line, column = np.nonzero(wanted)
    eye, solids, R = hits.eye, hits.solids, hits.eye.rotation
    u, v = eye.u[column], eye.v[line]
    rays = np.stack([R[i, 0] * u + R[i, 1] * v - R[i, 2] for i in range(3)], axis=1)
    count = len(rays)
    ids, t, normal = np.full(count, -1, np.int32), np.zeros(count), np.zeros(3 * count)
    mujoco.mj_multiRay(
        model, data, eye.position, rays.ravel(), _GROUPS, True, -1, ids, t, normal, count, np.inf
    )
    rows = np.full(model.ngeom + 1, -1, np.int32)
    meshes = np.flatnonzero(~np.isin(solids.types, list(ENTRY_DEPTH)))
    rows[solids.ids[meshes]] = meshes
    row = rows[ids]
    seen = (row >= 0) & (t > eye.near) & (t < hits.depth[line, column])
    line, column = line[seen], column[seen]
    hits.row[line, column], hits.depth[line, column] = row[seen], t[seen]
    normals = np.zeros((*hits.row.shape, 3), np.float32)
    normals[line, column] = normal.reshape(-1, 3)[seen]
    return Hits(eye, solids, hits.row, hits.depth, normals)
