"""Does the action move an object from one place to another? (REPLAN, figure B.5)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.core.answer import Verdict
from regrasp.prompts.grammar import choice, grammar
from regrasp.prompts.parsing import ParseError, find_yes_no
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.sections import titled
from regrasp.prompts.text import one_line

__all__ = ["RelocationPrompt"]


@dataclass(frozen=True, slots=True)
class RelocationPrompt(Prompt[Verdict]):
    """Ask whether an object must end up elsewhere; decides the template of the motion plan."""

    HEAD: ClassVar[str] = """Task: relocation
Must some object, other than the robot, be in another place once the action is done?
A door that swings, a lever that tips or a button that sinks stays in its place.
Answer with one word: yes, no or unknown."""

    action: str

    def render(self) -> str:
        """See `Prompt.render`."""
        return titled("Action", one_line(self.action))

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        return grammar(choice(("yes", "no", "unknown")))

    def read(self, text: str) -> Verdict | ParseError:
        """See `Prompt.read`."""
        return find_yes_no(text)
