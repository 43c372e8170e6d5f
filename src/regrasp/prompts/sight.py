"""Questions for the eyes in a fixed spelling, so that the smallest vision model can learn them.

Each is answered by yes, no or unknown, or for an attribute by a word; each also has a statement,
which is how its answer is told to a planner ("red_bar is blocking wooden_cabinet"). A free-form
question is just text; `read_sight` gives the typed question where the text is one of ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from regrasp.models.vision import QuestionKind
from regrasp.prompts.names import Names
from regrasp.prompts.scene import Can, SceneText
from regrasp.prompts.steps import ATTRIBUTES, Step, Verb

__all__ = ["ANYTHING", "Look", "Sight", "obstacle_questions", "read_sight"]

ANYTHING = "anything"
"""Stands for any object in a question, e.g. "Is there anything on the crate?"."""


class Look(StrEnum):
    """What can be asked of a picture; `{a}` and `{b}` are names, `{p}` an attribute."""

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


_STATEMENTS = {
    Look.SEEN: "{a} is {not}in sight",
    Look.OPEN: "{a} is {not}open",
    Look.CLOSED: "{a} is {not}closed",
    Look.ON: "{a} is {not}on {b}",
    Look.INSIDE: "{a} is {not}inside {b}",
    Look.NEXT_TO: "{a} is {not}next to {b}",
    Look.BLOCKING: "{a} is {not}blocking {b}",
    Look.IN_FRONT: "{a} is {not}in front of {b}",
    Look.HELD: "{a} is {not}held by the robot",
}


@dataclass(frozen=True, slots=True)
class Sight:
    """One question about what can be seen."""

    look: Look
    object: str
    other: str = ""
    attribute: str = ""

    def __str__(self) -> str:
        text = self.look.value.format(a=self.object, b=self.other, p=self.attribute)
        return text.replace(f"Is the {ANYTHING} ", f"Is there {ANYTHING} ")

    @property
    def kind(self) -> QuestionKind:
        """Whether it is answered by yes and no, or by a word."""
        return QuestionKind.OPEN if self.look is Look.ATTRIBUTE else QuestionKind.YES_NO

    def statement(self, answer: bool | str) -> str:
        """The answer as a sentence: `crate is red`, `red_cube is not on crate`."""
        if isinstance(answer, str):
            return f"{self.object} is {answer}"
        words = {"a": self.object, "b": self.other, "not": "" if answer else "not "}
        return _STATEMENTS.get(self.look, "{a} is {not}so").format_map(words)


def _pattern(look: Look) -> re.Pattern[str]:
    spelt = re.escape(str(look.value).replace("{", "<").replace("}", ">")).replace(r"\ ", " ")
    spelt = spelt.replace("the <a>", r"(?:(?:the|a|an|there) )?(?P<a>[\w\s-]+?)")
    spelt = spelt.replace("the <b>", r"(?:(?:the|a|an) )?(?P<b>[\w\s-]+?)")
    spelt = spelt.replace("<p>", rf"(?P<p>{'|'.join(ATTRIBUTES)}|color)").replace(r"\?", r"\??")
    spelt = spelt.replace(" inside ", " (?:inside(?: of)?|in) ").replace(
        " on ", " (?:on|on top of|standing on|sitting on) "
    )
    return re.compile(spelt.replace(" ", r"\s+"), re.IGNORECASE)


_PATTERNS = tuple((look, _pattern(look)) for look in Look)


def read_sight(question: str, names: Names | None = None) -> Sight | None:
    """The typed question that `question` spells, over `names` if given; None for any other text."""
    for look, pattern in _PATTERNS:
        match = pattern.fullmatch(question.strip())
        if match is None:
            continue
        groups = match.groupdict()
        said = [groups["a"], groups.get("b") or ""]
        found = [_name(word, names) if word else "" for word in said]
        if None not in found:
            attribute = (groups.get("p") or "").lower().replace("color", "colour")
            return Sight(look, found[0] or "", found[1] or "", attribute)
    return None


def _name(said: str, names: Names | None) -> str | None:
    word = Names.normal(said)
    return word if names is None or word == ANYTHING else names.find(word)


def obstacle_questions(step: Step, scene: SceneText) -> tuple[Sight, ...]:
    """What to ask of each object when `step` failed: is it in the way, is it on it, is it shut?

    The yes/no way to ask why, for eyes that cannot answer "what prevents that?" in words. The
    order is the scene's; the object of the step itself is never its own obstacle.
    """
    moved = str(step.object) if step.verb.carries or step.verb in (Verb.PICK, Verb.LIFT) else ""
    targets = tuple(t for t in ((step.other, moved) if moved else (str(step.object),)) if t)
    asked: list[Sight] = []
    for target in targets:
        owner = scene.owner(target)
        if owner is None:
            continue
        if step.verb is Verb.PUT_IN and Can.OPEN in owner.can and target == step.other:
            asked.append(Sight(Look.CLOSED, target))
        for thing in scene.objects:
            if thing.name in (owner.name, moved) or Can.PICK not in thing.can or not thing.seen:
                continue
            if Can.PUT_ON in owner.can or Can.PICK in owner.can:
                asked.append(Sight(Look.ON, thing.name, target))
            if owner.joints or Can.OPEN in owner.can:
                asked.append(Sight(Look.BLOCKING, thing.name, target))
    return tuple(asked)
