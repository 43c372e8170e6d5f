"""Actions of a plan in plain words, and the two questions that can be asked about one as a whole.

`read_action_question` is the way back, for oracles: which action is meant, and what of it.
"""

from __future__ import annotations

import re
from enum import StrEnum

from regrasp.core.action import Action

__all__ = [
    "About", "affordance_question", "read_action_question", "success_question", "words",
]  # fmt: skip

_WORDS = {
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
_CAN, _DID = "Can the robot {0} now?", "Did the robot {0}?"


class About(StrEnum):
    """What is asked of an action."""

    AFFORDANCE = "affordance"
    SUCCESS = "success"


def words(action: Action) -> str:
    """An action as a person would say it; one without words of its own by its name."""
    form = _WORDS.get(action.name)
    return form.format(*action.args) if form else " ".join((action.name, *action.args))


def affordance_question(action: Action) -> str:
    """Whether it can be done now."""
    return _CAN.format(words(action))


def success_question(action: Action) -> str:
    """Whether it was done."""
    return _DID.format(words(action))


def read_action_question(text: str) -> tuple[About, Action] | None:
    """The action that a question of this file asks about; None for any other text."""
    for about, form in ((About.AFFORDANCE, _CAN), (About.SUCCESS, _DID)):
        before, after = form.split("{0}")
        asked = text.strip()
        if not (asked.startswith(before) and asked.endswith(after)):
            continue
        said = asked[len(before) : -len(after)]
        for name, spelt in _WORDS.items():
            pattern = re.sub(r"\\\{\d\\\}", r"([\\w-]+)", re.escape(spelt))
            match = re.fullmatch(pattern, said)
            if match:
                return about, Action(name, match.groups())
    return None
