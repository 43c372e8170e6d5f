"""The scene as text: one line per object, with what can be done to it.

    - wooden_cabinet: cabinet; can open, put in; joint wooden_cabinet_left_door by
      wooden_cabinet_left_handle; spot target_position_in_wooden_cabinet; now closed   (one line)
    - yellow_cube: cube; can pick
    - green_apple: apple; can pick; not in sight

The text is deterministic, short (a six-object scene is some 150 tokens) and reads back to the same
value. Names are words: a label with any other character is rejected here, so that no name can close
a tag or start a line (`text.plain_name` makes a name from a raw label).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from regrasp.core.errors import RegraspError
from regrasp.core.object_description import (
    Affordance,
    JointDescription,
    ObjectDescription,
)
from regrasp.prompts.names import Names
from regrasp.prompts.text import identifier, plain_name, quoted

__all__ = ["PALM", "RESERVED", "SceneDescription", "read_object", "scene_text"]

PALM = "palm"
"""The robot's own hand, known to every motion plan and reward."""

RESERVED = frozenset({PALM, "rest_position", "anything", "something", "none", "robot", "joint"})
"""Names that no object may have."""


def _check_names(thing: ObjectDescription) -> None:
    """Raise unless every word of an object can be written in a prompt."""
    words = [thing.name, thing.kind, *(w for j in thing.joints for w in (j.name, j.handle))]
    words += [word for word in (thing.place_name, thing.state) if word]
    for word in words:
        if not identifier(word) or word.lower() in RESERVED:
            raise RegraspError(
                f"{quoted(word, 80)} cannot be a name in a prompt: use a letter, then up to "
                f"63 letters, digits or _, none of {', '.join(sorted(RESERVED))}; "
                f"e.g. {plain_name(word) or 'thing'}_1."
            )


def read_object(line: str) -> ObjectDescription | None:
    """The object that `str` wrote, or None if the line is not of that form."""
    name, colon, rest = line.removeprefix("- ").partition(": ")
    kind, *facts = rest.split("; ")
    can: set[Affordance] = set()
    joints: list[JointDescription] = []
    words = {"spot": "", "now": ""}
    visible = True
    for fact in facts:
        word, _, value = fact.partition(" ")
        if word == "can":
            can.update(one for one in Affordance if one in value.split(", "))
        elif match := re.fullmatch(r"joint (\w+) by (\w+)", fact):
            joints.append(JointDescription(match[1], match[2]))
        elif word in words:
            words[word] = value
        elif fact == "not in sight":
            visible = False
        else:
            return None
    found = ObjectDescription(
        name,
        kind,
        tuple(can),
        tuple(joints),
        words["spot"],
        state=words["now"],
        visible=visible,
    )
    try:
        _check_names(found)
    except RegraspError:
        return None
    return found if colon else None


@dataclass(frozen=True, slots=True)
class SceneDescription:
    """Every object that the robot knows, in the robot's order."""

    objects: tuple[ObjectDescription, ...] = ()
    _owners: dict[str, ObjectDescription] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        owners: dict[str, ObjectDescription] = {}
        for thing in self.objects:
            _check_names(thing)
            for name in thing.names:
                if owners.setdefault(name.lower(), thing) is not thing:
                    raise RegraspError(
                        f"{name!r} names two things of the scene, {owners[name.lower()].name} and "
                        f"{thing.name}; give each its own name."
                    )
        object.__setattr__(self, "_owners", owners)

    def lines(self) -> tuple[str, ...]:
        """One line per object, with its bullet."""
        return tuple(f"- {thing}" for thing in self.objects)

    @classmethod
    def read(cls, lines: Iterable[str]) -> SceneDescription | None:
        """The scene that `lines` wrote, or None if a line is not of that form."""
        found = [read_object(line) for line in lines]
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
        places = (o.place_name for o in self.objects if o.place_name)
        return Names.of((o.name for o in self.objects), handles, places)

    @property
    def joints(self) -> Names:
        """Every joint."""
        return Names.of(j.name for o in self.objects for j in o.joints)

    def owner(self, name: str) -> ObjectDescription | None:
        """The object that `name` is, or is a part of."""
        return self._owners.get(name.lower())

    def that_can(self, *affordances: Affordance) -> tuple[str, ...]:
        """Names of the objects that allow one of these."""
        return tuple(o.name for o in self.objects if o.allows(*affordances))


def scene_text(
    known: Iterable[ObjectDescription],
    unseen: Collection[str] = (),
    states: Mapping[str, str] | None = None,
) -> SceneDescription:
    """The scene of `known` objects; `unseen` ones are marked; `states` gives some states."""
    return SceneDescription(
        tuple(
            ObjectDescription(
                one.name,
                plain_name(one.kind),
                one.affordances,
                one.joints,
                one.place_name,
                state=(states or {}).get(one.name, ""),
                visible=one.name not in unseen,
            )
            for one in known
        )
    )
