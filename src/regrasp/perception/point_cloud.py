"""Point clouds from depth pictures: back-projection, normals, and the pixels they came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats, Picture
from regrasp.core.grounded import BasePose, Bits
from regrasp.core.robot import CameraImage
from regrasp.perception.components import grid_components

__all__ = ["PointCloud", "camera_pose", "largest_group", "pixel_rays", "point_cloud"]

_MAX_RANGE_M = 6.0
_EDGE = 0.06  # a jump of depth, per metre of depth, that ends a surface


@dataclass(frozen=True, slots=True, eq=False)
class PointCloud:
    """Points (n, 3) in m, their colours (n, 3), unit normals (n, 3) and pixels (n,).

    A normal points to the camera; it is zero where the surface ends or no neighbour was seen. A
    pixel is row × width + column.
    """

    points: Floats
    colours: Picture
    normals: Floats
    pixels: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.points)

    def where(self, chosen: Bits) -> PointCloud:
        """The points for which `chosen` (n,) is true."""
        return PointCloud(
            self.points[chosen], self.colours[chosen], self.normals[chosen], self.pixels[chosen]
        )

    def masked(self, mask: Bits) -> PointCloud:
        """The points whose pixels are set in `mask` (height, width)."""
        return self.where(mask.ravel()[self.pixels])

    def joined(self, other: PointCloud) -> PointCloud:
        """The points of both clouds; pixels of `other` keep their own numbers."""
        return PointCloud(
            np.concatenate([self.points, other.points]),
            np.concatenate([self.colours, other.colours]),
            np.concatenate([self.normals, other.normals]),
            np.concatenate([self.pixels, other.pixels]),
        )

    def thinned(self, count: int, rng: np.random.Generator) -> PointCloud:
        """At most `count` of the points, chosen at random."""
        if len(self) <= count:
            return self
        chosen = np.zeros(len(self), bool)
        chosen[rng.choice(len(self), count, replace=False)] = True
        return self.where(chosen)


def largest_group(cloud: PointCloud, cell: float, widest: float) -> PointCloud:
    """The largest group of points whose cells, seen from above, are connected.

    A group that is wider than `widest` m is left out: it is a wall or a board.
    """
    if not len(cloud):
        return cloud
    cells = np.floor((cloud.points[:, :2] - cloud.points[:, :2].min(axis=0)) / cell).astype(int)
    filled = np.zeros(tuple(cells.max(axis=0) + 1), bool)
    filled[tuple(cells.T)] = True
    groups = grid_components(filled)[tuple(cells.T)]
    names, counts = np.unique(groups, return_counts=True)
    for name in names[np.argsort(-counts)]:
        found = cloud.where(np.asarray(groups == name))
        if float(np.ptp(found.points[:, :2], axis=0).max()) <= widest:
            return found
    return cloud.where(np.zeros(len(cloud), bool))


def pixel_rays(image: CameraImage) -> tuple[Floats, Floats]:
    """Tangents of the pixels' rays, right (width,) and up (height,), for a depth of 1 m."""
    height, width = image.depth.shape
    scale = np.tan(np.radians(image.fovy_deg) / 2) / (height / 2)
    right = ((np.arange(width) + 0.5 - width / 2) * scale).astype(np.float32)
    up = ((height / 2 - np.arange(height) - 0.5) * scale).astype(np.float32)
    return right, up


def camera_pose(image: CameraImage, base: BasePose | None) -> tuple[Array, Array]:
    """The camera's position (3,) and rotation (3, 3) in the map, or in the base's frame."""
    if base is None:
        return image.position, image.rotation
    return base.rotation @ image.position + base.position, base.rotation @ image.rotation


def point_cloud(
    image: CameraImage,
    *,
    base: BasePose | None = None,
    stride: int = 1,
    max_range: float = _MAX_RANGE_M,
    with_normals: bool = True,
) -> PointCloud:
    """The points that a picture shows, in the base's frame, or in the map's if `base` is given.

    Every `stride`-th pixel of every `stride`-th row is used. Pixels without a finite depth, and
    those beyond `max_range` m, give no point. Without `with_normals`, all normals are zero.
    """
    right, up = pixel_rays(image)
    depth = image.depth[::stride, ::stride]
    seen = np.isfinite(depth) & (depth < max_range)
    z = np.where(seen, depth, np.float32(0.0))
    local = np.stack([right[None, ::stride] * z, up[::stride, None] * z, -z], axis=2)
    normals = _normals(local, z) if with_normals else np.zeros_like(local)
    position, rotation = camera_pose(image, base)
    # The transposed rotation is made contiguous: the product is fifty times as fast then.
    turn = np.ascontiguousarray(rotation.T, np.float32)
    at = position.astype(np.float32)
    width = image.depth.shape[1]
    chosen = np.flatnonzero(seen)
    rows, columns = np.divmod(chosen, depth.shape[1])
    return PointCloud(
        local.reshape(-1, 3).take(chosen, axis=0) @ turn + at,
        image.rgb[::stride, ::stride].reshape(-1, 3).take(chosen, axis=0),
        normals.reshape(-1, 3).take(chosen, axis=0) @ turn,
        (rows * stride) * width + columns * stride,
    )


def _normals(local: Floats, z: Floats) -> Floats:
    """Normals (height, width, 3) by the cross product of central differences."""
    normals = np.zeros_like(local)
    if min(z.shape) < 3:
        return normals
    across, down = local[1:-1, 2:] - local[1:-1, :-2], local[2:, 1:-1] - local[:-2, 1:-1]
    # (a × b) written out: np.cross takes four times as long.
    ax, ay, az = across[..., 0], across[..., 1], across[..., 2]
    bx, by, bz = down[..., 0], down[..., 1], down[..., 2]
    n = np.stack([by * az - bz * ay, bz * ax - bx * az, bx * ay - by * ax], axis=2)
    middle = z[1:-1, 1:-1]
    jump = _EDGE * middle
    smooth = (np.abs(az) < jump) & (np.abs(bz) < jump) & (middle > 0)
    smooth &= (z[1:-1, 2:] > 0) & (z[1:-1, :-2] > 0) & (z[2:, 1:-1] > 0) & (z[:-2, 1:-1] > 0)
    n *= (smooth / np.maximum(np.sqrt(np.einsum("ijk,ijk->ij", n, n)), 1e-12))[..., None]
    # A normal faces the camera, which is at the origin.
    n *= np.where(np.einsum("ijk,ijk->ij", n, local[1:-1, 1:-1]) > 0, -1.0, 1.0)[..., None]
    normals[1:-1, 1:-1] = n
    return normals
