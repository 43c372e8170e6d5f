"""The embedded open vocabulary: a small network that says which kind of thing a surface belongs to.

A picture is divided into surfaces of one colour (`regions`). Colour, size, height and distance of
each go into a network that was trained on rendered pictures of an apartment (`train/segments`); it
knows twelve kinds. Words of colour choose among things of a kind: "the black table". A description
without one of the kinds is left to `AttributeVocabulary`, which knows colours, sizes and shapes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.core.grounded import Bits
from regrasp.core.kinds_of_things import COLOURS
from regrasp.core.robot import CameraImage
from regrasp.perception.attribute_vocabulary import AttributeVocabulary, Description
from regrasp.perception.colour_names import colour_numbers, colour_share
from regrasp.perception.components import region_components
from regrasp.perception.kind_words import described_kind
from regrasp.perception.open_vocabulary import Segment
from regrasp.perception.point_cloud import pixel_rays
from regrasp.perception.regions import ColourRegion, regions_of
from regrasp.perception.standing_mask import standing_mask

__all__ = [
    "FEATURES", "KINDS", "SIZE", "KindNetwork", "KindSegments", "kind_of_text", "surface_features",
]  # fmt: skip

KINDS = (
    "", "table", "drawer", "handle", "bookshelf", "hanger", "jacket", "door", "person",
    "paper box", "pill box", "book", "bucket",
)  # fmt: skip
"""The kinds by the number that the network gives them; the first is everything else."""

SIZE = (160, 120)
"""Width and height of the masks before they are enlarged."""

_LEAST_PIXELS = 6
_JUMP = 0.08  # of the depth: the largest step inside a thing
_COLOURED = 0.6  # share of the pixels of a colour from which a thing counts as of that colour
_MANY_PIXELS = 30
_STANDING = ("paper box", "pill box", "book", "handle", "bucket")
"""Small things that stand on something: all that rises above it there belongs to them."""
_USUAL_M = {
    "table": 0.5, "drawer": 0.4, "bookshelf": 0.7, "hanger": 0.9, "jacket": 0.35, "door": 1.0,
    "person": 0.8, "bucket": 0.12,
}  # fmt: skip
"""The extent (m) from which a seen part counts in full: a scrap of a table is hardly one."""

KindNetwork = Callable[[Floats], Floats]
"""Measures of surfaces (n, `FEATURES`) to the share of each kind (n, kinds)."""

FEATURES = len(COLOURS) + 12
"""Numbers that describe a surface: see `surface_features`."""


def kind_of_text(text: str) -> int:
    """The number of the kind that a description names, or whose use it says; 0 for none."""
    return KINDS.index(described_kind(text))


def surface_features(image: CameraImage, regions: Sequence[ColourRegion]) -> Floats:
    """The measures (n, `FEATURES`) of surfaces, each about 1 in size.

    The name of the colour, the mean colour, the three sizes, the level share, the height of its
    middle, its foot and its top, its distance, and its number of pixels.
    """
    found = np.zeros((len(regions), FEATURES), np.float32)
    if not regions:
        return found
    stride = regions[0].stride
    labels = regions[0].labels.ravel()
    rgb = image.rgb[::stride, ::stride].reshape(-1, 3).astype(float) / 255.0
    counts = np.maximum(np.bincount(labels), 1)
    means = [np.bincount(labels, rgb[:, k]) / counts for k in range(3)]
    for row, one in enumerate(regions):
        found[row, one.colour] = 1.0
        height, upright = float(one.centre[2]), float(one.sizes[2])
        away = float(np.linalg.norm(one.centre - image.position))
        found[row, len(COLOURS) :] = (
            *(2.0 * float(mean[one.label]) - 1.0 for mean in means),
            *np.log(np.maximum(one.sizes, 0.005)) / 2.0 + 0.8,
            one.level, height, height - upright / 2, height + upright / 2, away / 3.0,
            math.log(one.pixels) / 4.0,
        )  # fmt: skip
    return found


def _thinned(shape: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows (120,) and columns (160,) of a picture that the network sees."""
    width, height = SIZE
    rows = ((np.arange(height) + 0.5) * shape[0] / height).astype(np.int64)
    return rows, ((np.arange(width) + 0.5) * shape[1] / width).astype(np.int64)


@dataclass(slots=True)
class KindSegments:
    """See `OpenVocabulary`; `network` is loaded when it is first needed."""

    network: Callable[[], KindNetwork]
    others: AttributeVocabulary = field(default_factory=AttributeVocabulary)
    _last: tuple[CameraImage, Floats, npt.NDArray[np.int64]] | None = None

    def embed_text(self, text: str) -> Floats:
        """See `OpenVocabulary`: the kind, then the colour."""
        vector = np.zeros(len(KINDS) + len(COLOURS), np.float32)
        said, kind = Description.of(text), kind_of_text(text)
        if kind:
            vector[kind] = 1.0
        if said.colour is not None:
            vector[len(KINDS) + said.colour] = 0.5
        return vector

    def embed_patches(self, image: CameraImage) -> Floats:
        """See `OpenVocabulary`: the share of each kind and colour in patches of 5 × 5 pixels."""
        shares, _ = self._shares(image)
        rows, columns = _thinned(image.depth.shape)
        colours = np.eye(len(COLOURS), dtype=np.float32)[
            colour_numbers(image.rgb[rows][:, columns])
        ]
        whole = np.concatenate([shares.transpose(1, 2, 0), 0.5 * colours], axis=2)
        height, width, size = whole.shape
        patches: Floats = whole.reshape(height // 5, 5, width // 5, 5, size).mean(axis=(1, 3))
        return patches

    def segments(self, image: CameraImage, text: str) -> tuple[Segment, ...]:
        """See `OpenVocabulary`: connected pixels of the kind, the best first."""
        kind = kind_of_text(text)
        if not kind:
            return self.others.segments(image, text)
        shares, kinds = self._shares(image)
        rows, columns = _thinned(image.depth.shape)
        own = kinds == kind
        if int(own.sum()) < _LEAST_PIXELS:
            return ()
        colour = Description.of(text).colour
        small = image.rgb[rows][:, columns]
        points = _points(image, rows, columns)
        found = []
        for label in _parts(own, image.depth[rows][:, columns]):
            score = float(shares[kind][label].mean())
            score *= min(1.0, 0.5 + 0.5 * float(label.sum()) / _MANY_PIXELS)
            score *= min(1.0, _extent(points[label]) / _USUAL_M.get(KINDS[kind], 0.0001))
            if colour is not None:
                score *= min(1.0, 0.1 + 0.9 * colour_share(small[label], colour) / _COLOURED)
            whole = standing_mask(label, points) if KINDS[kind] in _STANDING else label
            found.append(Segment(_enlarged(whole, image.depth.shape), score))
        return tuple(sorted(found, key=lambda one: -one.score))

    def _shares(self, image: CameraImage) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The shares (kinds, 120, 160) of a picture, and the likeliest kind of each pixel.

        The last picture is remembered.
        """
        if self._last is None or self._last[0] is not image:
            regions = regions_of(image)
            width, height = SIZE
            painted = np.zeros((height * width, len(KINDS)), np.float32)
            painted[:, 0] = 1.0
            if regions:
                rows, columns = _thinned(regions[0].labels.shape)
                labels = regions[0].labels[rows][:, columns].ravel()
                found = self.network()(surface_features(image, regions))
                for region, share in zip(regions, found, strict=True):
                    painted[labels == region.label] = share
            shares = painted.T.reshape(len(KINDS), height, width)
            self._last = image, shares, painted.argmax(axis=1).reshape(height, width)
        return self._last[1], self._last[2]


def _parts(own: Bits, depth: Floats) -> list[Bits]:
    """The connected parts of a mask (120, 160); a jump of depth ends a part."""
    z = np.where(np.isfinite(depth), depth, np.float32(np.nan))

    def together(a: Floats, b: Floats) -> Bits:
        far = np.abs(a - b) > _JUMP * np.minimum(a, b)
        return ~np.asarray(far)  # pixels without depth join their neighbours

    right = own[:, 1:] & own[:, :-1] & together(z[:, 1:], z[:, :-1])
    down = own[1:] & own[:-1] & together(z[1:], z[:-1])
    labels = region_components(right, down)
    names, counts = np.unique(labels[own], return_counts=True)
    large = names[counts >= _LEAST_PIXELS]
    return [np.asarray((labels == name) & own) for name in large]


def _points(
    image: CameraImage, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> Floats:
    """The points (120, 160, 3) that the pixels show; not a number where depth is missing."""
    right, up = pixel_rays(image)
    z = image.depth[rows][:, columns]
    local = np.stack([right[columns][None] * z, up[rows][:, None] * z, -z], axis=2)
    with np.errstate(invalid="ignore"):
        turned: Floats = local @ image.rotation.T.astype(np.float32)
    points: Floats = turned + image.position.astype(np.float32)
    return points


def _extent(points: Floats) -> float:
    """The longest edge (m) of the box around points (n, 3), without outliers."""
    own = points[np.isfinite(points).all(axis=1)]
    return float(np.ptp(np.percentile(own, (4, 96), axis=0), axis=0).max()) if len(own) else 0.0


def _enlarged(mask: Bits, shape: tuple[int, ...]) -> Bits:
    """A mask (120, 160) for the whole picture."""
    height, width = shape
    rows, columns = np.arange(height) * mask.shape[0] // height, np.arange(width)
    large: Bits = mask[rows][:, columns * mask.shape[1] // width]
    return large
