"""A depth picture divided into surfaces of one colour, and their measures in metres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.core.grounded import Bits
from regrasp.core.robot import CameraImage
from regrasp.perception.colour_names import colour_numbers
from regrasp.perception.components import region_components
from regrasp.perception.point_cloud import point_cloud

__all__ = ["ColourRegion", "regions_of"]

_WORKING_HEIGHT = 120  # rows; a larger picture is thinned
_JUMP = 0.03  # of the depth: the largest step inside a surface
_LEAST_PIXELS = 12


@dataclass(frozen=True, slots=True, eq=False)
class ColourRegion:
    """A surface: the number of its colour, and its measures.

    `centre` (3,) is the median of its points; `sizes` (3,) are its extents in m: the longer and the
    shorter one along the floor, and the upright one. `level` is the fraction that faces up. It is
    the part of `labels` (a thinned picture) that has its `label`.
    """

    labels: npt.NDArray[np.int64]
    label: int
    stride: int
    shape: tuple[int, int]
    colour: int
    centre: Array
    sizes: Array
    level: float
    pixels: int

    @property
    def mask(self) -> Bits:
        """Its pixels (height, width) in the whole picture."""
        small, (height, width) = self.labels == self.label, self.shape
        large = np.repeat(np.repeat(small, self.stride, axis=0), self.stride, axis=1)
        return large[:height, :width]


def regions_of(image: CameraImage) -> tuple[ColourRegion, ...]:
    """The surfaces of a picture, the largest first."""
    height, width = image.depth.shape
    stride = max(1, height // _WORKING_HEIGHT)
    depth, rgb = image.depth[::stride, ::stride], image.rgb[::stride, ::stride]
    colours, seen = colour_numbers(rgb), np.isfinite(depth)
    z = np.where(seen, depth, np.float32(-1.0))
    right = (colours[:, 1:] == colours[:, :-1]) & _continuous(z[:, 1:], z[:, :-1])
    down = (colours[1:] == colours[:-1]) & _continuous(z[1:], z[:-1])
    labels = region_components(right, down)
    cloud = point_cloud(image, stride=stride, max_range=np.inf)
    rows, columns = cloud.pixels // width // stride, cloud.pixels % width // stride
    own = labels[rows, columns]
    order = np.argsort(own, kind="stable")
    names, begins, counts = np.unique(own[order], return_index=True, return_counts=True)
    found = []
    for name, begin, count in zip(names, begins, counts, strict=True):
        if count >= _LEAST_PIXELS:
            part = order[begin : begin + count]
            colour = int(colours[rows[part[0]], columns[part[0]]])
            points = cloud.points[part].astype(float)
            level = float((cloud.normals[part, 2] > 0.9).mean())
            centre = np.median(points, axis=0)
            found.append(
                ColourRegion(
                    labels,
                    int(name),
                    stride,
                    (height, width),
                    colour,
                    centre,
                    _sizes(points),
                    level,
                    int(count),
                )
            )
    return tuple(sorted(found, key=lambda region: -region.pixels))


def _continuous(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> Bits:
    together: Bits = (a > 0) & (b > 0) & (np.abs(a - b) < _JUMP * np.minimum(a, b))
    return together


def _sizes(points: Array) -> Array:
    """Extents (3,) along the floor, the longer first, and upright; outliers are cut off."""
    flat = points[:, :2] - points[:, :2].mean(axis=0)
    _, axes = np.linalg.eigh(flat.T @ flat)
    turned = np.column_stack([flat @ axes[:, ::-1], points[:, 2]])
    low, high = np.percentile(turned, [2, 98], axis=0)
    sizes: Array = high - low
    return sizes
