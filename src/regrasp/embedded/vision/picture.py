"""A picture as the eyes take it: the middle square of it, at one size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from regrasp.models.images import ImageData

__all__ = ["EDGE", "square", "square_of"]

EDGE = 224
"""Pixels along an edge of what the network sees."""


def square(rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The largest square in the middle of (height, width, 3) pixels, scaled to (EDGE, EDGE, 3).

    A wider picture of the same camera shows more to the left and right; what is trained on, and
    what counts as in view, is the square.
    """
    height, width = rgb.shape[:2]
    edge = min(width, height)
    left, top = (width - edge) // 2, (height - edge) // 2
    if edge == EDGE:
        return rgb[top : top + edge, left : left + edge]
    box = (left, top, left + edge, top + edge)
    whole = Image.fromarray(rgb)
    return np.asarray(whole.resize((EDGE, EDGE), Image.Resampling.BILINEAR, box=box), np.uint8)


def square_of(image: ImageData) -> npt.NDArray[np.uint8]:
    """`square` of a picture that a model is given."""
    return square(image.to_array())
