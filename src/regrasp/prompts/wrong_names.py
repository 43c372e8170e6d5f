"""The verifier of perceived text: does it use unknown object names? (REPLAN, figure B.10)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.prompt import QUOTES, YesNoPrompt
from regrasp.prompts.sections import layout, titled
from regrasp.prompts.text import listing, quoted

__all__ = ["WrongNamesPrompt"]


@dataclass(frozen=True, slots=True)
class WrongNamesPrompt(YesNoPrompt):
    """Ask whether `sentence` names an object that is missing in `names`, or spelt differently."""

    HEAD: ClassVar[str] = f"""Task: wrong names
A camera described the scene in one sentence. Does the sentence name any object that is not in the
list of names, or call a listed object by another name? "red cube" is the same name as "red_cube".
{QUOTES}
Answer with one word, yes or no. Examples for the names plank, tool_chest:
"The plank is in front of the tool chest." -> no
"The tool_chest is closed." -> no
"The board is in front of the tool_chest." -> yes
"A hammer is on the plank." -> yes"""
    ASK: ClassVar[str] = (
        "Does the sentence name an object that is not in the list of names? Answer yes or no."
    )

    sentence: str
    names: tuple[str, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Names", listing(self.names)), titled("Sentence", quoted(self.sentence))
        )
