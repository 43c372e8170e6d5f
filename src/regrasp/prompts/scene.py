"""The scene as text: one line an object, with what can be done to it.

    - wooden_cabinet: cabinet; can open, put in; joint wooden_cabinet_left_door by
      wooden_cabinet_left_handle; spot target_position_in_wooden_cabinet; now closed   (one line)
    - yellow_cube: cube; can pick
    - green_apple: apple; can pick; not in sight

The text is deterministic, short (a six-object scene is some 150 tokens) and reads back to the same
value. Names are words: a label with anything else in it is refused here, so that no name can
close a tag or start a line (`text.plain_name` makes a name of a raw label).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from regrasp.core.errors import RegraspError
from regrasp.prompts.names import Names
from regrasp.prompts.text import identifier, plain_name, quoted

__all__ = ["PALM", "RESERVED", "Can", "JointLine", "ObjectLine", "SceneDescription", "kind_of"]

PALM = "palm"
"""The robot's own hand, known to every motion plan and reward."""

RESERVED = frozenset({PALM, "rest_position", "anything", "something", "none", "robot", "joint"})
"""What no object may be called."""


class Can(StrEnum):
    """What can be done with an object."""

    OPEN = "open"
    PULL = "pull"
    PRESS = "press"
    TURN = "turn"
    PICK = "pick"
    PUT_IN = "put in"
    PUT_ON = "put on"


@dataclass(frozen=True, slots=True)
class JointLine:
    """A joint of an object and the part by which the hand moves it."""

    name: str
    handle: str


def kind_of(name: str) -> str:
    """The kind a name speaks of: its last word, e.g. `wooden_cabinet` → `cabinet`."""
    words = [word for word in name.split("_") if not word.isdigit()]
    return words[-1] if words else name


@dataclass(frozen=True, slots=True)
class ObjectLine:
    """An object the robot knows: kind, what it allows, joints, and the spot where things go."""

    name: str
    can: frozenset[Can] = frozenset()
    joints: tuple[JointLine, ...] = ()
    spot: str = ""
    kind: str = ""
    now: str = ""
    seen: bool = True

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", kind_of(self.name))
        words = [self.name, self.kind, *(w for j in self.joints for w in (j.name, j.handle))]
        words += [word for word in (self.spot, self.now) if word]
        for word in words:
            if not identifier(word) or word.lower() in RESERVED:
                raise RegraspError(
                    f"{quoted(word, 80)} cannot be a name in a prompt: use a letter, then up to "
                    f"63 letters, digits or _, none of {', '.join(sorted(RESERVED))}; "
                    f"e.g. {plain_name(word) or 'thing'}_1."
                )

    @property
    def names(self) -> tuple[str, ...]:
        """Its own name and those of its handles, spot and joints."""
        parts = [p for j in self.joints for p in (j.handle, j.name)]
        return tuple(dict.fromkeys([self.name, *parts, *([self.spot] if self.spot else [])]))

    def __str__(self) -> str:
        parts = [f"{self.name}: {self.kind}"]
        if self.can:
            parts.append("can " + ", ".join(c for c in Can if c in self.can))
        parts += [f"joint {joint.name} by {joint.handle}" for joint in self.joints]
        parts += [f"spot {self.spot}"] if self.spot else []
        parts += [f"now {self.now}"] if self.now else []
        parts += [] if self.seen else ["not in sight"]
        return "; ".join(parts)

    @classmethod
    def read(cls, line: str) -> ObjectLine | None:
        """The object that `str` wrote, or None if the line is not of that form."""
        name, colon, rest = line.removeprefix("- ").partition(": ")
        kind, *facts = rest.split("; ")
        can: set[Can] = set()
        joints: list[JointLine] = []
        words = {"spot": "", "now": ""}
        seen = True
        for fact in facts:
            word, _, value = fact.partition(" ")
            if word == "can":
                can.update(c for c in Can if c in value.split(", "))
            elif match := re.fullmatch(r"joint (\w+) by (\w+)", fact):
                joints.append(JointLine(match[1], match[2]))
            elif word in words:
                words[word] = value
            elif fact == "not in sight":
                seen = False
            else:
                return None
        try:
            found = cls(
                name, frozenset(can), tuple(joints), words["spot"], kind, words["now"], seen
            )
        except RegraspError:
            return None
        return found if colon else None


@dataclass(frozen=True, slots=True)
class SceneDescription:
    """Every object the robot knows, in the order in which it is told of them."""

    objects: tuple[ObjectLine, ...] = ()
    _owners: dict[str, ObjectLine] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        owners: dict[str, ObjectLine] = {}
        for thing in self.objects:
            for name in thing.names:
                if owners.setdefault(name.lower(), thing) is not thing:
                    raise RegraspError(
                        f"{name!r} names two things of the scene, {owners[name.lower()].name} and "
                        f"{thing.name}; give each its own name."
                    )
        object.__setattr__(self, "_owners", owners)

    def lines(self) -> tuple[str, ...]:
        """One line an object, with its bullet."""
        return tuple(f"- {thing}" for thing in self.objects)

    @classmethod
    def read(cls, lines: Iterable[str]) -> SceneDescription | None:
        """The scene that `lines` wrote, or None if a line is not of that form."""
        found = [ObjectLine.read(line) for line in lines]
        things = tuple(thing for thing in found if thing is not None)
        try:
            return cls(things) if len(things) == len(found) else None
        except RegraspError:
            return None

    @property
    def names(self) -> Names:
        """Objects first, then their parts, spots and joints."""
        return Names.of((o.name for o in self.objects), (n for o in self.objects for n in o.names))

    @property
    def places(self) -> Names:
        """What a hand can go to: objects, handles and spots, but not joints."""
        handles = (j.handle for o in self.objects for j in o.joints)
        spots = (o.spot for o in self.objects if o.spot)
        return Names.of((o.name for o in self.objects), handles, spots)

    @property
    def joints(self) -> Names:
        """Every joint."""
        return Names.of(j.name for o in self.objects for j in o.joints)

    def owner(self, name: str) -> ObjectLine | None:
        """The object that `name` is, or is a part of."""
        return self._owners.get(name.lower())

    def that_can(self, *uses: Can) -> tuple[str, ...]:
        """Names of the objects that allow one of `uses`."""
        return tuple(o.name for o in self.objects if o.can & set(uses))
