"""The evidence of grounded predicates, drawn on pictures and on a map from above."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from regrasp.core.arrays import Array, Picture
from regrasp.core.grounded import (
    Bits,
    GraspEvidence,
    GroundedEvidence,
    HandPose,
    MaskEvidence,
    PathEvidence,
    PlacementEvidence,
    ReachEvidence,
    ScoredGrasp,
)
from regrasp.core.robot import CameraImage

__all__ = ["draw_on_image", "draw_path"]

_MASK, _GOOD, _POOR = np.array([255, 40, 200]), (30, 230, 60), (255, 190, 30)
_FINGER_M = 0.045
_FREE, _BLOCKED, _UNKNOWN = (250, 250, 250), (60, 60, 70), (200, 200, 205)
_NO_ROOM = (225, 215, 200)


def draw_on_image(image: CameraImage, evidence: GroundedEvidence, scale: int = 2) -> Picture:
    """A picture, `scale` times as large, with a mask, grasps, a spot or a pose on it.

    Positions of the evidence are in the frame of the camera's pose.
    """
    rgb = image.rgb
    if isinstance(evidence, MaskEvidence):
        inside = evidence.mask[..., None]
        rgb = np.where(inside, 0.5 * rgb + 0.5 * _MASK, rgb).astype(np.uint8)
    canvas = Image.fromarray(rgb).resize((rgb.shape[1] * scale, rgb.shape[0] * scale))
    draw = ImageDraw.Draw(canvas)
    match evidence:
        case GraspEvidence(grasps):
            for grasp in reversed(grasps):
                colour = _GOOD if grasp is grasps[0] else _POOR
                _draw_hand(draw, image, grasp, colour, scale)
        case PlacementEvidence(position, clearance, _):
            angles = np.linspace(0.0, 2 * np.pi, 49)
            ring = clearance * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
            _draw_line(draw, image, position + ring, _GOOD, scale)
        case ReachEvidence(arm, pose, _, _):
            _draw_hand(draw, image, ScoredGrasp(pose, 0.08, 0.0), _GOOD if arm else _POOR, scale)
        case _:
            pass
    return np.asarray(canvas)


def draw_path(
    blocked: Bits,
    known: Bits,
    free: Bits,
    low: Array,
    cell: float,
    path: PathEvidence,
    scale: int = 8,
) -> Picture:
    """A grid (nx, ny) from above, x to the right and y up, with a path in the frame of the map."""
    colours = np.full((*blocked.shape, 3), _UNKNOWN, np.uint8)
    colours[known] = _NO_ROOM
    colours[free] = _FREE
    colours[blocked] = _BLOCKED
    upright = np.ascontiguousarray(colours.transpose(1, 0, 2)[::-1])
    canvas = Image.fromarray(upright).resize(
        (blocked.shape[0] * scale, blocked.shape[1] * scale), Image.Resampling.NEAREST
    )
    draw = ImageDraw.Draw(canvas)
    at = (path.points - low) / cell * scale
    at[:, 1] = canvas.height - at[:, 1]
    draw.line([tuple(point) for point in at], fill=(220, 30, 60), width=max(2, scale // 3))
    for point, colour in ((at[0], (30, 90, 230)), (at[-1], (20, 170, 60))):
        x, y = (float(one) for one in point)
        draw.ellipse([x - scale, y - scale, x + scale, y + scale], fill=colour)
    return np.asarray(canvas)


def _draw_hand(
    draw: ImageDraw.ImageDraw,
    image: CameraImage,
    grasp: ScoredGrasp,
    colour: tuple[int, int, int],
    scale: int,
) -> None:
    """The fingers, the bar between them and the approach of a hand."""
    pose: HandPose = grasp.pose
    closing, approach = pose.rotation[:, 1], pose.rotation[:, 2]
    half = (grasp.width / 2 + 0.006) * closing
    tips = [pose.position - half, pose.position + half]
    roots = [tip - _FINGER_M * approach for tip in tips]
    middle = (roots[0] + roots[1]) / 2
    _draw_line(draw, image, np.array([tips[0], roots[0], roots[1], tips[1]]), colour, scale)
    _draw_line(draw, image, np.array([middle, middle - 0.04 * approach]), colour, scale)


def _draw_line(
    draw: ImageDraw.ImageDraw,
    image: CameraImage,
    points: Array,
    colour: tuple[int, int, int],
    scale: int,
) -> None:
    pixels: Sequence[tuple[float, float]] = _pixels(image, points, scale)
    if len(pixels) == len(points):
        draw.line(list(pixels), fill=colour, width=scale)


def _pixels(image: CameraImage, points: Array, scale: int) -> list[tuple[float, float]]:
    """The pixels of points (n, 3); those behind the camera are left out."""
    height, width = image.depth.shape
    local = (points - image.position) @ image.rotation
    focal = height / 2 / np.tan(np.radians(image.fovy_deg) / 2)
    return [
        (scale * (width / 2 + focal * x / -z), scale * (height / 2 - focal * y / -z))
        for x, y, z in local
        if z < -0.01
    ]
