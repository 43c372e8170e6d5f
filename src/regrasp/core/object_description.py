"""The description of an object: what it allows and, if it was seen, its state.

What an object allows never changes, so it can cross the `Robot` seam. Whether it is open or in
sight is found out by a vision model; a robot leaves `state` and `visible` at their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

__all__ = [
    "Affordance",
    "JointDescription",
    "ObjectDescription",
    "is_of_kind",
    "kind_endings",
    "kind_of",
]


class Affordance(StrEnum):
    """What can be done with an object."""

    OPEN = "open"
    PULL = "pull"
    PRESS = "press"
    TURN = "turn"
    PICK = "pick"
    PUT_IN = "put in"
    PUT_ON = "put on"


def kind_of(name: str) -> str:
    """The kind of an object by its name: the last word, e.g. `wooden_cabinet` → `cabinet`."""
    words = [word for word in name.split("_") if not word.isdigit()]
    return words[-1] if words else name


@lru_cache(maxsize=4096)
def kind_endings(name: str) -> tuple[str, ...]:
    """Every ending of a name without its numbers, the shortest first.

    `scrub_brush_1` → `brush`, `scrub_brush`: a person may use either as the kind.
    """
    words = [word for word in name.split("_") if not word.isdigit()]
    return tuple("_".join(words[i:]) for i in reversed(range(len(words))))


def is_of_kind(name: str, kind: str, word: str) -> bool:
    """Whether `word` says what an object is: its kind, or an ending of its kind or name."""
    return word == kind or word in kind_endings(name) or word in kind_endings(kind)


@dataclass(frozen=True, slots=True)
class JointDescription:
    """A joint of an object and the part by which a hand moves it."""

    name: str
    handle: str

    def __str__(self) -> str:
        return f"{self.name} by {self.handle}"


@dataclass(frozen=True, slots=True)
class ObjectDescription:
    """An object by name and kind, with what it allows; the default kind is the name's last word.

    `place_name` is the name of the place on or in it where objects are put, if that place has its
    own name; `part_of` names the object to which it belongs (a board and its shelf). `takes_one`
    means that only one object fits on it, `pressed_by_weight` that an object placed on it presses
    it, as on a weight sensor. `state` is a word such as `closed`, and `visible` whether a camera
    shows it.
    """

    name: str
    kind: str = ""
    affordances: tuple[Affordance, ...] = ()
    joints: tuple[JointDescription, ...] = ()
    place_name: str = ""
    part_of: str = ""
    takes_one: bool = False
    pressed_by_weight: bool = False
    state: str = ""
    visible: bool = True

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", kind_of(self.name))
        listed = tuple(one for one in Affordance if one in self.affordances)
        object.__setattr__(self, "affordances", listed)  # in the order in which texts list them

    @property
    def names(self) -> tuple[str, ...]:
        """Its own name and those of its handles, place and joints."""
        parts = [part for joint in self.joints for part in (joint.handle, joint.name)]
        place = [self.place_name] if self.place_name else []
        return tuple(dict.fromkeys([self.name, *parts, *place]))

    def allows(self, *affordances: Affordance) -> bool:
        """Whether one of these can be done with it."""
        return not set(affordances).isdisjoint(self.affordances)

    def __str__(self) -> str:
        parts = [f"{self.name}: {self.kind}"]
        if self.affordances:
            parts.append(f"can {', '.join(self.affordances)}")
        parts += [f"joint {joint}" for joint in self.joints]
        parts += [f"spot {self.place_name}"] if self.place_name else []
        parts += [f"part of {self.part_of}"] if self.part_of else []
        parts += [f"now {self.state}"] if self.state else []
        parts += [] if self.visible else ["not in sight"]
        return "; ".join(parts)
