"""The lines of a motion plan: what should be near, far, open, closed, high or tilted.

    1. palm close to microwave_handle
    2. joint microwave_door open

They are the level between a step in plain words and the rewards of the controller: each line is one
reward.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.object_description import Affordance
from regrasp.prompts.grammar import choice, literal
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Line, ParseError
from regrasp.prompts.scene import PALM, SceneDescription

__all__ = [
    "HIGHEST_M",
    "MotionLine",
    "Relation",
    "carry_rule",
    "motion_rule",
    "parse_motion",
    "read_motion",
    "relocation_rule",
]

HIGHEST_M = 2.0
"""The greatest height, in metres, that a motion may ask for."""


class Relation(StrEnum):
    """The forms of a line; `{a}`, `{b}` are names, `{v}` is a number."""

    NEAR = "{a} close to {b}"
    FAR = "{a} far from {b}"
    OPEN = "joint {a} open"
    CLOSED = "joint {a} closed"
    HEIGHT = "{a} at height {v} m"
    TILT = "{a} tilted by {v} degrees"

    @property
    def moves_joint(self) -> bool:
        """Whether it is about a joint."""
        return self in (Relation.OPEN, Relation.CLOSED)


@dataclass(frozen=True, slots=True)
class MotionLine:
    """One line: `value` is metres for a height and degrees for a tilt."""

    relation: Relation
    object: str
    other: str = ""
    value: float = 0.0

    def __str__(self) -> str:
        return self.relation.value.format(a=self.object, b=self.other, v=f"{self.value:g}")

    @property
    def relocates(self) -> bool:
        """Whether it moves an object, not the hand, close to or far from another."""
        return self.relation in (Relation.NEAR, Relation.FAR) and self.object != PALM


_GRASPED = "1. {palm} close to {thing}\n2. {thing}"
_NUMBER = r"(?P<v>-?\d+(?:\.\d+)?)"
_THE = r"(?:the )?(?:manipulator's |robot's )?"
_SHOULD = r"(?: should| needs to| must)?(?: be| move| get| stay| is| goes)?"
_PATTERNS = (
    (Relation.OPEN, rf"(?:the )?joint {_THE}(?P<a>.+?){_SHOULD} (?:open|opened|on|activated)"),
    (Relation.CLOSED, rf"(?:the )?joint {_THE}(?P<a>.+?){_SHOULD} (?:closed|close|shut|off)"),
    (Relation.HEIGHT, rf"{_THE}(?P<a>.+?){_SHOULD} (?:at|to)(?: a)? height(?: of)? {_NUMBER} ?m?"),
    (Relation.TILT, rf"{_THE}(?P<a>.+?){_SHOULD} tilted(?: by)? {_NUMBER} ?(?:degrees|°)?"),
    (Relation.FAR, rf"{_THE}(?P<a>.+?){_SHOULD} (?:far from|away from|far away from) (?P<b>.+?)"),
    (Relation.NEAR, rf"{_THE}(?P<a>.+?){_SHOULD} (?:close to|near to|near|next to) (?P<b>.+?)"),
)
_COMPILED = tuple(
    (relation, re.compile(pattern.replace(" ", r"[ \t]+") + r"[ \t.,;]*", re.IGNORECASE))
    for relation, pattern in _PATTERNS
)
_HINT = "Write each line in one of these forms: " + "; ".join(
    r.value.format(a="X", b="Y", v="0.4" if r is Relation.HEIGHT else "90") for r in Relation
)


_SPELT = tuple(
    (
        relation,
        re.compile(relation.value.format(a=r"(?P<a>\w+)", b=r"(?P<b>\w+)", v=r"(?P<v>-?[\d.]+)")),
    )
    for relation in Relation
)


def read_motion(line: str) -> MotionLine | None:
    """The motion that `str` wrote, whatever names it uses; None for any other text."""
    for relation, pattern in _SPELT:
        if match := pattern.fullmatch(line):
            found = match.groupdict()
            return MotionLine(relation, found["a"], found.get("b", ""), float(found.get("v", 0.0)))
    return None


def parse_motion(text: str, line: Line, scene: SceneDescription) -> MotionLine | ParseError:
    """Read `line`, a piece of the reply `text`, as a motion over the names of `scene`."""
    places = Names.of((PALM,), scene.places.known)
    refused: ParseError | None = None
    for relation, pattern in _COMPILED:
        match = pattern.fullmatch(line.text)
        if match is None:
            continue
        found: list[str] = []
        for group in ("a", "b"):
            if group not in match.groupdict():
                continue
            mention = Line(match[group], line.start + match.start(group))
            names = scene.joints if relation.moves_joint else places
            name = names.find(mention.text.removeprefix("object1=").removeprefix("object2="))
            if name is None:
                refused = refused or names.unknown(text, mention)
                break
            found.append(name)
        else:
            return _checked(relation, found, match, text, line)
    return refused or ParseError.on(text, line, f"{_HINT}.")


def _checked(
    relation: Relation, names: list[str], match: re.Match[str], text: str, line: Line
) -> MotionLine | ParseError:
    if len(set(names)) < len(names):
        hint = "Name two different things in a line about distance."
        return ParseError.on(text, line, hint)
    value = float(match["v"]) if "v" in match.groupdict() else 0.0
    limit = HIGHEST_M if relation is Relation.HEIGHT else 360.0
    if not -limit <= value <= limit:
        hint = f"Use a number from {-limit:g} to {limit:g} here."
        return ParseError.on(text, line, hint)
    return MotionLine(relation, names[0], names[1] if len(names) > 1 else "", value)


def carry_rule(scene: SceneDescription) -> str:
    """The body of a GBNF rule for a line that moves an object close to or far from another.

    What moves can be picked up, unless the scene has no such object.
    """
    return " | ".join(
        f"{literal(thing)} {_whereto(thing, scene)}"
        for thing in _movable(scene)
        if len(scene.places.known) > 1
    )


def relocation_rule(scene: SceneDescription, carried: str = "") -> str:
    """The body of a GBNF rule for the two lines that begin a relocation.

    The palm comes close to the thing that is moved: `carried`, or any that can be picked up.
    """
    return " | ".join(
        f"{literal(_GRASPED.format(palm=PALM, thing=thing))} {_whereto(thing, scene)}"
        for thing in ((carried,) if carried else _movable(scene))
    )


def _whereto(thing: str, scene: SceneDescription) -> str:
    others = tuple(place for place in scene.places.known if place != thing)
    return f"{choice((' close to ', ' far from '))} {choice(others)}"


def _movable(scene: SceneDescription) -> tuple[str, ...]:
    """The objects that can be picked up; every place where there is none."""
    return scene.that_can(Affordance.PICK) or scene.places.known


def motion_rule(scene: SceneDescription) -> str:
    """The body of a GBNF rule for one line over `scene`; empty where the scene has no place."""
    places = scene.places.known
    joints = scene.joints.known
    if not places:
        return ""
    options = [
        f"{literal(PALM + ' close to ')} {choice(places)}",
        f'{choice(_movable(scene))} " at height " [0-1] "." [0-9] " m"',
    ]
    if joints:
        options.append(f"{literal('joint ')} {choice(joints)} {choice((' open', ' closed'))}")
    carries = carry_rule(scene)
    return " | ".join([*options, *([carries] if carries else [])])
