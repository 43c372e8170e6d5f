"""Which line of the motion plan, once true, means that the action is done? (REPLAN, figure B.8)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import SENTENCE, choice, grammar
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.parsing import ParseError, find_number, labelled
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.reward_step import StepChoice
from regrasp.prompts.scene import PALM
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.text import one_line

__all__ = ["PrimaryStepPrompt"]


@dataclass(frozen=True, slots=True)
class PrimaryStepPrompt(Prompt[StepChoice]):
    """Ask for the line that decides; its reward becomes the primary one."""

    HEAD: ClassVar[str] = """Task: primary step
Choose the one line of the motion plan that, once it is true, means that the action is done.
Bringing the palm to a thing is it only where nothing else changes: look for the line that changes
what the action is about.
Opening a joint can stand for pulling, pressing or turning it. If no line is quite it, take the
nearest.
Answer in this form: "Step: 2"."""
    EXAMPLES: ClassVar[tuple[tuple[str, str], ...]] = (
        (
            "Action: Turn the crank\nMotion plan:\n1. palm close to crank\n2. joint crank open",
            "Step: 2",
        ),
        ("Action: Reach for the plank\nMotion plan:\n1. palm close to plank", "Step: 1"),
        (
            "Action: Lift the bell\nMotion plan:\n1. palm close to bell\n2. bell at height 0.4 m",
            "Step: 2",
        ),
    )

    action: str
    motions: tuple[MotionLine, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            titled("Action", one_line(self.action)),
            section("Motion plan", numbered(map(str, self.motions))),
        )

    def grammar(self) -> str:
        """A line of the palm is chosen only where no line is about anything else."""
        lines = tuple(enumerate(self.motions, 1))
        changing = tuple(str(i) for i, line in lines if line.object != PALM)
        numbers = choice(changing or tuple(str(i) for i, _ in lines))
        return grammar(f'("Thought: " {SENTENCE} "\\n")? "Step: " {numbers}')

    def read(self, text: str) -> StepChoice | ParseError:
        """See `Prompt.read`."""
        number = find_number(text, "Step", len(self.motions))
        if isinstance(number, ParseError):
            return number
        if number is None:
            return ParseError.whole(text, "Choose one line; if none is quite it, the nearest.")
        thought = next((line.text for line in labelled(text, "Thought")), "")
        return StepChoice(number, one_line(thought))
