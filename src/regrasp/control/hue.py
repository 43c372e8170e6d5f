"""The hue of a thing by the colour in its name, to tell it from others of its shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Picture

__all__ = ["Hue"]


@dataclass(frozen=True, slots=True)
class Hue:
    """The colour of a thing by its name: degrees around the circle of hues."""

    degrees: float
    within: float = 28.0
    least_saturation: float = 0.25

    def matches(self, rgb: Picture) -> npt.NDArray[np.bool_]:
        """Which of the colours (n, 3) are of this hue."""
        value = rgb.astype(float)
        high, low = value.max(axis=1), value.min(axis=1)
        spread = np.maximum(high - low, 1e-9)
        red, green, blue = value.T
        sector = np.select(
            [high == red, high == green],
            [(green - blue) / spread % 6.0, (blue - red) / spread + 2.0],
            (red - green) / spread + 4.0,
        )
        off = np.abs((60.0 * sector - self.degrees + 180.0) % 360.0 - 180.0)
        saturated = spread > self.least_saturation * np.maximum(high, 1.0)
        return np.asarray(saturated & (off < self.within))
