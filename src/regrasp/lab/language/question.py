"""A question with its reference answer, and the data to grade another answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regrasp.core.errors import RegraspError
from regrasp.lab.language.copal_plans import CommandGoal
from regrasp.lab.language.grading import Grade, grade
from regrasp.lab.language.reading import family_of, read_prompt
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.lab.language.wants import RoomGoal
from regrasp.models.language import Message
from regrasp.prompts.prompt import Prompt

__all__ = ["LanguageExample"]


@dataclass(frozen=True, slots=True)
class LanguageExample:
    """`world` and `want` are set for a plan question, `goals` for a question about skill calls.

    `command_goal` is set for a question about CoPAL's commands.
    """

    messages: tuple[Message, ...]
    answer: str
    world: SymbolicWorld | None = None
    want: RoomGoal | None = None
    room: str = ""
    goals: tuple[str, ...] = ()
    command_goal: CommandGoal | None = None

    @property
    def family(self) -> str:
        """The family of its prompt."""
        return family_of(self.messages)

    @property
    def prompt(self) -> Prompt[Any]:
        """The prompt of the question."""
        prompt = read_prompt(self.messages)
        if prompt is None:
            raise RegraspError(f"not one of our prompts: {self.messages[-1].content[:200]!r}")
        return prompt

    def grade(self, reply: str) -> Grade:
        """The grade of a reply."""
        return grade(
            self.prompt, reply, self.answer, self.world, self.want, self.goals, self.command_goal
        )
