"""What a robot knows of the things it can act on: what they allow, never where or how they are.

A catalogue, not a state: it stays the same whatever happens, so it can cross the `Robot` seam. What
is open, on top of what, or in sight is for the eyes to find out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["KnownJoint", "KnownObject", "Use"]


class Use(StrEnum):
    """What can be done with an object."""

    OPEN = "open"
    PULL = "pull"
    PRESS = "press"
    TURN = "turn"
    PICK = "pick"
    PUT_IN = "put in"
    PUT_ON = "put on"


@dataclass(frozen=True, slots=True)
class KnownJoint:
    """A joint of an object and the part by which a hand moves it."""

    name: str
    handle: str

    def __str__(self) -> str:
        return f"{self.name} by {self.handle}"


@dataclass(frozen=True, slots=True)
class KnownObject:
    """An object by name and kind, with what it allows.

    `spot` is the name of the place on or in it where things go, where that has a name of its own;
    `part_of` names the object of which it is a part (a board of its shelf). `takes_one` means that
    only one thing fits on it, `pressed_by_weight` that a thing placed on it presses it, as on a
    weight sensor.
    """

    name: str
    kind: str
    can: tuple[Use, ...] = ()
    joints: tuple[KnownJoint, ...] = ()
    spot: str = ""
    part_of: str = ""
    takes_one: bool = False
    pressed_by_weight: bool = False

    def __str__(self) -> str:
        parts = [f"{self.name}: {self.kind}"]
        parts += [f"can {', '.join(self.can)}"] if self.can else []
        parts += [f"joint {joint}" for joint in self.joints]
        parts += [f"spot {self.spot}"] if self.spot else []
        parts += [f"part of {self.part_of}"] if self.part_of else []
        return "; ".join(parts)
