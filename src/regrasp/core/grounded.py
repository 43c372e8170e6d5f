"""Grounded predicates: a truth value computed from sensors, with the evidence for it.

The six predicates are those of IALP: `find`, `at`, `detected`, `graspable`, `placeable` and
`reachable`. Each kind of evidence is a type of its own, so that a skill can act on it (drive the
path, take the grasp) and a page of a run can draw it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Array
from regrasp.core.fact import Fact, State

__all__ = [
    "BasePose",
    "Bits",
    "GraspEvidence",
    "Grounded",
    "GroundedEvidence",
    "HandPose",
    "MaskEvidence",
    "PathEvidence",
    "PlacementEvidence",
    "PredicateGrounding",
    "ReachEvidence",
    "ReachIndex",
    "ScoredGrasp",
]  # fmt: skip

Bits: TypeAlias = npt.NDArray[np.bool_]
"""True or false for each element: a mask (height, width), free cells (rows, columns)."""


@dataclass(frozen=True, slots=True)
class BasePose:
    """Where the robot's base is in the frame of the map: x, y in m, yaw in rad."""

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    @property
    def position(self) -> Array:
        """The position (3,) on the floor."""
        return np.array([self.x, self.y, 0.0])

    @property
    def rotation(self) -> Array:
        """The rotation (3, 3) from the base's frame to the map's."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def apply(self, points: Array) -> Array:
        """Points (..., 3) of this pose's frame in the frame around it."""
        moved: Array = np.asarray(points, float) @ self.rotation.T + self.position
        return moved

    def after(self, other: BasePose) -> BasePose:
        """The pose `other`, given in this pose's frame, in the frame around it."""
        x, y, _ = self.apply(other.position)
        return BasePose(float(x), float(y), math.remainder(self.yaw + other.yaw, 2 * math.pi))

    @property
    def inverse(self) -> BasePose:
        """The frame around it, in this pose's frame."""
        x, y, _ = -self.position @ self.rotation
        return BasePose(float(x), float(y), -self.yaw)


@dataclass(frozen=True, slots=True, eq=False)
class HandPose:
    """A pose of the point between the finger tips: position (3,) in m, rotation (3, 3).

    The third column is the approach direction, the second one the closing axis.
    """

    position: Array
    rotation: Array


@dataclass(frozen=True, slots=True, eq=False)
class ScoredGrasp:
    """A grasp with two fingers: the hand's pose, the width (m) between the contacts, a score.

    The score is between 0 and 1: how nearly the contacts are antipodal, how well they are seen,
    how near the middle of the object they are, and how much of the opening is left.
    """

    pose: HandPose
    width: float
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class PathEvidence:
    """A path of the base: points (n, 2) in m in the frame of the map, and its length in m."""

    points: Array
    length: float


@dataclass(frozen=True, slots=True, eq=False)
class MaskEvidence:
    """The pixels (height, width) of a camera's picture that show an object, and its centre (3,).

    `centre` is the median of the seen points in m, in the frame of the camera's pose; `score` is
    between 0 and 1.
    """

    camera: str
    mask: Bits
    centre: Array
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class GraspEvidence:
    """Possible grasps, the best one first."""

    grasps: tuple[ScoredGrasp, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlacementEvidence:
    """A free spot on a level surface.

    `position` (3,) is on the surface; `clearance` (m) is the radius around it that is free, and
    `area` (m²) the whole free area of the surface.
    """

    position: Array
    clearance: float
    area: float


@dataclass(frozen=True, slots=True, eq=False)
class ReachEvidence:
    """A pose of the hand and its entry in the reachability map.

    `arm` names the arm, "" if none reaches it. `index` is between 0 and 1: the manipulability
    there, as a fraction of the arm's largest. `visits` counts the sampled postures.
    """

    arm: str
    pose: HandPose
    index: float
    visits: int


@dataclass(frozen=True, slots=True, eq=False)
class ReachIndex:
    """The entries of n poses in a reachability map, each (n,).

    `reachable` says whether the arm has a posture for the pose, `manipulability` is a fraction of
    the arm's largest, and `visits` counts the sampled postures.
    """

    reachable: Bits
    manipulability: Array
    visits: npt.NDArray[np.int64]


GroundedEvidence: TypeAlias = (
    PathEvidence | MaskEvidence | GraspEvidence | PlacementEvidence | ReachEvidence
)


@dataclass(frozen=True, slots=True, eq=False)
class Grounded:
    """A predicate of objects, whether it is true, why in a sentence, and the evidence.

    A false predicate may have evidence too: the pose that is out of reach.
    """

    fact: Fact
    value: bool
    reason: str
    evidence: GroundedEvidence | None = None

    def __str__(self) -> str:
        return f"{self.fact} is {'true' if self.value else 'false'}: {self.reason}"


class PredicateGrounding(Protocol):
    """Computes predicates from a robot's sensors, with the evidence for each value."""

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates that it can compute."""
        ...

    def look(self) -> None:
        """Take new pictures and readings: what `ground` says is about them from now on."""
        ...

    def expect(self, facts: State, wanted: State = frozenset()) -> None:
        """A person said these facts: things are looked for there until they are taken.

        The `wanted` facts shall become true: things are grasped so that they can.
        """
        ...

    def can_ground(self, fact: Fact) -> bool:
        """Whether the last look tells the fact; if not, what was believed of it stays."""
        ...

    def ground(self, fact: Fact) -> Grounded:
        """Whether a fact of one of `predicates` is true, and why."""
        ...
