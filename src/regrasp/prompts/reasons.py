"""Summary of the explanations: at most two causes, none of them the robot (REPLAN, figure B.12)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import choice, grammar
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, labelled
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.text import one_line, quoted

__all__ = ["MOST_REASONS", "ReasonsPrompt", "is_cause"]

MOST_REASONS = 2
"""The most causes of one failure."""

_OF_TWO = (" is blocking ", " is on ", " is inside ", " unlocks ")
_OF_ONE = (" is closed", " is locked")
_CAUSE = re.compile(
    rf"(?:the )?(\w+)(?:(?:{'|'.join(_OF_TWO)})(?:the )?(\w+)|(?:{'|'.join(_OF_ONE)}))\.?", re.I
)


@dataclass(frozen=True, slots=True)
class ReasonsPrompt(Prompt[tuple[str, ...]]):
    """Ask for the likeliest causes of a failed `action` among `explanations`; may be none."""

    HEAD: ClassVar[str] = f"""Task: reasons
A robot failed at an action. Below is what a camera said about it, one line an answer; answers can
be wrong or beside the point. Give the likeliest cause, the one most answers agree on, as one short
sentence with listed names: "X is blocking Y", "X is on Y", "Y is closed", "Y is locked". Give a
second cause only if it is nearly as likely. Leave out the robot itself.
{QUOTES}
Answer with at most {MOST_REASONS} lines "Reason: " and a cause, "Reason: none" if there is none.
Example: "There is a hammer." and twice "The tool_chest is closed." ->
Reason: tool_chest is closed"""
    ASK: ClassVar[str] = "Which cause do most of the explanations give?"

    action: str
    scene: SceneDescription
    explanations: tuple[str, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            section("Objects", self.scene.lines()),
            titled("Action", one_line(self.action)),
            section("Explanations", bullets(quoted(one) for one in self.explanations)),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        names = self.scene.places.known
        if not names:
            return grammar('"Reason: none"')
        claim = f"name {choice(_OF_TWO)} name | name {choice(_OF_ONE)}"
        root = '"Reason: none" | "Reason: " claim ("\\nReason: " claim)?'
        return grammar(root, {"claim": claim, "name": choice(names)})

    def read(self, text: str) -> tuple[str, ...] | Declined | ParseError:
        """See `Prompt.read`."""
        lines = labelled(text, "Reason") or labelled(text, "Reasons")
        if not lines:
            hint = "Write 'Reason: ' and a cause, or 'Reason: none'."
            return declined(text) or ParseError.whole(text, hint)
        names = self.scene.names
        found: list[str] = []
        for line in lines:
            reason = one_line(line.text).rstrip(".")
            if not reason or reason.lower() in ("none", "unknown", "no reason", "nothing"):
                continue
            if foreign := names.foreign(line.text):
                return names.unknown(text, Line(foreign.text, line.start + foreign.start))
            if not names.mentions(reason):
                return names.unknown(text, line)
            found.append(reason)
        return tuple(dict.fromkeys(found))[:MOST_REASONS]


def is_cause(sentence: str, names: Collection[str]) -> bool:
    """Whether a sentence is a cause as the prompt asks for it, about `names` alone."""
    found = _CAUSE.fullmatch(sentence.strip())
    return found is not None and {name for name in found.groups() if name} <= set(names)
