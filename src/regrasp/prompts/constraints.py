"""The constraints of a skill (DoReMi, section 6): proposed by a model, in known sentences.

The reply is text. The constraint set decides whether it can be checked: it parses each sentence
with the domain's lexicon, or rejects it with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import choice, fill, grammar, literal
from regrasp.prompts.parsing import Declined, ParseError, declined, labelled
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.skills import VARIABLES, SkillLine
from regrasp.prompts.text import listing, one_line

__all__ = ["MOST", "ConstraintsPrompt", "Proposal"]

MOST = 6
"""The most sentences of one kind that are read."""

_NONE = "none"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Sentences that must be true while the skill runs, and from its end on."""

    during: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConstraintsPrompt(Prompt[Proposal]):
    """Ask what must be true while `call` of `skill` runs, and what after its end.

    `forms` are the sentences that a vision model can check, with X and Y for two of `names`.
    """

    HEAD: ClassVar[str] = """Task: constraints
A robot carries out a skill while its cameras watch. Say what must be so all the time while the
skill runs, and what must be so from its end on, so that whoever watches can stop the robot as soon
as something goes wrong. Say only what a camera can see, in the forms that are listed, with listed
names.
Answer in this form, a line for each sentence, "none" where there is none:
While: sentence
After: sentence"""

    call: str
    skill: SkillLine
    names: tuple[str, ...]
    forms: tuple[str, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Call", one_line(self.call)),
            section("Skills", bullets([str(self.skill)])),
            titled("Names", listing(self.names)),
            section("Forms", bullets(self.forms)),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        if not self.names or not self.forms:
            return grammar(literal(f"While: {_NONE}\nAfter: {_NONE}"))
        slots = dict.fromkeys(VARIABLES, "name")
        rules = {
            "name": choice(self.names),
            "sentence": " | ".join(fill(form, slots) for form in self.forms),
        }
        lines = (
            f'"{label}: " ("{_NONE}" | sentence ("\\n{label}: " sentence){{0,{MOST - 1}}})'
            for label in ("While", "After")
        )
        return grammar(' "\\n" '.join(lines), rules)

    def read(self, text: str) -> Proposal | Declined | ParseError:
        """See `Prompt.read`."""
        labelled_lines = [labelled(text, label) for label in ("While", "After")]
        if not any(labelled_lines):
            hint = "Write 'While: ' and a sentence or none, then 'After: ' and a sentence or none."
            return declined(text) or ParseError.whole(text, hint)
        during, after = (
            tuple(
                dict.fromkeys(
                    one_line(line.text).rstrip(".")
                    for line in lines
                    if line.text and line.text.rstrip(".").lower() != _NONE
                )
            )[:MOST]
            for lines in labelled_lines
        )
        return Proposal(during, after)
