"""The next action of a robot, from its domain and the present problem in PDDL (IALP, equation 2).

The model is sampled K times. The probability of a sample is how well it fits the instruction, so
the reply is the action alone, without a thought before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.core.action import Action
from regrasp.prompts.grammar import CANNOT, choice, grammar
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, list_lines
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.sections import layout, section, titled
from regrasp.prompts.text import one_line

__all__ = ["NextActionPrompt"]

_FORMS = 12
"""Calls that a hint lists at most."""


@dataclass(frozen=True, slots=True)
class NextActionPrompt(Prompt[Action]):
    """Ask which of `calls` to do now; `domain` and `problem` are PDDL.

    Without `may_decline` the grammar has no "Cannot": it was said before.
    """

    HEAD: ClassVar[str] = f"""Task: next action
A robot follows an instruction. Choose the one action that it does now.
"Domain" has the actions in PDDL: what must be true before each, and what it changes. "Problem" has
what was observed just now (:init) and what is wanted (:goal). What is not in :init is false.
Rules:
- Choose only an action whose precondition is true now.
- Of these, choose the one after which the fewest actions are left until the goal.
- {QUOTES}
Answer with that action on one line, for example grasp(red_cup).
If no action brings the goal nearer, answer only "Cannot: " and why."""

    instruction: str
    domain: str
    problem: str
    calls: tuple[Action, ...]
    may_decline: bool = True

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Instruction", one_line(self.instruction)),
            section("Domain", self.domain.strip().split("\n")),
            section("Problem", self.problem.strip().split("\n")),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        calls = choice(map(str, self.calls)) if self.calls else ""
        cannot = CANNOT if self.may_decline or not calls else ""
        return grammar(" | ".join(filter(None, (calls, cannot))))

    def read(self, text: str) -> Action | Declined | ParseError:
        """See `Prompt.read`: the first line that begins with a call."""
        by_text = {_squeezed(str(call)): call for call in self.calls}
        lines = [*_lines(text), *list_lines(text)]
        for line in lines:
            call, closed, _ = line.text.partition(")")
            if found := by_text.get(_squeezed(call + closed)):
                return found
        if cannot := declined(text):
            return cannot
        forms = "; ".join(map(str, self.calls[:_FORMS])) or "none"
        return ParseError.whole(text, f"Answer with one action of these: {forms}.")


def _lines(text: str) -> list[Line]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append(Line(line.strip(" \t\r*`>#-"), start))
        start += len(line) + 1
    return found


def _squeezed(call: str) -> str:
    """`grasp( the-Book )` and `grasp(the_book)` are the same call."""
    return "".join(call.lower().replace("-", "_").split())
