"""Actions of a plan in plain words, and the two questions that can be asked about one as a whole.

`read_action_question` is the way back, for eyes: which action is meant, and what of it. As in
`prompts.reading` every word must have its place, or the question is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from regrasp.core.action import Action
from regrasp.prompts.names import Names
from regrasp.prompts.question_words import FILLERS

__all__ = [
    "ACTION_PHRASES",
    "LIQUID",
    "ActionQuestion",
    "affordance_question",
    "describe_action",
    "read_action_question",
    "success_question",
]  # fmt: skip

ACTION_PHRASES = {
    "find": "find the {0}",
    "grasp_from_on": "take the {0} from the {1}",
    "grasp_from_in": "take the {0} out of the {1}",
    "grasp_from_floor": "pick the {0} up from the {1}",
    "placein": "put the {0} into the {1}",
    "placeon": "put the {0} on the {1}",
    "placefloor": "put the {0} down on the {1}",
    "fillsink": "fill the {0} with {1}",
    "fill": "fill the {0} at the {1}",
    "open": "open the {0}",
    "close": "close the {0}",
    "turnon_microwave": "turn on the {0} with the {1} and its {2}",
    "turnon_oven": "turn on the {0} with the {1} inside",
    "cut": "cut the {0} in half with the {1}",
}
"""How each action is told; `{0}` is the first thing that it is done to."""
LIQUID = "water"
"""What a household's taps give."""

_OTHERWISE = {
    "find": ("locate the {0}",),
    "grasp_from_on": ("grasp the {0} from the {1}", "take the {0} off the {1}"),
    "grasp_from_in": ("get the {0} out of the {1}", "grasp the {0} out of the {1}"),
    "grasp_from_floor": ("pick up the {0} from the {1}",),
    "placein": ("put the {0} in the {1}", "place the {0} in the {1}", "put the {0} inside the {1}"),
    "placeon": ("place the {0} on the {1}", "put the {0} onto the {1}"),
    "placefloor": ("set the {0} down on the {1}", "lay the {0} down on the {1}"),
    "close": ("shut the {0}",),
    "turnon_microwave": ("switch on the {0} with the {1} and its {2}",),
    "turnon_oven": ("switch on the {0} with the {1} inside",),
    "cut": ("cut the {0} into halves with the {1}",),
}


class ActionQuestion(StrEnum):
    """What is asked of an action."""

    AFFORDANCE = "affordance"
    SUCCESS = "success"


_FRAMES = (
    (ActionQuestion.AFFORDANCE, re.compile(
        "(?:(?:can|could) the robot|is the robot able to|would the robot be able to|"
        "is it possible for the robot to) "
    )),
    (ActionQuestion.SUCCESS, re.compile(
        "(?:(?:did the robot (?:manage|succeed)|has the robot (?:managed|been able)|"
        "was the robot able) to|did the robot) "
    )),
)  # fmt: skip
_FILLER = re.compile(rf"\b(?:{'|'.join(sorted(FILLERS, key=len, reverse=True))})\b")


def describe_action(action: Action) -> str:
    """An action as a person would say it; one without words of its own by its name."""
    form = ACTION_PHRASES.get(action.name)
    return form.format(*action.args) if form else " ".join((action.name, *action.args))


def affordance_question(phrase: str) -> str:
    """Whether an action in words can be done now."""
    return f"Can the robot {phrase} now?"


def success_question(phrase: str) -> str:
    """Whether an action in words was done."""
    return f"Did the robot {phrase}?"


def read_action_question(text: str) -> tuple[ActionQuestion, Action] | None:
    """What a question asks of which action; None for any other text.

    What follows the question mark says how to answer. Things are given by names like `red_mug`.
    """
    asked = text.partition("?")[0].lower().replace("_", " ")
    if "robot" not in asked:
        return None
    said = " ".join(_FILLER.sub(" ", asked).split())
    for about, frame in _FRAMES:
        begun = frame.match(said)
        if begun:
            found = set(_actions(said[begun.end() :]))
            return (about, found.pop()) if len(found) == 1 else None
    return None


def _actions(said: str) -> Iterator[Action]:
    """The actions that some words may tell; no word of ours can be part of a name."""
    for name, pattern in _PATTERNS:
        match = pattern.fullmatch(said)
        if match is not None and _OURS.isdisjoint(" ".join(match.groups()).split()):
            yield Action(name, tuple(Names.normal(thing) for thing in match.groups()))


_FORMS = [
    (n, form) for n, first in ACTION_PHRASES.items() for form in (first, *_OTHERWISE.get(n, ()))
]
_OURS = frozenset(word for _, form in _FORMS for word in re.findall("[a-z]+", form))
_PATTERNS = tuple(
    (name, re.compile(re.sub(r"\\\{\d\\\}", "([a-z0-9 -]+?)", re.escape(form))))
    for name, form in _FORMS
)
