"""The questions to the vision model that settle a looking step (REPLAN, figure B.14)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from regrasp.prompts.grammar import choice, fill, grammar
from regrasp.prompts.names import Names
from regrasp.prompts.observations import Observation, observed
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, labelled
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.steps import ATTRIBUTES
from regrasp.prompts.text import identifier, one_line
from regrasp.prompts.visual_question import ObjectQuestion

__all__ = ["MOST_QUESTIONS", "QuestionsPrompt"]

MOST_QUESTIONS = 4
"""The most questions of one step (the paper's two were too few to look at three objects)."""

_FORMS = "\n".join(f"- {look.value.format(a='X', b='Y', p='colour')}" for look in ObjectQuestion)

_STOP = frozenset(("a", "an", "the", "to", "in", "on", "of", "it", "is", "and", "for"))

_EXAMPLES = (
    (
        """Goal: find the screw
Objects:
- tool_chest: chest; can open, put in; joint lid by lid_handle; now open
- screw: screw; can pick; not in sight
Plan:
1. Open the tool_chest
2. Look inside the tool_chest
Action: Look inside the tool_chest""",
        "Question: Do you see the screw?",
    ),
    (
        """Goal: put the hammer on the workbench
Objects:
- workbench: workbench; can put on
- hammer: hammer; can pick
Plan:
1. Place the hammer on the workbench
Action: put the hammer on the workbench""",
        "Question: Is the hammer on the workbench?",
    ),
)


@dataclass(frozen=True, slots=True)
class QuestionsPrompt(Prompt[tuple[str, ...]]):
    """Ask which questions settle `action`, a looking step of `plan` or the goal itself."""

    HEAD: ClassVar[str] = f"""Task: questions
Ask a camera up to {MOST_QUESTIONS} short questions that settle the action. Prefer these forms:
{_FORMS}
- Is there anything on the Y?
Ask about one thing at a time, never for a comparison. Look for what the goal is after. To check a
goal, ask whether it is so now. Leave out what an observation about colour, size, shape or material
has settled already.
{QUOTES}
Answer with one line a question, or "Question: none" if nothing needs to be asked. Examples:
Action: Look inside the tool_chest, for the goal "find the hammer" ->
Question: Do you see the hammer?
Action: Check the size of the plank ->
Question: What size is the plank?
Action: put the hammer on the workbench ->
Question: Is the hammer on the workbench?"""
    EXAMPLES: ClassVar[tuple[tuple[str, str], ...]] = _EXAMPLES
    ASK: ClassVar[str] = "Write only the questions that settle this action, one if that is enough."

    goal: str
    scene: SceneDescription
    action: str
    plan: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [titled("Goal", one_line(self.goal)), section("Objects", self.scene.lines())]
        parts += [section("Plan", numbered(map(one_line, self.plan)))] if self.plan else []
        parts += [observed(self.observations)] if self.observations else []
        return layout(*parts, titled("Action", one_line(self.action)))

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        spoken = (word for word in _words(self.goal) if word not in _STOP)
        things = dict.fromkeys((*self.scene.places.known, *spoken))
        if not things:
            return grammar('"Question: none"')
        forms = [look.value for look in ObjectQuestion] + ["Is there anything on the {b}?"]
        slots = {"{a}": "thing", "{b}": "thing", "{p}": "property"}
        rules = {
            "question": " | ".join(fill(form, slots) for form in forms),
            "thing": choice(things),
            "property": choice(ATTRIBUTES),
        }
        more = f'("\\nQuestion: " question){{0,{MOST_QUESTIONS - 1}}}'
        return grammar(f'"Question: none" | "Question: " question {more}', rules)

    def read(self, text: str) -> tuple[str, ...] | Declined | ParseError:
        """See `Prompt.read`."""
        lines = labelled(text, "Question")
        if not lines:
            hint = "Write 'Question: ' and a question, or 'Question: none'."
            return declined(text) or ParseError.whole(text, hint)
        spoken = Names.of(self.scene.names.known, _words(self.goal), _words(self.action))
        found: list[str] = []
        for line in lines:
            question = one_line(line.text, 200)
            if not question or question.lower().rstrip(".") == "none":
                continue
            if foreign := spoken.foreign(line.text):
                return spoken.unknown(text, Line(foreign.text, line.start + foreign.start))
            found.append(question if question.endswith("?") else question.rstrip(". ") + "?")
        return tuple(dict.fromkeys(found))[:MOST_QUESTIONS]


def _words(text: str) -> tuple[str, ...]:
    """Names in the instruction that the scene may not list, because no camera shows them yet."""
    words = [word.strip("\"'.,;:!?()") for word in one_line(text).lower().split()]
    pairs = [f"{a}_{b}" for a, b in pairwise(words)]
    return tuple(word for word in (*words, *pairs) if identifier(word))
