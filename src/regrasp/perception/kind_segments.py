"""The embedded open vocabulary: a small network that says which kind of thing each pixel shows.

It was trained on rendered pictures of an apartment (`train/segments`) and knows twelve kinds. Words
of colour choose among things of a kind: "the black table". A description without one of the kinds
is left to `AttributeVocabulary`, which knows colours, sizes and shapes.

The network takes colour, depth and height above the floor, and gives a share for each kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.core.grounded import Bits
from regrasp.core.kinds_of_things import COLOURS
from regrasp.core.robot import CameraImage
from regrasp.perception.attribute_vocabulary import AttributeVocabulary, Description
from regrasp.perception.colour_names import colour_numbers
from regrasp.perception.components import region_components
from regrasp.perception.open_vocabulary import Segment
from regrasp.perception.point_cloud import pixel_rays

__all__ = ["KINDS", "SIZE", "KindNetwork", "KindSegments", "kind_of_text", "network_input"]

KINDS = (
    "", "table", "drawer", "handle", "bookshelf", "hanger", "jacket", "door", "person",
    "paper box", "pill box", "book", "bucket",
)  # fmt: skip
"""The kinds by the number that the network gives them; the first is everything else."""

SIZE = (160, 120)
"""Width and height of the pictures that the network takes."""

_WORDS = {
    "table": "table desk", "drawer": "drawer chest dresser commode cupboard",
    "handle": "handle knob grip", "bookshelf": "bookshelf shelf bookcase shelves rack",
    "hanger": "hanger stand", "jacket": "jacket coat garment anorak", "door": "door exit",
    "person": "person human man woman someone", "paper box": "box carton package parcel",
    "pill box": "pill pills medicine tablets", "book": "book novel", "bucket": "bucket pail",
}  # fmt: skip
_LEAST_PIXELS = 6
_JUMP = 0.08  # of the depth: the largest step inside a thing
_COLOURED = 0.3  # share of the pixels of a colour from which a thing counts as of that colour
_MANY_PIXELS = 30

KindNetwork = Callable[[Floats], Floats]
"""Pictures (n, 6, 120, 160) to shares (n, kinds, 120, 160)."""


def kind_of_text(text: str) -> int:
    """The number of the kind that a description names; 0 for none. The last noun decides."""
    words = re.findall(r"[a-z]+", text.lower())
    by_word = {word: kind for kind, listed in _WORDS.items() for word in listed.split()}
    named = [by_word[word] for word in words if word in by_word]
    if "pill box" in named:
        return KINDS.index("pill box")
    return KINDS.index(named[-1]) if named else 0


def network_input(image: CameraImage) -> Floats:
    """The picture as the network takes it (1, 6, 120, 160).

    Colours from -1 to 1, depth in units of 4 m, whether depth was measured, and metres above the
    floor.
    """
    rows, columns = _thinned(image.depth.shape)
    depth = image.depth[rows][:, columns]
    seen = np.isfinite(depth) & (depth < 8.0)
    z = np.where(seen, depth, 0.0).astype(np.float32)
    right, up = pixel_rays(image)
    turn = image.rotation[2].astype(np.float32)
    slope = turn[0] * right[columns][None] + turn[1] * up[rows][:, None] - turn[2]
    height = np.where(seen, slope * z + np.float32(image.position[2]), 0.0)
    colour = image.rgb[rows][:, columns].astype(np.float32).transpose(2, 0, 1) / 127.5 - 1.0
    rest = np.stack([z / 4.0, seen, height]).astype(np.float32)
    return np.concatenate([colour, rest])[None]


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
    _last: tuple[CameraImage, Floats] | None = None

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
        shares = self._shares(image)
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
        shares = self._shares(image)
        rows, columns = _thinned(image.depth.shape)
        own = shares.argmax(axis=0) == kind
        if int(own.sum()) < _LEAST_PIXELS:
            return ()
        colour = Description.of(text).colour
        colours = colour_numbers(image.rgb[rows][:, columns])
        found = []
        for label in _parts(own, image.depth[rows][:, columns]):
            score = float(shares[kind][label].mean())
            score *= min(1.0, 0.5 + 0.5 * float(label.sum()) / _MANY_PIXELS)
            if colour is not None:
                score *= min(1.0, 0.2 + float((colours[label] == colour).mean()) / _COLOURED)
            found.append(Segment(_enlarged(label, image.depth.shape), score))
        return tuple(sorted(found, key=lambda one: -one.score))

    def _shares(self, image: CameraImage) -> Floats:
        """The shares (kinds, 120, 160) of a picture; the last picture is remembered."""
        if self._last is None or self._last[0] is not image:
            self._last = image, self.network()(network_input(image))[0]
        return self._last[1]


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


def _enlarged(mask: Bits, shape: tuple[int, ...]) -> Bits:
    """A mask (120, 160) for the whole picture."""
    height, width = shape
    rows, columns = np.arange(height) * mask.shape[0] // height, np.arange(width)
    large: Bits = mask[rows][:, columns * mask.shape[1] // width]
    return large
