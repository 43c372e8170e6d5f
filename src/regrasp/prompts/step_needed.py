"""The verifier of the plan: is this step needed for the goal? (REPLAN, section 3.5)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.attempts import FailedAttempt, attempted
from regrasp.prompts.observations import Observation, observed
from regrasp.prompts.prompt import QUOTES, YesNoPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.text import one_line

__all__ = ["StepNeededPrompt"]

_EXAMPLES = tuple(
    (
        f"""Goal: find the screw
Objects:
- tool_chest: chest; can open, put in; joint lid by lid_handle; now closed
- hammer: hammer; can pick
- screw: screw; can pick; not in sight
Plan:
1. Open the tool_chest
2. Lift the hammer
3. Look inside the tool_chest
Step: {step}""",
        needed,
    )
    for step, needed in (("3. Look inside the tool_chest", "yes"), ("2. Lift the hammer", "no"))
)


@dataclass(frozen=True, slots=True)
class StepNeededPrompt(YesNoPrompt):
    """Ask whether step `number` (from 1) of a plan helps to reach the goal; no drops the step."""

    HEAD: ClassVar[str] = f"""Task: step needed
Check one step of a robot's plan. A step is needed if the goal asks for it, if it clears the way for
a later step (opens, unlocks, removes what blocks), or if it finds out something that a later step
or the goal depends on. A step that repeats another or serves nothing is not needed.
{QUOTES}
A step that failed before may be needed still. Answer with one word: no if the step serves nothing,
else yes. Examples for the goal "put the hammer into the tool_chest":
Step: 1. Open the tool_chest -> yes
Step: 2. Place the hammer in the tool_chest -> yes
Step: 3. Lift the plank -> no"""
    EXAMPLES: ClassVar[tuple[tuple[str, str], ...]] = _EXAMPLES
    ASK: ClassVar[str] = (
        "Does this step serve the goal, or remove the cause of a failed attempt? Answer yes or no."
    )

    goal: str
    scene: SceneDescription
    plan: tuple[str, ...]
    number: int
    observations: tuple[Observation, ...] = ()
    attempts: tuple[FailedAttempt, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [titled("Goal", one_line(self.goal)), section("Objects", self.scene.lines())]
        parts += [observed(self.observations)] if self.observations else []
        parts += [attempted(self.attempts)] if self.attempts else []
        parts += [section("Plan", numbered(map(one_line, self.plan)))]
        step = one_line(self.plan[self.number - 1])
        return layout(*parts, titled("Step", f"{self.number}. {step}"))
