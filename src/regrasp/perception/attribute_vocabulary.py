"""The embedded open vocabulary: words of colour, size and shape, found in colour and depth.

It knows the eleven names of colours, the groups of kinds in `core.kinds_of_things` (furniture is
large, dishes are small) and some words of shape. A description of other words alone is not found,
and the vocabulary says so. It has no weights; a trained model replaces it behind `OpenVocabulary`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from regrasp.core.arrays import Floats
from regrasp.core.kinds_of_things import CATEGORIES, COLOURS, category_of
from regrasp.core.robot import CameraImage
from regrasp.perception.colour_names import colour_numbers
from regrasp.perception.open_vocabulary import Segment
from regrasp.perception.point_cloud import point_cloud
from regrasp.perception.regions import ColourRegion, regions_of

__all__ = ["AttributeVocabulary", "Description"]

_SAME_COLOUR: Mapping[str, str] = {
    "gray": "grey", "silver": "grey", "silvery": "grey", "steel": "grey", "wooden": "brown",
    "wood": "brown", "timber": "brown", "oak": "brown", "pine": "brown", "walnut": "brown",
    "mahogany": "brown", "beech": "brown", "beige": "brown", "tan": "brown",
    "chestnut": "brown", "brownish": "brown", "crimson": "red", "scarlet": "red", "ruby": "red",
    "maroon": "red", "burgundy": "red", "reddish": "red", "navy": "blue", "azure": "blue",
    "cobalt": "blue", "sapphire": "blue", "bluish": "blue", "golden": "yellow", "violet": "purple",
    "lime": "green", "ivory": "white", "cream": "white", "pale": "white", "snowy": "white",
    "whitish": "white", "light": "white", "dark": "black", "ebony": "black", "jet": "black",
    "charcoal": "black", "blackish": "black",
}  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LARGE = CATEGORIES["furniture"] | CATEGORIES["appliance"] | {"chest", "bookshelf", "counter"}
_LEVEL = _words("table desk counter bench stool tray plate floor board")
_COMPACT = _words("cube block ball dice box apple orange tomato")
_TALL = _words("bottle pitcher person lamp pillar hanger carton vase jug")
_FLAT = _words("book plate tray board mat phone tablet laptop")
_PATCH_ROWS = 24
_SHAPE_WEIGHT = 0.4
_LEAST_SCORE = 0.3


@dataclass(frozen=True, slots=True)
class Description:
    """What the words of a text say: a colour, a size, a shape; `unknown` says nothing to us."""

    colour: int | None
    large: bool | None
    level: bool
    compact: bool
    tall: bool
    flat: bool
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Description:
        """Read "blue bucket", "red_cube" or "the wooden table"."""
        words = [word for word in re.split(r"[^a-z]+", text.lower()) if word not in _FILLERS]
        named = [_SAME_COLOUR.get(word, word) for word in words]
        colour = next((COLOURS.index(word) for word in named if word in COLOURS), None)
        kinds = [word for word in named if word not in COLOURS]
        shaped = _LEVEL | _COMPACT | _TALL | _FLAT
        known = [kind for kind in kinds if kind in _LARGE or kind in shaped or category_of(kind)]
        large = any(kind in _LARGE for kind in known) if known else None
        return cls(
            colour, large, bool(_LEVEL.intersection(known)), bool(_COMPACT.intersection(known)),
            bool(_TALL.intersection(known)), bool(_FLAT.intersection(known)),
            tuple(kind for kind in kinds if kind not in known),
        )  # fmt: skip

    @property
    def understood(self) -> bool:
        """Whether some word says how the thing looks."""
        return self.colour is not None or self.large is not None


_FILLERS = frozenset(
    ["", "the", "a", "an", "of", "with", "some", "that", "this", "thing", "object"]
)


class AttributeVocabulary:
    """See `OpenVocabulary`. An embedding has the eleven colours, then level and upright."""

    def embed_text(self, text: str) -> Floats:
        """See `OpenVocabulary`; zero if no word is understood."""
        said = Description.of(text)
        vector = np.zeros(len(COLOURS) + 2, np.float32)
        if said.colour is not None:
            vector[said.colour] = 1.0
        if said.level:
            vector[-2] = _SHAPE_WEIGHT
        return vector

    def embed_patches(self, image: CameraImage) -> Floats:
        """See `OpenVocabulary`: the shares of colours, of level and of upright surface."""
        height, width = image.depth.shape
        rows = min(_PATCH_ROWS, height)
        columns = max(1, round(width * rows / height))
        stride = max(1, height // (4 * rows))
        cloud = point_cloud(image, stride=stride)
        patch = (cloud.pixels // width * rows // height) * columns
        patch += cloud.pixels % width * columns // width
        size = len(COLOURS) + 2
        upward = np.abs(cloud.normals[:, 2])
        sums = np.zeros(rows * columns * size, np.float32)
        colours = colour_numbers(cloud.colours)
        for feature, weight in (
            (colours, np.ones(len(cloud))),
            (np.full(len(cloud), size - 2), _SHAPE_WEIGHT * (upward > 0.9)),
            (np.full(len(cloud), size - 1), _SHAPE_WEIGHT * (upward < 0.3)),
        ):
            sums += np.bincount(patch * size + feature, weight, len(sums)).astype(np.float32)
        vectors = sums.reshape(rows, columns, size)
        norms = np.maximum(np.linalg.norm(vectors, axis=2, keepdims=True), 1e-9)
        unit: Floats = vectors / norms
        return unit

    def segments(self, image: CameraImage, text: str) -> tuple[Segment, ...]:
        """See `OpenVocabulary`."""
        said = Description.of(text)
        if not said.understood:
            return ()
        scored = ((region, _fit(said, region)) for region in regions_of(image))
        found = [Segment(region.mask, score) for region, score in scored if score > _LEAST_SCORE]
        return tuple(sorted(found, key=lambda segment: -segment.score))


def _fit(said: Description, region: ColourRegion) -> float:
    """How well a surface fits a description, from 0 to 1."""
    if said.colour is not None and region.colour != said.colour:
        return 0.0
    long, wide, upright = (float(size) for size in region.sizes)
    biggest = max(long, upright)
    # Size and shape alone do not tell an apple from an egg: below what counts as detected.
    score = 1.0 if said.colour is not None else 0.8 if said.large and said.level else 0.45
    if said.large is True:
        score *= _ramp(biggest, 0.15, 0.45) * (1.0 - _ramp(biggest, 2.5, 4.0))
    elif said.large is False:
        score *= 1.0 - _ramp(biggest, 0.45, 0.9)
    else:
        score *= 1.0 - 0.5 * _ramp(biggest, 1.0, 3.0)
    if said.level:
        score *= 0.4 + 0.6 * _ramp(region.level, 0.05, 0.5)
    if said.compact:
        score *= 1.0 - 0.6 * _ramp(biggest / max(wide, upright / 2, 0.005), 2.0, 4.0)
    if said.tall:
        score *= 0.4 + 0.6 * _ramp(upright / max(wide, 0.005), 0.8, 1.5)
    if said.flat:
        score *= 1.0 - 0.6 * _ramp(upright / max(long, 0.005), 0.6, 1.2)
    # A speck of the right colour is worth less than a surface of some pixels.
    return score * (0.6 + 0.4 * _ramp(region.pixels, 12, 40))


def _ramp(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
