"""The seam to open-vocabulary vision: text and image patches to one embedding, text to masks.

`AttributeVocabulary` is the embedded default. A model of the class of CLIP gives the embeddings and
one of the class of SAM the masks; both stand behind this one protocol.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from regrasp.core.arrays import Floats
from regrasp.core.grounded import Bits
from regrasp.core.robot import CameraImage

__all__ = ["OpenVocabulary", "Segment"]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Pixels (height, width) that may show what a text describes, and a score from 0 to 1."""

    mask: Bits
    score: float


@runtime_checkable
class OpenVocabulary(Protocol):
    """Finds what a text describes, in pictures and in a map of embeddings."""

    def embed_text(self, text: str) -> Floats:
        """The embedding (d,) of a description such as "blue bucket"."""
        ...

    def embed_patches(self, image: CameraImage) -> Floats:
        """The embeddings (rows, columns, d) of equal patches of a picture."""
        ...

    def segments(self, image: CameraImage, text: str) -> tuple[Segment, ...]:
        """What the text describes in a picture, the best first; empty if nothing fits."""
        ...
