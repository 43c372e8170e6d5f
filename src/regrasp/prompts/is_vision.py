"""Is this step done with the cameras or with the arm? (REPLAN, figure B.3)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.prompt import YesNoPrompt
from regrasp.prompts.sections import titled
from regrasp.prompts.text import one_line

__all__ = ["IsVisionPrompt"]


@dataclass(frozen=True, slots=True)
class IsVisionPrompt(YesNoPrompt):
    """Ask whether `action` is done by looking; yes sends it to the perceiver."""

    HEAD: ClassVar[str] = """Task: eyes or arm
Is the action done by looking alone (look, check, find out, see), with nothing moved?
Answer with one word, yes or no."""
    ASK: ClassVar[str] = "Does the action begin with Look, Check, Find or See? Answer yes or no."

    action: str

    def render(self) -> str:
        """See `Prompt.render`."""
        return titled("Action", one_line(self.action))
