"""The seam between perception and a robot's skills: the geometry behind a symbolic argument.

An `Action` has names for arguments: `grasp(paper_box)`. The pose of the hand is not in the name. A
robot asks its `Grounding` for it when the skill starts, and perception answers with what it
computed from the robot's own pictures. So the plan stays text, the predicate `graspable(paper_box)`
and the skill `grasp(paper_box)` have the same evidence, and a skill needs no simulator.

All positions are in metres in the frame of the robot's odometry, in which `Robot.look` gives the
pose of a camera: x ahead and y to the left of where the robot started, z up from the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from regrasp.core.arrays import Array
from regrasp.core.robot import CameraImage, Robot

__all__ = [
    "FloorPath", "GraspTarget", "GroundedRobot", "Grounding", "HeldThing", "NoGrounding",
    "Placement", "Stand", "no_stand",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FloorPath:
    """A path of the base: points (x, y) from where it is, and the heading (rad) at its end."""

    points: tuple[tuple[float, float], ...]
    heading: float


@dataclass(frozen=True, slots=True, eq=False)
class GraspTarget:
    """A pose of the palm, between the finger tips: `rotation` (3, 3) has the columns

    x, y (the closing axis) and z (the approach direction). `width` (m) is what the fingers have to
    open at least, `above` (m) how high the palm is over the foot of the thing, for putting it down
    again; `score` how good the grasp is, 0 to 1.
    """

    position: Array
    rotation: Array
    width: float
    above: float
    score: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A free place: the point (3,) on which a thing would stand, and the room around it.

    `radius` (m) is free in all directions, `height` (m) above it. `inward` (2,) is the level
    direction in which a hand goes into a shelf; None where the place is open from above.
    """

    position: Array
    radius: float
    height: float
    inward: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class HeldThing:
    """A thing in the hand of an `arm`: the palm's `rotation` (3, 3) in the frame of the base,

    and how high (m) the palm is `above` the foot of the thing.
    """

    name: str
    arm: str
    rotation: Array
    above: float


@dataclass(frozen=True, slots=True)
class Stand:
    """From where a hand reaches something: turn to `heading` (rad), `drive` straight (m), and

    bring the lift to a height (m).
    """

    heading: float
    drive: float
    lift: float


class Grounding(Protocol):
    """What perception knows of things by name, in the frame of the robot's odometry now."""

    def path_to(self, thing: str) -> FloorPath | None:
        """A free path to where the robot can work on a thing; None if none is known."""
        ...

    def position_of(self, thing: str) -> Array | None:
        """Where a thing was seen last (3,), for the head to look at; None if never."""
        ...

    def distance_to(self, thing: str) -> float | None:
        """How far (m) the base is from the nearest part of a thing; None if it was never seen."""
        ...

    def refresh(self) -> None:
        """Take the present view into the map: the robot drives, and something may have changed."""
        ...

    def expect(self, thing: str, place: str) -> None:
        """A person said where a thing is: it is looked for there until it is seen."""
        ...

    def intend(self, thing: str, place: str) -> None:
        """A thing shall go to a place: it is grasped so that a hand can put it there."""
        ...

    def in_view(self, thing: str) -> bool:
        """Take a picture now: is the thing in it?"""
        ...

    def support_of(self, thing: str) -> str | None:
        """The place on or in which a thing was seen last; "" for none, None if it was not seen."""
        ...

    def opening_of(self, container: str) -> float | None:
        """How far (m) a drawer is seen to be pulled out; None if it is not in view."""
        ...

    def grasps_of(self, thing: str) -> tuple[GraspTarget, ...]:
        """Grasps of a thing, the best first; none if it has none or is not in view."""
        ...

    def placements_on(self, place: str, thing: str) -> tuple[Placement, ...]:
        """Free places on or in a place for a thing, the best first."""
        ...


def no_stand(thing: str) -> Stand | None:
    """None: nobody knows from where a hand reaches it."""
    return None


@runtime_checkable
class GroundedRobot(Robot, Protocol):
    """A robot whose skills take their geometry from perception."""

    def ground(
        self, grounding: Grounding, stand_for: Callable[[str], Stand | None] = no_stand
    ) -> None:
        """Take the evidence behind the arguments of later skills from `grounding`.

        `stand_for` says from where a hand reaches a thing or a place, for the skill that moves the
        base there.
        """
        ...

    def lift_range(self) -> tuple[float, float]:
        """The lowest and the highest position (m) of its lift; 0 and 0 without one."""
        ...

    def held(self) -> tuple[HeldThing, ...]:
        """What its hands hold, as they hold it; felt by the grippers."""
        ...

    def survey(self) -> Iterator[CameraImage]:
        """Pictures that were taken of the rooms before the task, for a map; none if there are none.

        Their poses are in the frame of the odometry, as those of `look`.
        """
        ...

    def survey_key(self) -> str:
        """Equal for two robots exactly if their surveys have the same pictures."""
        ...


class NoGrounding:
    """Knows nothing: a robot has it until `ground` gives it a better one."""

    def path_to(self, thing: str) -> FloorPath | None:
        """None."""
        return None

    def position_of(self, thing: str) -> Array | None:
        """None."""
        return None

    def distance_to(self, thing: str) -> float | None:
        """None."""
        return None

    def refresh(self) -> None:
        """Nothing."""

    def expect(self, thing: str, place: str) -> None:
        """Nothing."""

    def intend(self, thing: str, place: str) -> None:
        """Nothing."""

    def in_view(self, thing: str) -> bool:
        """False."""
        return False

    def support_of(self, thing: str) -> str | None:
        """None."""
        return None

    def opening_of(self, container: str) -> float | None:
        """None."""
        return None

    def grasps_of(self, thing: str) -> tuple[GraspTarget, ...]:
        """None."""
        return ()

    def placements_on(self, place: str, thing: str) -> tuple[Placement, ...]:
        """None."""
        return ()
