"""Unit primitives: their intersections with rays, and their surface normals.

Each geom is scaled to unit size in its own frame: a box to the cube of half size 1, spheres and
ellipsoids to the unit sphere, a cylinder to radius 1 and half length 1, a capsule to radius 1.
Boxes and cylinders are intersections of slabs and an infinite cylinder. A ray enters such a shape
at the largest of the entry depths, and hits it if that is less than the smallest exit depth.

Only +, -, *, / and square roots are used on arrays: IEEE 754 defines their results to the last bit,
so an image is the same on every processor. Matrix products and transcendental functions may differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats

__all__ = ["ENTRY_DEPTH", "PLANE", "SURFACE_NORMAL", "Rays", "unit_sizes"]

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}"))
    for name in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)
_TINY = np.float32(1e-12)  # keeps `a` above 0 for a ray parallel to the cylinder's axis


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """The rays of a window of pixels in a primitive's unit frame, as functions of depth t.

    At depth t a ray is at p + (t - `middle`) d, with `d` and `p` (3, H, W). Depth counts from the
    primitive's centre, so that float32 suffices when squares are subtracted. `eye` (3,) is the
    origin of all rays. `limits` (3,) are lengths of the geom in its unit frame: a plane's half
    sizes (0 for infinite), a capsule's half length.
    """

    d: Floats
    p: Floats
    middle: np.float32
    eye: Floats
    limits: Floats


def unit_sizes(types: npt.NDArray[np.int32], sizes: Array) -> Array:
    """The lengths (G, 3) that geoms of MuJoCo's `types` (G,) and `sizes` (G, 3) are divided by."""
    unit = np.ones_like(sizes)
    for kind, columns in (
        (SPHERE, [0, 0, 0]),
        (CAPSULE, [0, 0, 0]),
        (ELLIPSOID, [0, 1, 2]),
        (CYLINDER, [0, 0, 1]),
        (BOX, [0, 1, 2]),
    ):
        unit[types == kind] = sizes[types == kind][:, columns]
    return unit


# ---- where rays enter: depth (H, W), NaN for a miss ---------------------------------------------


def _enter_box(rays: Rays) -> Floats:
    inverse = 1 / rays.d
    centre = inverse * -rays.eye[:, None, None]
    np.abs(inverse, out=inverse)
    first: Floats = (centre - inverse).max(axis=0)
    centre += inverse
    first[first > centre.min(axis=0)] = np.nan
    return first


def _enter_sphere(rays: Rays) -> Floats:
    a, b, c = _dot(rays.d, rays.d), _dot(rays.p, rays.d), _dot(rays.p, rays.p) - 1
    return rays.middle - (b + np.sqrt(b * b - a * c)) / a


def _enter_cylinder(rays: Rays) -> Floats:
    a, b, c = _infinite_cylinder(rays)
    root = np.sqrt(b * b - a * c)
    inverse = 1 / rays.d[2]
    centre = rays.p[2] * -inverse
    np.abs(inverse, out=inverse)
    first: Floats = np.maximum((-b - root) / a, centre - inverse)
    first[first > np.minimum((root - b) / a, centre + inverse)] = np.nan
    return first + rays.middle


def _enter_capsule(rays: Rays) -> Floats:
    a, b, c = _infinite_cylinder(rays)
    side = (b + np.sqrt(b * b - a * c)) / -a
    at = rays.p[2] + side * rays.d[2]
    # Beyond the end of the cylinder a ray can only enter through the sphere at that end.
    end = np.clip(at, -rays.limits[1], rays.limits[1])
    z = rays.p[2] - end
    a += rays.d[2] * rays.d[2]
    b += z * rays.d[2]
    c += z * z
    sphere = (b + np.sqrt(b * b - a * c)) / -a
    return np.where(end == at, side, sphere) + rays.middle


def _enter_plane(rays: Rays) -> Floats:
    t: Floats = -rays.eye[2] / rays.d[2]
    t[rays.d[2] >= 0] = np.nan  # a plane is invisible from below
    for axis in range(2):
        if rays.limits[axis] > 0:
            at = rays.eye[axis] + t * rays.d[axis]
            t[np.abs(at) > rays.limits[axis]] = np.nan
    return t


def _infinite_cylinder(rays: Rays) -> tuple[Floats, Floats, Floats]:
    """a, b, c of a t² + 2 b t + c = 0 on the infinite cylinder x² + y² = 1."""
    d, p = rays.d[:2], rays.p[:2]
    return np.maximum(_dot(d, d), _TINY), _dot(p, d), _dot(p, p) - 1


def _dot(p: Floats, q: Floats) -> Floats:
    return np.asarray((p * q).sum(axis=0), np.float32)


# ---- surface normals: outward (3, N), any length, at q (3, N) in the unit frame ------------------


def _normal_box(q: Floats, size: Floats, limits: Floats) -> Floats:
    distance = np.abs(q)
    return np.asarray(np.sign(q) * (distance >= distance.max(axis=0)), np.float32)


def _normal_sphere(q: Floats, size: Floats, limits: Floats) -> Floats:
    return q / size


def _normal_cylinder(q: Floats, size: Floats, limits: Floats) -> Floats:
    side = (q[2] * q[2] <= q[0] * q[0] + q[1] * q[1]).astype(np.float32)
    return np.stack([q[0] * side, q[1] * side, np.sign(q[2]) * (1 - side)])


def _normal_capsule(q: Floats, size: Floats, limits: Floats) -> Floats:
    return np.stack([q[0], q[1], q[2] - np.clip(q[2], -limits[1], limits[1])])


ENTRY_DEPTH: Final[dict[int, Callable[[Rays], Floats]]] = {
    PLANE: _enter_plane,
    SPHERE: _enter_sphere,
    ELLIPSOID: _enter_sphere,
    CAPSULE: _enter_capsule,
    CYLINDER: _enter_cylinder,
    BOX: _enter_box,
}
SURFACE_NORMAL: Final[dict[int, Callable[[Floats, Floats, Floats], Floats]]] = {
    SPHERE: _normal_sphere,
    ELLIPSOID: _normal_sphere,
    CAPSULE: _normal_capsule,
    CYLINDER: _normal_cylinder,
    BOX: _normal_box,
}
