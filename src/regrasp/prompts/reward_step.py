"""The verifier of the rewards: which line of the motion plan does this call serve? (REPLAN, B.7)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import choice, grammar
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.parsing import ParseError, find_number
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.text import one_line

__all__ = ["RewardStepPrompt", "StepChoice"]


@dataclass(frozen=True, slots=True)
class StepChoice:
    """A line of the motion plan, from 1; None where no line fits."""

    number: int | None
    thought: str = ""


@dataclass(frozen=True, slots=True)
class RewardStepPrompt(Prompt[StepChoice]):
    """Ask which line of `motions` one `reward` call serves; a call that serves none is dropped."""

    HEAD: ClassVar[str] = """Task: reward to step
Find the line of the motion plan that the call stands for.
minimize_l2_distance_reward brings two things together; maximize_l2_distance_reward parts them;
set_joint_fraction_reward opens (1) or closes (0) a joint; set_obj_z_position_reward gives a height;
set_obj_orientation_reward gives a tilt. Both names and the direction must fit.
Answer in this form: "Step: 2", or "Step: none" if no line fits."""
    EXAMPLES: ClassVar[tuple[tuple[str, str], ...]] = tuple(
        (
            f"Motion plan:\n1. palm close to hammer\n2. hammer far from gate\nReward: {call}",
            f"Step: {number}",
        )
        for call, number in (
            ('maximize_l2_distance_reward("hammer", "gate")', "2"),
            ('minimize_l2_distance_reward("palm", "hammer")', "1"),
            ('set_joint_fraction_reward("lid", 1.0)', "none"),
        )
    )

    motions: tuple[MotionLine, ...]
    reward: str

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            section("Motion plan", numbered(map(str, self.motions))),
            titled("Reward", one_line(self.reward)),
        )

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        numbers = (str(i) for i in range(1, len(self.motions) + 1))
        return grammar(f'"Step: " {choice((*numbers, "none"))}')

    def read(self, text: str) -> StepChoice | ParseError:
        """See `Prompt.read`."""
        number = find_number(text, "Step", len(self.motions))
        return number if isinstance(number, ParseError) else StepChoice(number)
