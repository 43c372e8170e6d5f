"""Wordings of visual questions: several for each question, some held out for testing.

`{a}` and `{b}` are spoken names, `{do}` is an action in words. The first wording of each list is
the agents' wording, on which the vision model is trained: `prompts.visual_question_parser` and
`domains.action_phrases` translate others into it. The last `HELD_OUT` of each, and nonsense of
other kinds, are asked in held-out rooms only.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import numpy as np

from regrasp.core.action import Action
from regrasp.domains.action_phrases import LIQUID, describe_action
from regrasp.prompts.visual_question import ConditionQuestion, ObjectQuestion, PathQuestion

__all__ = ["HELD_OUT", "NONSENSE", "WORDINGS", "Topic", "ask"]


class Topic(StrEnum):
    """The topic of a question: those of `ObjectQuestion`, `ConditionQuestion` and `PathQuestion`.

    AFFORDANCE and SUCCESS are about an action: whether it can be done, and whether it was done.
    """

    SEEN = "seen"
    OPEN = "open"
    CLOSED = "closed"
    ON = "on"
    INSIDE = "inside"
    NEXT_TO = "next_to"
    IN_FRONT = "in_front"
    BLOCKING = "blocking"
    HELD = "held"
    ANY_ON = "any_on"
    ANY_IN_FRONT = "any_in_front"
    ANY_HELD = "any_held"
    LEFT = "left"
    RIGHT = "right"
    COLOUR = "colour"
    STATE = "state"
    NONSENSE = "nonsense"
    FILLED = "filled"
    EMPTY = "empty"
    TURNED_ON = "turned_on"
    TURNED_OFF = "turned_off"
    COOKED = "cooked"
    RAW = "raw"
    HOT = "hot"
    COLD = "cold"
    FROZEN = "frozen"
    THAWED = "thawed"
    HALVED = "halved"
    WHOLE = "whole"
    AFFORDANCE = "affordance"
    SUCCESS = "success"
    AT = "at"
    CLEAR = "clear"
    OBSTACLE = "obstacle"
    CAPPED = "capped"
    UNCAPPED = "uncapped"
    ANY_INSIDE = "any_inside"


_SCRAMBLED = 0.3
_KEPT_NONSENSE = 6
HELD_OUT = 2
"""The number of wordings of each topic that are held out for testing."""

WORDINGS: Mapping[Topic, tuple[str, ...]] = {
    Topic.SEEN: (
        ObjectQuestion.SEEN,
        "Can you see the {a}?",
        "Is there a {a} in the picture?",
        "Is the {a} in sight?",
        "Do you see the {a} in the image?",
        "Is the {a} present?",
        "Is there a {a} in the scene?",
        "Is the {a} visible?",
        "Can you see a {a} anywhere?",
        "Is there any {a} here?",
        "Does the picture show the {a}?",
        "Do you see a {a}?",
        "Is a {a} in view?",
        "Do you see any {a} in the picture?",
        "Is the {a} in the picture?",
    ),
    Topic.OPEN: (
        ObjectQuestion.OPEN,
        "Has the {a} been opened?",
        "Does the {a} stand open?",
        "Is the {a} wide open?",
        "Is the {a} standing open now?",
        "Do you see that the {a} is open?",
        "Is the {a} opened?",
        "Is the {a} currently open?",
        "Is the {a} open now?",
        "Has the robot opened the {a}?",
    ),
    Topic.CLOSED: (
        ObjectQuestion.CLOSED,
        "Is the {a} shut?",
        "Is the {a} fully closed?",
        "Does the {a} stand closed?",
        "Has the {a} been closed?",
        "Is the {a} still closed?",
        "Is the {a} currently closed?",
        "Is the {a} completely shut?",
        "Do you see that the {a} is closed?",
        "Is the {a} still shut?",
        "Has the robot closed the {a}?",
    ),
    Topic.ON: (
        ObjectQuestion.ON,
        "Is the {a} on top of the {b}?",
        "Is the {a} standing on the {b}?",
        "Is the {a} located on the {b}?",
        "Is the {a} currently on the {b}?",
        "Has the {a} been put on the {b}?",
        "Is the {a} sitting on the {b}?",
        "Does the {a} lie on the {b}?",
        "Is the {a} lying on top of the {b}?",
        "Does the {a} rest on the {b}?",
        "Is the {a} placed on the {b}?",
        "Is a {a} on the {b}?",
        "Does the {a} stand on top of the {b}?",
        "Is the {a} placed on top of the {b}?",
    ),
    Topic.INSIDE: (
        ObjectQuestion.INSIDE,
        "Is the {a} in the {b}?",
        "Is the {a} inside of the {b}?",
        "Does the {b} contain the {a}?",
        "Is the {a} within the {b}?",
        "Is the {a} located inside the {b}?",
        "Is the {a} currently in the {b}?",
        "Has the {a} been put into the {b}?",
        "Is there a {a} in the {b}?",
        "Does the {a} lie inside the {b}?",
        "Is the {a} placed in the {b}?",
        "Is a {a} inside the {b}?",
        "Does the {a} stand in the {b}?",
    ),
    Topic.NEXT_TO: (
        ObjectQuestion.NEXT_TO,
        "Is the {a} beside the {b}?",
        "Is the {a} near the {b}?",
        "Is the {a} close to the {b}?",
        "Is the {a} by the {b}?",
        "Does the {a} stand next to the {b}?",
        "Is the {a} standing beside the {b}?",
        "Is the {a} right next to the {b}?",
        "Does the {a} lie near the {b}?",
    ),
    Topic.IN_FRONT: (
        ObjectQuestion.IN_FRONT,
        "Is the {a} before the {b}?",
        "Does the {a} stand in front of the {b}?",
        "Is the {a} standing before the {b}?",
        "Does the {a} lie in front of the {b}?",
        "Is a {a} in front of the {b}?",
        "Is the {a} placed in front of the {b}?",
        "Is the {a} standing in front of the {b}?",
    ),
    Topic.BLOCKING: (
        ObjectQuestion.BLOCKING,
        "Does the {a} block the {b}?",
        "Is the {a} in the way of the {b}?",
        "Is the {a} obstructing the {b}?",
        "Does the {a} obstruct the {b}?",
        "Is the {b} blocked by the {a}?",
        "Is the {b} barred by the {a}?",
        "Does the {a} hinder the opening of the {b}?",
        "Does the {a} keep the {b} from opening?",
        "Does the {a} prevent the {b} from opening?",
        "Is the {a} holding the {b} shut?",
        "Does the {a} keep the {b} shut?",
        "Would the {b} run into the {a}?",
        "Does the {a} stop the {b} from opening?",
        "Does the {a} stand in the way of the {b}?",
        "Does the {a} hold the {b} shut?",
    ),
    Topic.HELD: (
        ObjectQuestion.HELD,
        "Is the {a} in the gripper?",
        "Does the robot hold the {a}?",
        "Is the {a} in the hand of the robot?",
        "Has the robot picked up the {a}?",
        "Is the hand holding the {a}?",
        "Is the robot gripping the {a}?",
        "Is the robot grasping the {a}?",
        "Is the {a} grasped by the robot?",
        "Is the {a} between the fingers?",
        "Is the {a} held by the robot?",
        "Does the gripper hold the {a}?",
        "Is the {a} held by the gripper?",
    ),
    Topic.ANY_ON: (
        "Is there anything on the {b}?",
        "Is anything on the {b}?",
        "Is there something on top of the {b}?",
        "Does anything stand on the {b}?",
        "Is something lying on the {b}?",
        "Is there anything on top of the {b}?",
        "Does something rest on the {b}?",
    ),
    Topic.ANY_INSIDE: (
        "Is there anything inside the {b}?",
        "Is there anything in the {b}?",
        "Is anything in the {b}?",
        "Is there something inside the {b}?",
        "Does the {b} contain anything?",
        "Is something inside the {b}?",
        "Do you see anything in the {b}?",
    ),
    Topic.ANY_IN_FRONT: (
        "Is there anything in front of the {b}?",
        "Is anything in front of the {b}?",
        "Does anything stand in front of the {b}?",
        "Is something standing in front of the {b}?",
        "Is there something in front of the {b}?",
    ),
    Topic.ANY_HELD: (
        "Is the robot holding anything?",
        "Is there anything in the gripper?",
        "Does the robot hold something?",
        "Is there something in the hand of the robot?",
        "Is anything held by the robot?",
        "Is the gripper holding something?",
    ),
    Topic.LEFT: (
        "Is the {a} to the left of the {b}?",
        "Is the {a} left of the {b}?",
        "Does the {a} stand to the left of the {b}?",
        "Is the {a} on the left side of the {b}?",
        "Does the {a} lie left of the {b}?",
        "Is the {a} placed to the left of the {b}?",
    ),
    Topic.RIGHT: (
        "Is the {a} to the right of the {b}?",
        "Is the {a} right of the {b}?",
        "Does the {a} stand to the right of the {b}?",
        "Is the {a} on the right side of the {b}?",
        "Does the {a} lie right of the {b}?",
        "Is the {a} placed to the right of the {b}?",
    ),
    Topic.COLOUR: (
        "What colour is the {a}?",
        "What color is the {a}?",
        "Which colour has the {a}?",
        "What is the colour of the {a}?",
        "Which color is the {a}?",
        "Tell me the colour of the {a}?",
        "What is the color of the {a}?",
        "Which colour is the {a}?",
    ),
    Topic.STATE: (
        "What state is the {a}?",
        "Is the {a} open or closed?",
        "What is the state of the {a}?",
        "In which state is the {a}?",
        "Is the {a} closed or open?",
    ),
    Topic.FILLED: (
        ConditionQuestion.FILLED,
        "Is the {a} full?",
        "Has the {a} been filled?",
        "Is the {a} now full?",
        "Do you see that the {a} is full?",
    ),
    Topic.EMPTY: (
        ConditionQuestion.EMPTY,
        "Is there nothing in the {a}?",
        "Is the {a} still empty?",
        "Has the {a} been emptied?",
        "Is there nothing inside the {a}?",
    ),
    Topic.TURNED_ON: (
        ConditionQuestion.TURNED_ON,
        "Is the {a} on?",
        "Is the {a} running?",
        "Has the {a} been switched on?",
        "Is the {a} switched on?",
        "Is the {a} already running?",
    ),
    Topic.TURNED_OFF: (
        ConditionQuestion.TURNED_OFF,
        "Is the {a} off?",
        "Has the {a} been turned off?",
        "Is the {a} switched off?",
        "Is the {a} still off?",
    ),
    Topic.COOKED: (
        ConditionQuestion.COOKED,
        "Has the {a} been cooked?",
        "Is the {a} done cooking?",
        "Is the {a} already cooked?",
        "Do you see that the {a} is cooked?",
    ),
    Topic.RAW: (
        ConditionQuestion.RAW,
        "Is the {a} uncooked?",
        "Is the {a} still raw?",
        "Is the {a} still uncooked?",
    ),
    Topic.HOT: (
        ConditionQuestion.HOT,
        "Is the {a} warm?",
        "Has the {a} been heated?",
        "Is the {a} already hot?",
        "Has the {a} been heated up?",
    ),
    Topic.COLD: (
        ConditionQuestion.COLD,
        "Is the {a} still cold?",
        "Has the {a} cooled?",
        "Do you see that the {a} is cold?",
    ),
    Topic.FROZEN: (
        ConditionQuestion.FROZEN,
        "Is the {a} still frozen?",
        "Is there frost on the {a}?",
        "Has the {a} been frozen?",
        "Do you see that the {a} is frozen?",
    ),
    Topic.THAWED: (
        ConditionQuestion.THAWED,
        "Has the {a} thawed?",
        "Is the {a} already thawed?",
        "Has the {a} been thawed?",
        "Is the {a} completely thawed?",
    ),
    Topic.HALVED: (
        ConditionQuestion.HALVED,
        "Is the {a} cut in half?",
        "Has the {a} been cut into halves?",
        "Is the {a} in two halves?",
        "Has the {a} been cut in half?",
        "Is the {a} in halves?",
    ),
    Topic.WHOLE: (
        ConditionQuestion.WHOLE,
        "Is the {a} in one piece?",
        "Is the {a} still whole?",
        "Is the {a} uncut?",
        "Is the {a} still in one piece?",
    ),
    Topic.AFFORDANCE: (
        "Can the robot {do} now?",
        "Can the robot {do}?",
        "Could the robot {do} right now?",
        "Is the robot able to {do}?",
        "Is the robot now able to {do}?",
        "Would the robot be able to {do} now?",
        "Is it possible for the robot to {do}?",
    ),
    Topic.SUCCESS: (
        "Did the robot {do}?",
        "Did the robot manage to {do}?",
        "Has the robot managed to {do}?",
        "Did the robot really {do}?",
        "Did the robot succeed to {do}?",
        "Was the robot able to {do}?",
        "Has the robot been able to {do}?",
    ),
    Topic.AT: (
        PathQuestion.AT,
        "Does the robot stand at the {a}?",
        "Is the robot near the {a}?",
        "Has the robot reached the {a}?",
        "Is the robot standing in front of the {a}?",
        "Is the robot close to the {a}?",
        "Has the robot arrived at the {a}?",
    ),
    Topic.CLEAR: (
        PathQuestion.CLEAR,
        "Is the way on the {a} clear?",
        "Is the path ahead on the {a} clear?",
        "Is the way ahead on the {a} free?",
        "Is the way forward on the {a} clear?",
        "Is the path on the {a} free?",
    ),
    Topic.OBSTACLE: (
        PathQuestion.OBSTACLE,
        "Do you see an obstacle ahead on the {a}?",
        "Is the way ahead on the {a} blocked?",
        "Is there an obstacle in the way on the {a}?",
        "Is the path ahead on the {a} obstructed?",
        "Is an obstacle ahead on the {a}?",
    ),
    Topic.CAPPED: (
        ConditionQuestion.CAPPED,
        "Is the {a} screwed shut?",
        "Is the {a} closed with its cap?",
        "Is the {a} still capped?",
        "Do you see that the {a} is capped?",
    ),
    Topic.UNCAPPED: (
        ConditionQuestion.UNCAPPED,
        "Is the {a} without its cap?",
        "Is the {a} already uncapped?",
        "Is the {a} without a cap?",
        "Has the {a} been uncapped?",
    ),
}
"""The wordings of each topic."""
_OF_THINGS = tuple(str(forms[0]) for forms in WORDINGS.values() if "{do}" not in forms[0])

NONSENSE = (
    "How many {a} are there?",
    "Why is the {a} here?",
    "Who put the {a} on the {b}?",
    "What is the {a} for?",
    "How heavy is the {a}?",
    "What size is the {a}?",
    "What shape is the {a}?",
    "What material is the {a}?",
    "Is the {a} locked?",
    "Is the {a} heavy?",
    "Is the {a} fragile?",
    "Is the {a} expensive?",
    "Will the {a} fall?",
    "Where is the {a}?",
    "What should the robot do now?",
    "What is your name?",
    "Is it raining?",
    "Can the robot reach the {a}?",
    "Which is larger, the {a} or the {b}?",
    "When did the {b} open?",
    "Is the {a} the same as the {b}?",
    "Should I open the {b}?",
    "Is the {b} broken?",
    "How far is the {a} from the {b}?",
)
"""Questions that an image does not answer, or that this vision model is not made for."""


def ask(
    topic: Topic, a: str, b: str, rng: np.random.Generator, *, held_out: bool, action: str = ""
) -> str:
    """One of the wordings of `topic`: a held-out one if `held_out`, else one of the others.

    Among the others, the agents' own wording is drawn at least every third time. `action` is the
    action on `a` and `b`, in questions about actions.
    """
    if topic is Topic.NONSENSE:
        usual, kept = NONSENSE[:-_KEPT_NONSENSE], NONSENSE[-_KEPT_NONSENSE:]
        form = str(rng.choice(kept if held_out else usual))
        if rng.random() < _SCRAMBLED:
            form = _scrambled(str(rng.choice(_OF_THINGS)), rng)
    else:
        forms = WORDINGS[topic]
        usual, kept = forms[:-HELD_OUT], forms[-HELD_OUT:]
        form = str(rng.choice(kept) if held_out else usual[0])
        if not held_out and rng.random() > 1 / 3:
            form = str(rng.choice(usual))
    return form.format(a=a, b=b, do=describe_action(Action(action, (a, b, LIQUID))))


def _scrambled(form: str, rng: np.random.Generator) -> str:
    """The words of a question in a random order that begins differently."""
    words = form.strip("?").split()
    mixed = words
    while mixed[:2] == words[:2]:
        mixed = rng.permutation(words).tolist()
    return " ".join(mixed)
