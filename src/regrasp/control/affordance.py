"""What a robot knows of the things it can act on: how to take them, what they drive, where to put.

A grasp names a site of the robot's model of the scene. Unless it is taken from above, the site's z
is the hand's approach; the site's axes listed in `closing` are those along which the fingers may
close (none listed: any).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Affordances", "Articulation", "Grasp", "SceneObject"]


@dataclass(frozen=True, slots=True)
class Grasp:
    """How a hand may take a thing: at `site`, from above or along its z, closing along an axis."""

    site: str
    above: bool = False
    closing: str = "y"


@dataclass(frozen=True, slots=True)
class SceneObject:
    """Something a reward or skill can name.

    `site` stands for it in distances. `grasps` are the ways a hand may take it, best first.
    `joint` names the articulation it drives (a handle its door). `place` is the site on or in
    which things are put when brought to it. `extent` is (half width, half height) in metres of a
    movable thing, for putting it down; `of` names the thing it is a part of.
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


@dataclass(frozen=True, slots=True)
class Affordances:
    """Everything a robot can name: things and joints."""

    things: Mapping[str, SceneObject]
    joints: Mapping[str, Articulation]
