"""Questions to a vision model in a fixed spelling, so that a very small model can learn them.

Each is answered by yes, no or unknown, or for an attribute by a word. Each also has a statement,
the form of its answer in a planner's prompt ("red_bar is blocking wooden_cabinet"). A free-form
question is text; `visual_question_parser.parse_visual_question` gives the typed question where the
text asks one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.answer import QuestionKind
from regrasp.core.object_description import Affordance
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step, Verb

__all__ = [
    "ANYTHING",
    "ConditionQuestion",
    "ObjectQuestion",
    "PathQuestion",
    "QuestionTemplate",
    "SideQuestion",
    "VisualQuestion",
    "obstacle_questions",
]

ANYTHING = "anything"
"""Stands for any object in a question, e.g. "Is there anything on the crate?"."""


class ObjectQuestion(StrEnum):
    """Questions about objects; `{a}` and `{b}` are names, `{p}` an attribute."""

    SEEN = "Do you see the {a}?"
    OPEN = "Is the {a} open?"
    CLOSED = "Is the {a} closed?"
    ON = "Is the {a} on the {b}?"
    IN_FRONT = "Is the {a} in front of the {b}?"
    INSIDE = "Is the {a} inside the {b}?"
    NEXT_TO = "Is the {a} next to the {b}?"
    BLOCKING = "Is the {a} blocking the {b}?"
    HELD = "Is the robot holding the {a}?"
    ATTRIBUTE = "What {p} is the {a}?"


class SideQuestion(StrEnum):
    """Questions that prompts do not offer to agents: left and right, as the robot faces."""

    LEFT = "Is the {a} to the left of the {b}?"
    RIGHT = "Is the {a} to the right of the {b}?"


class ConditionQuestion(StrEnum):
    """Questions about conditions that change with use; the second of each pair is the negation."""

    FILLED = "Is the {a} filled?"
    EMPTY = "Is the {a} empty?"
    TURNED_ON = "Is the {a} turned on?"
    TURNED_OFF = "Is the {a} turned off?"
    COOKED = "Is the {a} cooked?"
    RAW = "Is the {a} raw?"
    HOT = "Is the {a} hot?"
    COLD = "Is the {a} cold?"
    FROZEN = "Is the {a} frozen?"
    THAWED = "Is the {a} thawed?"
    HALVED = "Is the {a} halved?"
    WHOLE = "Is the {a} whole?"
    CAPPED = "Is the {a} capped?"
    UNCAPPED = "Is the {a} uncapped?"


class PathQuestion(StrEnum):
    """Questions about the position of a walking robot and the path ahead of it.

    `{a}` of the last two is a side, `left` or `right`.
    """

    AT = "Is the robot at the {a}?"
    CLEAR = "Is the way ahead on the {a} clear?"
    OBSTACLE = "Is there an obstacle ahead on the {a}?"


QuestionTemplate = ObjectQuestion | SideQuestion | ConditionQuestion | PathQuestion
"""Any of the questions."""

_STATEMENTS: dict[QuestionTemplate, str] = {
    ObjectQuestion.SEEN: "{a} is {not}in sight",
    ObjectQuestion.OPEN: "{a} is {not}open",
    ObjectQuestion.CLOSED: "{a} is {not}closed",
    ObjectQuestion.ON: "{a} is {not}on {b}",
    ObjectQuestion.INSIDE: "{a} is {not}inside {b}",
    ObjectQuestion.NEXT_TO: "{a} is {not}next to {b}",
    ObjectQuestion.BLOCKING: "{a} is {not}blocking {b}",
    ObjectQuestion.IN_FRONT: "{a} is {not}in front of {b}",
    ObjectQuestion.HELD: "{a} is {not}held by the robot",
    SideQuestion.LEFT: "{a} is {not}to the left of {b}",
    SideQuestion.RIGHT: "{a} is {not}to the right of {b}",
    PathQuestion.AT: "the robot is {not}at {a}",
    PathQuestion.CLEAR: "the way ahead on the {a} is {not}clear",
    PathQuestion.OBSTACLE: "there is {not}an obstacle ahead on the {a}",
    **{one: f"{{a}} is {{not}}{one.name.lower().replace('_', ' ')}" for one in ConditionQuestion},
}


@dataclass(frozen=True, slots=True)
class VisualQuestion:
    """One question about a picture."""

    template: QuestionTemplate
    object: str
    other: str = ""
    attribute: str = ""

    def __str__(self) -> str:
        text = self.template.value.format(a=self.object, b=self.other, p=self.attribute)
        text = text.replace(f"Is the {ANYTHING} ", f"Is there {ANYTHING} ")
        return text.replace(f"the {ANYTHING}", ANYTHING)

    @property
    def kind(self) -> QuestionKind:
        """Whether the answer is yes/no, or a word."""
        return (
            QuestionKind.OPEN if self.template is ObjectQuestion.ATTRIBUTE else QuestionKind.YES_NO
        )

    def statement(self, answer: bool | str) -> str:
        """The answer as a sentence: `crate is red`, `red_cube is not on crate`."""
        if isinstance(answer, str):
            return f"{self.object} is {answer}"
        words = {"a": self.object, "b": self.other, "not": "" if answer else "not "}
        return _STATEMENTS.get(self.template, "{a} is {not}so").format_map(words)


def obstacle_questions(step: Step, scene: SceneDescription) -> tuple[VisualQuestion, ...]:
    """The questions about each object after `step` failed: is it in the way, on top, or closed?

    The yes/no way to ask why, for vision models that cannot answer "what prevents that?" in words.
    The order is the scene's; the object of the step itself is never its own obstacle.
    """
    moved = str(step.object) if step.verb.carries or step.verb in (Verb.PICK, Verb.LIFT) else ""
    targets = tuple(t for t in ((step.other, moved) if moved else (str(step.object),)) if t)
    asked: list[VisualQuestion] = []
    for target in targets:
        owner = scene.owner(target)
        if owner is None:
            continue
        opens = owner.allows(Affordance.OPEN)
        if step.verb is Verb.PUT_IN and opens and target == step.other:
            asked.append(VisualQuestion(ObjectQuestion.CLOSED, target))
        for thing in scene.objects:
            movable = thing.visible and thing.allows(Affordance.PICK)
            if not movable or thing.name in (owner.name, moved):
                continue
            if owner.allows(Affordance.PUT_ON, Affordance.PICK):
                asked.append(VisualQuestion(ObjectQuestion.ON, thing.name, target))
            if owner.joints or opens:
                asked.append(VisualQuestion(ObjectQuestion.BLOCKING, thing.name, target))
    return tuple(asked)
