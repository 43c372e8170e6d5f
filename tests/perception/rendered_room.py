"""Synthetic depth pictures of rooms made of boxes: exact, quick, without a simulator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounded import BasePose
from regrasp.core.robot import CameraImage
from regrasp.perception.point_cloud import camera_pose, pixel_rays

GREY, RED, BLUE, WHITE = (128, 128, 128), (200, 20, 20), (25, 40, 200), (240, 240, 240)
BROWN = (130, 80, 40)


@dataclass(frozen=True)
class Box:
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    colour: tuple[int, int, int] = GREY


def looking(
    position: tuple[float, float, float], target: tuple[float, float, float]
) -> tuple[Array, Array]:
    """The pose of a camera at `position` that looks at `target`: columns right, up, back."""
    back = np.array(position, float) - np.array(target, float)
    back /= np.linalg.norm(back)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    return np.array(position, float), np.stack([right, np.cross(back, right), back], axis=1)


def render(
    boxes: list[Box],
    pose: tuple[Array, Array],
    *,
    size: tuple[int, int] = (120, 160),
    fovy: float = 58.0,
    base: BasePose | None = None,
    noise: np.random.Generator | None = None,
) -> CameraImage:
    """A picture of boxes. The pose is in the base's frame, the boxes are in the map's.

    With `noise`, depth has an error that grows with its square, and two pixels of a hundred are
    holes.
    """
    height, width = size
    blank = np.zeros((height, width), np.float32)
    image = CameraImage("head", np.zeros((height, width, 3), np.uint8), blank, fovy, *pose)
    position, rotation = camera_pose(image, base)
    right, up = pixel_rays(image)
    rays = np.stack(np.broadcast_arrays(right[None, :], up[:, None], np.float32(-1.0)), axis=2)
    rays = rays.reshape(-1, 3) @ rotation.T
    with np.errstate(divide="ignore"):
        inverse = 1.0 / rays
    depth, colour = np.full(len(rays), np.inf), np.zeros((len(rays), 3))
    for box in boxes:
        a, b = (np.array(box.low) - position) * inverse, (np.array(box.high) - position) * inverse
        near, far = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        hit = (near < far) & (near > 1e-3) & (near < depth)
        face = np.minimum(a, b).argmax(axis=1)[hit]
        depth[hit] = near[hit]
        colour[hit] = np.array(box.colour) * np.array([0.85, 0.92, 1.0])[face][:, None]
    if noise is not None:
        finite = np.isfinite(depth)
        depth[finite] += noise.normal(0.0, 0.0015, finite.sum()) * depth[finite] ** 2
        depth[noise.random(len(depth)) < 0.02] = np.inf
    rgb = colour.astype(np.uint8).reshape(height, width, 3)
    return CameraImage("head", rgb, depth.astype(np.float32).reshape(height, width), fovy, *pose)


def apartment() -> list[Box]:
    """Two rooms of 10 m x 6 m together, with a door of 0.9 m between them, and some furniture."""
    floor = Box((0, 0, -0.1), (10, 6, 0), (170, 150, 120))
    outer = [
        Box((-0.1, 0, 0), (0, 6, 2.4), WHITE), Box((10, 0, 0), (10.1, 6, 2.4), WHITE),
        Box((0, -0.1, 0), (10, 0, 2.4), WHITE), Box((0, 6, 0), (10, 6.1, 2.4), WHITE),
    ]  # fmt: skip
    inner = [Box((5, 0, 0), (5.1, 2.5, 2.4), WHITE), Box((5, 3.4, 0), (5.1, 6, 2.4), WHITE)]
    furniture = [
        Box((7.0, 4.6, 0), (8.4, 5.4, 0.72), BROWN),
        Box((2.0, 0.4, 0), (3.2, 1.1, 0.72), GREY),
        Box((7.5, 4.8, 0.72), (7.7, 5.0, 0.87), RED),
        Box((8.6, 0.3, 0), (9.2, 0.9, 0.5), BLUE),
    ]
    return [floor, *outer, *inner, *furniture]
