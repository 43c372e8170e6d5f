"""A picture as the eyes take it: the middle square of it, at one size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image

from regrasp.models.images import ImageData

__all__ = ["EDGE", "square", "square_of"]

EDGE = 224
"""Pixels along an edge of what the network sees."""


def square(image: Image.Image) -> npt.NDArray[np.uint8]:
    """The largest square in the middle of `image`, scaled to (EDGE, EDGE, 3).

    A wider picture of the same camera shows more to the left and right; what is trained on, and
    what counts as in view, is the square.
    """
    width, height = image.size
    edge = min(width, height)
    left, top = (width - edge) // 2, (height - edge) // 2
    box = (left, top, left + edge, top + edge)
    if edge == EDGE:
        return np.asarray(image.crop(box).convert("RGB"), np.uint8)
    scaled = image.convert("RGB").resize((EDGE, EDGE), Image.Resampling.BILINEAR, box=box)
    return np.asarray(scaled, np.uint8)


def square_of(image: ImageData) -> npt.NDArray[np.uint8]:
    """`square` of a picture that a model is given."""
    return square(Image.fromarray(image.to_array()))
