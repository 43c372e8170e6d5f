"""A voxel map: depth pictures fused into occupancy, colour and embeddings.

Occupancy is kept as log-odds. A voxel that contains a seen point gains evidence, a voxel in front
of a seen surface loses some (Moravec and Elfes 1985; Hornung et al. 2013, OctoMap). Free voxels are
found by projecting the voxels of the view into the depth picture, not by walking along each ray:
that is one array operation. Embeddings of image patches are added up in the voxels that the patches
show, and a text is found where the dot product is largest, as in IALP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Floats, Picture
from regrasp.core.grounded import BasePose, Bits
from regrasp.core.robot import CameraImage
from regrasp.perception.components import grid_components
from regrasp.perception.point_cloud import camera_pose, pixel_rays, point_cloud

__all__ = ["Place", "VoxelMap"]

_HIT, _MISS = 0.85, -0.4  # log-odds of one observation
_LEAST, _MOST = -2.0, 3.5
_NEAREST_M = 0.15  # a depth camera sees nothing nearer
_RAYS = 60_000  # points of one picture that are used, at most
_BLEND = 0.3  # weight of the newest colour
_AROUND = 12  # voxels around what was seen


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Voxels of the map that match a description: centre (3,), half extent (3,), score."""

    centre: Array
    half: Array
    score: float
    voxels: int


class VoxelMap:
    """A map of the box from `low` (3,) to `high` (3,) in m; voxels have edges of `voxel` m."""

    def __init__(
        self, low: Array, high: Array, *, voxel: float = 0.05, max_range: float = 5.0
    ) -> None:
        self.low, self.voxel, self.max_range = np.asarray(low, float), voxel, max_range
        self.shape = tuple(
            int(n) for n in np.ceil((np.asarray(high, float) - self.low) / voxel - 1e-6)
        )
        self.log_odds: Floats = np.zeros(self.shape, np.float32)
        self.colour: Picture = np.zeros((*self.shape, 3), np.uint8)
        self.frames = 0
        self._seen: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None
        self._rows: npt.NDArray[np.int32] = np.full(self.shape, -1, np.int32)
        self._embeddings: Floats = np.zeros((0, 0), np.float32)
        self._used = 0

    @property
    def occupied(self) -> Bits:
        """The voxels (nx, ny, nz) that are more likely occupied than free."""
        return np.asarray(self.log_odds > 0.0)

    @property
    def known(self) -> Bits:
        """The voxels (nx, ny, nz) that some picture has shown, occupied or free."""
        return np.asarray(self.log_odds != 0.0)

    @property
    def seen_block(self) -> tuple[slice, slice]:
        """The rows and columns of voxels that pictures may have changed, with a margin.

        All of them before the first picture.
        """
        if self._seen is None:
            return slice(0, self.shape[0]), slice(0, self.shape[1])
        low = np.maximum(self._seen[0] - _AROUND, 0)
        high = np.minimum(self._seen[1] + _AROUND, self.shape)
        return slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1]))

    @property
    def memory_bytes(self) -> int:
        """The size of all arrays of the map."""
        arrays = (self.log_odds, self.colour, self._rows, self._embeddings)
        return sum(array.nbytes for array in arrays)

    def centres(self, index: npt.NDArray[np.int64]) -> Array:
        """The centres (n, 3) of voxels, given by their indices (n, 3)."""
        middle: Array = self.low + (index + 0.5) * self.voxel
        return middle

    def fuse(self, image: CameraImage, base: BasePose, embeddings: Floats | None = None) -> None:
        """Add a picture taken with the base at `base`.

        `embeddings` (rows, columns, d) are those of equal patches of the picture.
        """
        height, width = image.depth.shape
        stride = max(1, int(np.ceil(np.sqrt(height * width / _RAYS))))
        cloud = point_cloud(
            image, base=base, stride=stride, max_range=self.max_range, with_normals=False
        )
        index = np.floor((cloud.points - self.low) / self.voxel).astype(np.int64)
        inside = ((index >= 0) & (index < self.shape)).all(axis=1)
        flat = np.ravel_multi_index(tuple(index[inside].T), self.shape)
        hit = np.zeros(self.log_odds.size, bool)
        hit[flat] = True
        self._carve(image, base, hit.reshape(self.shape))
        odds, colour = self.log_odds.reshape(-1), self.colour.reshape(-1, 3)
        voxels, first = np.unique(flat, return_index=True)
        fresh = odds[voxels] <= 0.0
        odds[voxels] = np.minimum(odds[voxels] + _HIT, _MOST)
        seen = cloud.colours[inside][first].astype(np.float32)
        share = np.where(fresh, 1.0, _BLEND)[:, None]
        colour[voxels] = (colour[voxels] + share * (seen - colour[voxels])).astype(np.uint8)
        if embeddings is not None:
            pixels = cloud.pixels[inside][first]
            rows, columns, _ = embeddings.shape
            patch = embeddings[pixels // width * rows // height, pixels % width * columns // width]
            self._add_embeddings(voxels, patch)
        self.frames += 1

    def _carve(self, image: CameraImage, base: BasePose, hit: Bits) -> None:
        """Lower the odds of the voxels that are seen through."""
        position, rotation = camera_pose(image, base)
        right, up = pixel_rays(image)
        side, top = float(right[-1]) * 1.01, float(up[0]) * 1.01
        reach = min(self.max_range, float(np.nanmax(np.where(np.isfinite(image.depth), image.depth,
                                                             self.max_range))))  # fmt: skip
        corners = np.array([[0, 0, 0], *([x, y, -1] for x in (-side, side) for y in (-top, top))])
        corners = corners * reach @ rotation.T + position
        first = np.floor((corners.min(axis=0) - self.low) / self.voxel).astype(int)
        last = np.ceil((corners.max(axis=0) - self.low) / self.voxel).astype(int)
        first, last = np.clip(first, 0, self.shape), np.clip(last, 0, self.shape)
        if (first >= last).any():
            return
        low, high = (first, last) if self._seen is None else self._seen
        self._seen = np.minimum(low, first), np.maximum(high, last)
        block = tuple(slice(a, b) for a, b in zip(first, last, strict=True))
        steps = [
            (self.low[k] + (np.arange(first[k], last[k]) + 0.5) * self.voxel - position[k])
            for k in range(3)
        ]

        def along(axis: int) -> Floats:
            """The voxels' coordinates along one axis of the camera."""
            x, y, z = ((steps[k] * rotation[k, axis]).astype(np.float32) for k in range(3))
            sums: Floats = x[:, None, None] + (y[:, None] + z[None, :])[None]
            return sums

        depth = -along(2)
        ahead = (depth > _NEAREST_M) & (depth < reach) & ~hit[block]
        # The rays of most voxels of the block miss the picture: one axis after the other.
        flat = np.flatnonzero(ahead)
        d = depth.reshape(-1)[flat]
        x = along(0).reshape(-1)[flat]
        kept = np.abs(x) < side * d
        flat, d, x = flat[kept], d[kept], x[kept]
        y = along(1).reshape(-1)[flat]
        kept = np.abs(y) < top * d
        flat, d, x, y = flat[kept], d[kept], x[kept], y[kept]
        height, width = image.depth.shape
        scale = np.float32(1.0 / (right[1] - right[0]))
        column = np.clip((x / d * scale + width / 2).astype(np.int32), 0, width - 1)
        row = np.clip((height / 2 - y / d * scale).astype(np.int32), 0, height - 1)
        surface = image.depth[row, column]
        free = np.isfinite(surface) & (d < surface * 0.98 - self.voxel)
        odds = self.log_odds[block].reshape(-1)  # a copy: the block is not contiguous
        odds[flat[free]] = np.maximum(odds[flat[free]] + _MISS, _LEAST)
        self.log_odds[block] = odds.reshape(depth.shape)

    def _add_embeddings(self, voxels: npt.NDArray[np.int64], patches: Floats) -> None:
        rows = self._rows.reshape(-1)
        fresh = voxels[rows[voxels] < 0]
        rows[fresh] = np.arange(self._used, self._used + len(fresh))
        self._used += len(fresh)
        size = patches.shape[1]
        if self._used > len(self._embeddings):
            grown = np.zeros((max(2 * len(self._embeddings), self._used, 4096), size), np.float32)
            if self._embeddings.size:
                grown[: len(self._embeddings)] = self._embeddings
            self._embeddings = grown
        self._embeddings[rows[voxels]] += patches

    def similarity(self, text: Floats) -> Floats:
        """The cosine (nx, ny, nz) between a text's embedding (d,) and each occupied voxel's.

        It is -1 for voxels that are free or have no embedding.
        """
        found = np.full(self.shape, -1.0, np.float32)
        chosen = self.occupied & (self._rows >= 0)
        if chosen.any() and self._used:
            vectors = self._embeddings[self._rows[chosen]]
            norms = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
            found[chosen] = vectors @ (text / max(float(np.linalg.norm(text)), 1e-9)) / norms
        return found

    def locate(self, text: Floats, *, least: float = 0.5, voxels: int = 3) -> tuple[Place, ...]:
        """Connected groups of at least `voxels` voxels with a cosine of `least` or more.

        They come by the mean of their cosines, the best first.
        """
        score = self.similarity(text)
        labels = grid_components(score >= least)
        index = np.argwhere(labels >= 0)
        if not len(index):
            return ()
        own = labels[tuple(index.T)]
        places = []
        for label in np.unique(own):
            group = index[own == label]
            if len(group) >= voxels:
                points = self.centres(group)
                low, high = points.min(axis=0), points.max(axis=0)
                mean = float(score[tuple(group.T)].mean())
                half = (high - low + self.voxel) / 2
                places.append(Place((low + high) / 2, half, mean, len(group)))
        return tuple(sorted(places, key=lambda place: (-place.score, -place.voxels)))
