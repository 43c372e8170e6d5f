"""A question with the answer that is taught, and all that is needed to grade another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regrasp.core.errors import RegraspError
from regrasp.lab.language.grading import Grade, grade
from regrasp.lab.language.reading import family_of, read_prompt
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.lab.language.wants import RoomGoal
from regrasp.models.language import Message
from regrasp.prompts.prompt import Prompt

__all__ = ["LanguageExample"]


@dataclass(frozen=True, slots=True)
class LanguageExample:
    """`world` and `want` are there where a plan is asked for, `goals` where calls of skills are."""

    messages: tuple[Message, ...]
    answer: str
    world: SymbolicWorld | None = None
    want: RoomGoal | None = None
    room: str = ""
    goals: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The family of prompts that it belongs to."""
        return family_of(self.messages)

    @property
    def prompt(self) -> Prompt[Any]:
        """The prompt that it was made by."""
        prompt = read_prompt(self.messages)
        if prompt is None:
            raise RegraspError(f"not one of our prompts: {self.messages[-1].content[:200]!r}")
        return prompt

    def grade(self, reply: str) -> Grade:
        """How a reply does."""
        return grade(self.prompt, reply, self.answer, self.world, self.want, self.goals)
