"""Does the action move an object from one place to another? (REPLAN, figure B.5)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.prompt import YesNoPrompt
from regrasp.prompts.sections import titled
from regrasp.prompts.text import one_line

__all__ = ["RelocationPrompt"]


@dataclass(frozen=True, slots=True)
class RelocationPrompt(YesNoPrompt):
    """Ask whether the action moves an object; this selects the template of the motion plan."""

    HEAD: ClassVar[str] = """Task: relocation
Must some object, other than the robot, be in another place once the action is done?
A door that swings, a lever that tips or a button that sinks stays in its place.
Answer with one word: yes, no or unknown."""

    action: str

    def render(self) -> str:
        """See `Prompt.render`."""
        return titled("Action", one_line(self.action))
