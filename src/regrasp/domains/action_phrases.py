"""Actions of a plan in plain words, and the two questions about an action as a whole.

`read_action_question` is the inverse, for vision models: which action a question is about, and
whether it asks for affordance or success. As in `prompts.visual_question_parser`, every word must
fit, or the question is rejected.
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
"""The phrase of each action; `{0}` is its first argument."""
LIQUID = "water"
"""The liquid of a household's taps."""

_OTHER_PHRASES = {
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
    """The two questions about an action."""

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
    """An action in plain words; an action without a phrase by its name."""
    form = ACTION_PHRASES.get(action.name)
    return form.format(*action.args) if form else " ".join((action.name, *action.args))


def affordance_question(phrase: str) -> str:
    """The question whether an action, given in words, can be done now."""
    return f"Can the robot {phrase} now?"


def success_question(phrase: str) -> str:
    """The question whether an action, given in words, was done."""
    return f"Did the robot {phrase}?"


def read_action_question(text: str) -> tuple[ActionQuestion, Action] | None:
    """The kind of the question and its action; None for any other text.

    Text after the question mark describes the form of the answer. Objects have names like
    `red_mug`.
    """
    asked = text.partition("?")[0].lower().replace("_", " ")
    if "robot" not in asked:
        return None
    phrase = " ".join(_FILLER.sub(" ", asked).split())
    for about, frame in _FRAMES:
        frame_match = frame.match(phrase)
        if frame_match:
            found = set(_actions(phrase[frame_match.end() :]))
            return (about, found.pop()) if len(found) == 1 else None
    return None


def _actions(phrase: str) -> Iterator[Action]:
    """The actions that a phrase may mean; a word of the phrases cannot be part of a name."""
    for name, pattern in _PATTERNS:
        match = pattern.fullmatch(phrase)
        if match is not None and _PHRASE_WORDS.isdisjoint(" ".join(match.groups()).split()):
            yield Action(name, tuple(Names.normal(thing) for thing in match.groups()))


_FORMS = [
    (n, form) for n, first in ACTION_PHRASES.items() for form in (first, *_OTHER_PHRASES.get(n, ()))
]
_PHRASE_WORDS = frozenset(word for _, form in _FORMS for word in re.findall("[a-z]+", form))
_PATTERNS = tuple(
    (name, re.compile(re.sub(r"\\\{\d\\\}", "([a-z0-9 -]+?)", re.escape(form))))
    for name, form in _FORMS
)
