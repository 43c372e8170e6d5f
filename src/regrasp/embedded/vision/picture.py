"""The input picture of the embedded vision model: the central square, at one size."""

from __future__ import annotations

import numpy as np
from PIL import Image

from regrasp.core.arrays import Picture

__all__ = ["EDGE", "square"]

EDGE = 224
"""Edge of the network's input, in pixels."""


def square(rgb: Picture) -> Picture:
    """The largest central square of (height, width, 3) pixels, scaled to (EDGE, EDGE, 3).

    A wider picture of the same camera shows more to the left and right; training data and the
    definition of "in view" use the square.
    """
    height, width = rgb.shape[:2]
    edge = min(width, height)
    left, top = (width - edge) // 2, (height - edge) // 2
    if edge == EDGE:
        return rgb[top : top + edge, left : left + edge]
    box = (left, top, left + edge, top + edge)
    whole = Image.fromarray(rgb)
    return np.asarray(whole.resize((EDGE, EDGE), Image.Resampling.BILINEAR, box=box), np.uint8)
