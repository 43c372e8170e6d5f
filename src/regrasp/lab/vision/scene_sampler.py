"""The `SceneSampler` protocol: random states of a world, visibility in images, and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.render.raycast import RaycastRenderer

__all__ = ["MOST_NEEDS", "Candidate", "Ids", "Need", "SceneSampler", "Shows", "Visibility"]


class Visibility(IntEnum):
    """How well an image shows an object."""

    HIDDEN = 0
    DOUBTFUL = 1
    YES = 2


Ids: TypeAlias = Mapping[str, npt.NDArray[np.int32]]
"""By camera, the geom that each pixel shows (edge, edge), -1 for none."""
Shows: TypeAlias = dict[str, dict[str, Visibility]]
"""By camera, the visibility of each object or part in its image."""
Need: TypeAlias = tuple[str, ...]
"""Objects or parts of which one must be visible."""
MOST_NEEDS = 4
"""The largest number of needs of a question."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible question about `a` (and `b`), its answer, and the needs that must be visible.

    If the first need is `sought` and it is not visible, the answer is no; if another is not
    visible, the answer is unknown. `action` is the action in questions about actions.
    """

    topic: Topic
    a: str
    b: str
    answer: str
    needs: tuple[Need, ...]
    sought: bool = False
    action: str = ""


class SceneSampler(Protocol):
    """A room with a sequence of random states, and questions about them.

    `cameras` are the agents' cameras, `more` those that sometimes take an image.
    """

    room: VisionRoom
    cameras: tuple[str, ...]
    more: tuple[str, ...]

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be used."""
        ...

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """The visibility of objects in images of the state."""
        ...

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """All possible questions about the state with a clear answer.

        `seen` are the objects in the agents' cameras. Some questions are about absent objects.
        """
        ...
