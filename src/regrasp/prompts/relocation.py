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
Does the action bring some object, other than the robot, to another place? Place, Move and Take do.
Open, Close, Pull, Press, Turn, Pick up and Lift do not: a door that swings, a lever that tips or a
button that sinks stays in its place. Answer with one word, yes or no. Examples:
Action: Open the tool_chest -> no
Action: Place the hammer in the tool_chest -> yes
Action: Turn the crank -> no
Action: Move the plank away from the gate -> yes
Action: Look at the plank -> no
Action: Pull the hook -> no"""

    action: str

    def render(self) -> str:
        """See `Prompt.render`."""
        return titled("Action", one_line(self.action))
