"""Towers: "stack the blocks in the order red, green, blue" is one goal for each block."""

from __future__ import annotations

import re

from regrasp.core.object_description import Affordance
from regrasp.embedded.rules.goals import GoalKind, RuleGoal
from regrasp.embedded.rules.words import SceneLexicon

__all__ = ["stacked"]

_STACK = re.compile(r"\b(?:stack|pile|tower|on top of (?:each other|one another))\b", re.I)
_ORDER = re.compile(r"\border\b", re.I)
_DOWNWARD = re.compile(r"\b(?:top to bottom|top first|from the top)\b", re.I)
_GROUND = frozenset({"table", "floor", "counter", "desk", "shelf"})


def stacked(sentence: str, words: SceneLexicon) -> tuple[RuleGoal, ...]:
    """The goals of a sentence that asks for a tower, the lowest first; none for any other.

    Three objects or more, or two in an order, make a tower. It stands on the object that the
    sentence names, else on the only fixed object that others can stand on and that is not a table
    or floor.
    """
    if not _STACK.search(sentence):
        return ()
    named = list(dict.fromkeys(words.owner(ref.name) for ref in words.refs(sentence)))
    picked, borne = words.scene.that_can(Affordance.PICK), words.scene.that_can(Affordance.PUT_ON)
    tower = [name for name in named if name in picked]
    if len(tower) < 2 or (len(tower) == 2 and not _ORDER.search(sentence)):
        return ()
    if _DOWNWARD.search(sentence):
        tower.reverse()
    fixed = [
        thing for thing in words.scene.objects if thing.name in borne and thing.name not in picked
    ]
    said = [thing.name for thing in fixed if thing.name in named]
    bases = said or [thing.name for thing in fixed if thing.kind.lower() not in _GROUND]
    below = bases if len(bases) == 1 else []
    pairs = zip(tower if below else tower[1:], [*below, *tower], strict=False)
    return tuple(RuleGoal(GoalKind.PUT_ON, thing, place) for thing, place in pairs)
