"""The types of NumPy arrays. Docstrings give the shape of each array, e.g. `position` (3,)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Floats", "Picture"]

Array = npt.NDArray[np.float64]
"""Numbers in double precision: positions, joints, times."""

Floats = npt.NDArray[np.float32]
"""Numbers in single precision: weights of a network, rays."""

Picture = npt.NDArray[np.uint8]
"""The pixels of a picture, (height, width, 3)."""
