"""A depth picture as rays: what each one meets, and what it should meet in a model of the scene.

Comparing the two is analysis by synthesis: a surface that is believed to be somewhere is *seen* if
the measured depth agrees, *absent* if the camera looks through it, and *hidden* if something nearer
is in front of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array, Picture
from regrasp.core.robot import CameraImage

__all__ = ["AGREES_M", "NOISE_M", "DepthView", "ExpectedDepth"]

AGREES_M = 0.012
"""The largest difference (m) of two depths of the same surface, but for noise."""
NOISE_M = 0.002
"""Standard deviation (m) of a depth at 1 m; it grows with the square, as for stereo cameras."""
_SIGMAS = 3.0
_GROUPS: npt.NDArray[np.uint8] = np.array([1, 1, 1, 0, 0, 0], np.uint8)  # what a camera shows
_NEAREST_M, _FARTHEST_M = 0.03, 6.0


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedDepth:
    """What a model of the scene predicts for the rays of a view, each (n,).

    `geom` is the geom that a ray meets, -1 for none; `seen`, `absent` and `hidden` compare its
    depth with the measured one.
    """

    geom: npt.NDArray[np.int32]
    seen: npt.NDArray[np.bool_]
    absent: npt.NDArray[np.bool_]
    hidden: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class DepthView:
    """A picture: camera `position` (3,), unit `rays` (n, 3), measured `range_m` (n,).

    `points` (n, 3) are in the robot's base frame, and `rgb` (n, 3) their colours.
    """

    position: Array
    rays: Array
    range_m: Array
    points: Array
    rgb: Picture

    @classmethod
    def of(cls, image: CameraImage, stride: int = 2) -> Self:
        """Every `stride`-th pixel, in both directions, whose depth was measured."""
        height, width = image.depth.shape
        rows, columns = np.meshgrid(
            np.arange(stride // 2, height, stride), np.arange(stride // 2, width, stride),
            indexing="ij",
        )  # fmt: skip
        scale = np.tan(np.radians(image.fovy_deg) / 2) / (height / 2)
        right = (columns.ravel() + 0.5 - width / 2) * scale
        up = (height / 2 - rows.ravel() - 0.5) * scale
        depth = image.depth[rows, columns].ravel().astype(float)
        known = np.isfinite(depth) & (depth > _NEAREST_M) & (depth < _FARTHEST_M)
        local = np.stack([right, up, -np.ones_like(right)], axis=1)[known]
        rays = local @ image.rotation.T
        points = image.position + rays * depth[known, None]
        length = np.linalg.norm(rays, axis=1)
        rgb = image.rgb[rows, columns].reshape(-1, 3)[known]
        return cls(
            image.position.copy(), rays / length[:, None], depth[known] * length, points, rgb
        )

    def __len__(self) -> int:
        return len(self.rays)

    @property
    def noise_m(self) -> Array:
        """The standard deviation (n,) of the measured distances."""
        return np.asarray(NOISE_M * self.range_m**2)

    def where(self, chosen: npt.NDArray[np.bool_]) -> DepthView:
        """The rays for which `chosen` (n,) is true."""
        return DepthView(
            self.position, self.rays[chosen], self.range_m[chosen], self.points[chosen],
            self.rgb[chosen],
        )  # fmt: skip

    def thinned(self, count: int) -> DepthView:
        """About `count` of the rays, evenly chosen."""
        every = max(1, len(self) // max(1, count))
        return self.where(np.arange(len(self)) % every == 0)

    def expected(self, model: mujoco.MjModel, data: mujoco.MjData) -> ExpectedDepth:
        """What the rays should meet in a state of a model whose kinematics are computed."""
        count = len(self)
        geom, far = np.full(count, -1, np.int32), np.full(count, -1.0)
        if count:
            mujoco.mj_multiRay(
                model, data, self.position, self.rays.ravel(), _GROUPS, 1, -1, geom, far, None,
                count, _FARTHEST_M,
            )  # fmt: skip
        met = geom >= 0
        further = self.range_m - np.where(met, far, np.inf)
        limit = AGREES_M + _SIGMAS * self.noise_m
        return ExpectedDepth(geom, met & (np.abs(further) <= limit), met & (further > limit),
                        further < -limit)  # fmt: skip
