"""The names of colours of pixels, by hue, saturation and brightness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Picture
from regrasp.core.kinds_of_things import COLOURS

__all__ = ["colour_numbers", "colour_share"]

_NUMBER = {name: number for number, name in enumerate(COLOURS)}
_HUES = (
    (18.0, "red"), (42.0, "orange"), (68.0, "yellow"), (170.0, "green"), (255.0, "blue"),
    (300.0, "purple"), (342.0, "pink"), (360.0, "red"),
)  # fmt: skip
"""The hue in degrees up to which a saturated colour has a name."""
_CLOSE = {"brown": ("orange", "red", "pink")}
"""What light makes of a colour."""
_DARK, _BRIGHT, _GREY = 0.33, 0.55, 0.09


def colour_numbers(rgb: Picture) -> npt.NDArray[np.int8]:
    """The index into `COLOURS` (...) of each pixel (..., 3)."""
    part = rgb.astype(np.float32) / 255.0
    red, green, blue = part[..., 0], part[..., 1], part[..., 2]
    most, least = part.max(axis=-1), part.min(axis=-1)
    chroma = most - least
    full = np.maximum(chroma, 1e-6)
    hue = np.where(
        most == red, (green - blue) / full % 6.0,
        np.where(most == green, (blue - red) / full + 2.0, (red - green) / full + 4.0),
    ) * 60.0  # fmt: skip
    saturation = chroma / np.maximum(most, 1e-6)
    limits = np.array([limit for limit, _ in _HUES])
    names = np.array([_NUMBER[name] for _, name in _HUES], np.int8)
    found: npt.NDArray[np.int8] = names[
        np.minimum(np.searchsorted(limits, hue, side="right"), len(limits) - 1)
    ]
    warm = (hue < 55.0) | (hue >= 350.0)
    brown = (hue >= 8.0) & (hue < 52.0) & (most < 0.70)
    found[brown] = _NUMBER["brown"]
    pale_red = warm & (hue < 18.0) & (saturation < 0.5) & (most > 0.7)
    found[pale_red | ((found == _NUMBER["red"]) & (saturation < 0.45) & (most > 0.7))] = _NUMBER[
        "pink"
    ]
    faint = (saturation < 0.17) | (chroma < 0.06)
    found[faint] = np.where(
        most[faint] > 0.78, _NUMBER["white"],
        np.where(most[faint] > 0.25, _NUMBER["grey"], _NUMBER["black"]),
    )  # fmt: skip
    found[most < 0.16] = _NUMBER["black"]
    return found


def colour_share(rgb: Picture, wanted: int) -> float:
    """The share of pixels (n, 3) that may be of a colour under some light.

    Black and white are told by brightness, for shade makes white grey and light makes black grey.
    """
    part = rgb.astype(np.float32) / 255.0
    bright = part.max(axis=1)
    pale = (bright - part.min(axis=1)) < 0.22 * np.maximum(bright, 1e-3)
    if COLOURS[wanted] == "black":
        return float(((bright < _DARK) & (bright - part.min(axis=1) < _GREY)).mean())
    if COLOURS[wanted] == "white":
        return float((pale & (bright > _BRIGHT)).mean())
    names = [wanted, *(COLOURS.index(name) for name in _CLOSE.get(COLOURS[wanted], ()))]
    return float((np.isin(colour_numbers(rgb), names) & (bright >= _DARK)).mean())
