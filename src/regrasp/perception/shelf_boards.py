"""Free places on the boards of a shelf, which a hand enters from the front."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regrasp.core.grounding import Placement
from regrasp.perception.furniture import FurniturePiece
from regrasp.perception.placement import level_heights
from regrasp.perception.point_cloud import PointCloud

__all__ = ["COMFORTABLE_M", "shelf_placements"]

COMFORTABLE_M = 0.75
"""The height (m) of a board at which arms work best."""
_HEIGHT_M, _INTO_M = 0.28, 0.15
_FREE_M = 0.06
_LOWEST_M, _BOARD_M = 0.2, 0.12
_ACROSS = (0.0, 0.3, -0.3, 0.6, -0.6)  # of the half width
_BAND_M, _UPWARD, _LEAST_POINTS = 0.012, 0.9, 30


def shelf_placements(
    shelf: FurniturePiece, cloud: PointCloud, scene: PointCloud
) -> Iterator[Placement]:
    """Places on the boards seen in `cloud`, the most comfortable height first.

    Where a board begins and how wide it is are measured in this look: the box of the map is some
    centimetres too large, and a book that stands half on a board falls.
    """
    if not shelf.front.any():
        return
    inward = -shelf.front
    side = np.array([-inward[1], inward[0]])
    levels = [one for one in level_heights(cloud) if _LOWEST_M < one < shelf.top - _BOARD_M]
    for level in sorted(levels, key=lambda height: abs(height - COMFORTABLE_M)):
        board = (np.abs(cloud.points[:, 2] - level) < _BAND_M) & (cloud.normals[:, 2] > _UPWARD)
        if int(board.sum()) < _LEAST_POINTS:
            continue
        flat = cloud.points[board, :2].astype(float)
        front = float(np.percentile(flat @ inward, 2))
        left, right = np.percentile(flat @ side, (2, 98))
        for across in _ACROSS:
            sideways = (left + right) / 2 + across * (right - left) / 2
            spot = (front + _INTO_M) * inward + sideways * side
            near = np.linalg.norm(scene.points[:, :2] - spot, axis=1) < _FREE_M
            above = scene.points[:, 2] - level
            if not (near & (above > 0.03) & (above < _HEIGHT_M)).any():
                yield Placement(np.append(spot, level), _FREE_M, _HEIGHT_M, inward)
