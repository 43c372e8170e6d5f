"""What the gallery needs of a world: random states, what pictures of them show, what to ask."""

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
    """How much of something a picture shows."""

    HIDDEN = 0
    DOUBTFUL = 1
    YES = 2


Ids: TypeAlias = Mapping[str, npt.NDArray[np.int32]]
"""By camera, the geom that each pixel shows (edge, edge), -1 for none."""
Shows: TypeAlias = dict[str, dict[str, Visibility]]
"""By camera, how much of each thing or part its picture shows."""
Need: TypeAlias = tuple[str, ...]
"""Things or parts of which one must be in sight."""
MOST_NEEDS = 4
"""How many of these a question may have."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could be asked of `a` (and `b`), the answer, and what must all be in sight for it.

    If the first need is `sought`, no is the answer where it is not in sight; where another is not,
    nobody knows. `action` is what is done to the things, in questions about that.
    """

    topic: Topic
    a: str
    b: str
    answer: str
    needs: tuple[Need, ...]
    sought: bool = False
    action: str = ""


class SceneSampler(Protocol):
    """A room that is put into one random state after another, and asked about.

    `cameras` are those that agents look through, `more` those that take a picture now and then.
    """

    room: VisionRoom
    cameras: tuple[str, ...]
    more: tuple[str, ...]

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be asked."""
        ...

    def shown(self, ids: Ids, renderer: RaycastRenderer) -> Shows:
        """What pictures of the state show."""
        ...

    def candidates(self, seen: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
        """Everything that can be asked of the state where the answer is clear.

        `seen` is what agents' cameras show. Some of it is about things that are not there.
        """
        ...
