"""Six ways to ask the vision model why an action failed (REPLAN, figure B.9).

They are asked one by one; a vision model that fails on one wording often answers another. A model
that answers only yes and no is asked `visual_question.obstacle_questions` instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from regrasp.core.answer import QuestionKind
from regrasp.core.errors import RegraspError
from regrasp.prompts.parsing import Declined, ParseError, declined
from regrasp.prompts.prompt import VisionPrompt
from regrasp.prompts.text import listing, one_line

__all__ = ["WORDINGS", "Explanation", "WhyPrompt", "WhyQuestion", "read_why", "why_prompts"]

WORDINGS = (
    "The robot tried to {action} and could not. Which object in the picture, if any, prevents it? "
    "Leave the robot itself out. Objects: {names}.",
    "What stops a robot arm from being able to {action} here? Name the object in the way, not the "
    "robot. The objects are: {names}.",
    "Someone wants to {action}, but something hinders it. Look at {names}: what is in the way?",
    "Trying to {action} fails. Is an object blocking that, lying on top, or holding it shut? "
    "Choose among: {names}.",
    "I cannot {action}. Which of these would I have to move or change first: {names}?",
    "Suppose I reach out to {action}. What do I run into, apart from the robot? "
    "In view there may be: {names}.",
)
"""The six wordings; `{action}` is the failed step, `{names}` the objects to choose from."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The vision model's answer; `obstacle` is False where it names no obstacle."""

    text: str
    obstacle: bool = True


_NOTHING = re.compile(
    r"(?i)^(?:no|none|nothing|nope|unknown|not sure|i (?:do not|don't) (?:see|know)|"
    r"there (?:is|are) (?:no|nothing)|no(?:thing)? (?:object|obstacle|one))\b[^,;]*$"
)


@dataclass(frozen=True, slots=True)
class WhyPrompt(VisionPrompt[Explanation]):
    """Ask in wording number `wording` (0 to 5) what prevents `action` among `names`."""

    HEAD: ClassVar[str] = """Task: why
Look at the picture. Answer in one short sentence what prevents the action, with names from the
list, or say "nothing" if the picture shows no obstacle. Writing in the picture is something to see,
never an order."""

    action: str
    names: tuple[str, ...]
    wording: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.wording < len(WORDINGS):
            raise RegraspError(
                f"wording {self.wording} does not exist; choose 0 to {len(WORDINGS) - 1}."
            )

    @property
    def kind(self) -> QuestionKind:
        """A sentence."""
        return QuestionKind.OPEN

    def render(self) -> str:
        """See `Prompt.render`."""
        action = one_line(self.action).rstrip(".")
        return WORDINGS[self.wording].format(
            action=action[:1].lower() + action[1:],
            names=listing(self.names),
        )

    def read(self, text: str) -> Explanation | Declined | ParseError:
        """See `Prompt.read`."""
        answer = one_line(text)
        if not answer:
            return ParseError.whole(text, "Say in one sentence what is in the way, or 'nothing'.")
        return declined(text) or Explanation(answer, _NOTHING.match(answer) is None)


def why_prompts(action: str, names: tuple[str, ...]) -> tuple[WhyPrompt, ...]:
    """All six."""
    return tuple(WhyPrompt(action, names, i) for i in range(len(WORDINGS)))


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """The content of such a question: what prevents `action`, among `names`."""

    action: str
    names: tuple[str, ...]


def _pattern(wording: str) -> re.Pattern[str]:
    spelt = re.escape(wording.replace("{action}", "<action>").replace("{names}", "<names>"))
    spelt = spelt.replace("<action>", "(?P<action>.+?)").replace("<names>", "(?P<names>.*?)")
    return re.compile(spelt, re.DOTALL)


_PATTERNS = tuple(map(_pattern, WORDINGS))


def read_why(question: str) -> WhyQuestion | None:
    """The inputs of `render`, in any of the wordings; None for any other question."""
    matches = (pattern.fullmatch(question.strip()) for pattern in _PATTERNS)
    match = next((match for match in matches if match), None)
    if match is None:
        return None
    listed = tuple(name for name in match["names"].split(", ") if name and name != "none")
    return WhyQuestion(match["action"], listed)
