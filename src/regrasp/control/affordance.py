"""What a robot knows about the objects it can act on: grasps, joints, and places to put things.

A grasp names a site of the robot's model of the scene. Unless the grasp is from above, the site's z
is the approach direction of the hand. The fingers may close along the site's axes listed in
`closing` (none listed: any).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Affordances", "Articulation", "Grasp", "SceneObject"]


@dataclass(frozen=True, slots=True)
class Grasp:
    """A grasp of an object: at `site`, from above or along its z, closing along an axis."""

    site: str
    above: bool = False
    closing: str = "y"


@dataclass(frozen=True, slots=True)
class SceneObject:
    """An object that a reward or a skill can name.

    `site` is its point in distances. `grasps` are its grasps, best first.
    `joint` names the articulation it drives (a handle drives its door). `place` is the site on or
    in which other objects are put. `extent` is (half width, half height) in metres of a movable
    object, for putting it down; `of` names the object it is a part of.
    """

    name: str
    kind: str
    site: str
    grasps: tuple[Grasp, ...] = ()
    movable: bool = False
    joint: str = ""
    place: str = ""
    extent: tuple[float, float] = (0.0, 0.0)
    of: str = ""


@dataclass(frozen=True, slots=True)
class Articulation:
    """A joint that a robot can move: `fraction` 0 is closed / at rest, 1 is fully open / pulled."""

    name: str
    handle: str
    closed: float
    open: float

    def fraction(self, q: float) -> float:
        """Position `q` (rad or m) as a fraction of the way from closed to open."""
        return (q - self.closed) / (self.open - self.closed)

    def position(self, fraction: float) -> float:
        """The position (rad or m) at a fraction of the way from closed to open."""
        return self.closed + fraction * (self.open - self.closed)


@dataclass(frozen=True, slots=True)
class Affordances:
    """The objects and joints that a robot can name."""

    things: Mapping[str, SceneObject]
    joints: Mapping[str, Articulation]
