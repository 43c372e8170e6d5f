"""The motion plan: the motions of hand and objects for one step (REPLAN, figure B.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from regrasp.prompts.grammar import CANNOT, grammar, numbered_lines
from regrasp.prompts.motions import (
    MotionLine,
    carry_rule,
    motion_rule,
    parse_motion,
    relocation_rule,
)
from regrasp.prompts.observations import Observation, observed
from regrasp.prompts.parsing import Declined, Line, ParseError, declined, list_lines, parse_lines
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.prompts.text import one_line

__all__ = ["LONGEST_MOTION", "MotionPlanPrompt"]

LONGEST_MOTION = 4
"""The most lines of a motion plan."""


@dataclass(frozen=True, slots=True)
class MotionPlanPrompt(Prompt[tuple[MotionLine, ...]]):
    """Ask for the motion plan of `action`, one step of `plan`.

    `relocates` is the answer to the relocation question: if it is true, one line must give the
    object that ends up close to, or far from, another.
    """

    HEAD: ClassVar[str] = f"""Task: motion plan
Say how one robot hand (the palm) does the action, in at most {LONGEST_MOTION} lines of these forms:
- palm close to X
- X close to Y
- X far from Y
- joint J open
- joint J closed
- X at height 0.4 m
- X tilted by 90 degrees
Rules:
- First bring the palm close to what it must hold: the thing to move, or the handle that a joint is
  moved "by". Open also means pulled, pressed or turned, for a joint of that kind.
- To put something in or on a place that has a spot, bring it close to the spot.
- If "Relocates" is yes, one line brings a thing close to or far from another.
- Use only listed names, no line twice, nothing that the action does not need. The observations say
  which thing is meant where the action does not name it.
- {QUOTES}
Answer with the numbered lines alone. If it cannot be done with these lines, answer only "Cannot: "
and why. Examples, where tool_chest has the joint lid by lid_handle and the spot tray_in_tool_chest:
Open the tool_chest ->
1. palm close to lid_handle
2. joint lid open
Place the hammer in the tool_chest ->
1. palm close to hammer
2. hammer close to tray_in_tool_chest
Move the plank away from the workbench ->
1. palm close to plank
2. plank far from workbench"""
    ASK: ClassVar[str] = (
        "Write the lines of the action above, not of other steps: what the palm comes close to, "
        "then what changes."
    )

    action: str
    scene: SceneDescription
    plan: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    relocates: bool = False

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [section("Objects", self.scene.lines())]
        parts += [section("Plan", numbered(map(one_line, self.plan)))] if self.plan else []
        parts += [observed(self.observations)] if self.observations else []
        parts += [titled("Relocates", "yes" if self.relocates else "no")]
        return layout(*parts, titled("Action", one_line(self.action)))

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        lines = motion_rule(self.scene)
        if not lines:
            return grammar(CANNOT)
        carries = carry_rule(self.scene)
        if self.relocates and carries:
            begin = relocation_rule(self.scene, self._carried())
            root = f'begin ("\\n3. " carry)? | {CANNOT}'
            return grammar(root, {"begin": begin, "carry": carries})
        return grammar(f"{numbered_lines('line', LONGEST_MOTION)} | {CANNOT}", {"line": lines})

    def _carried(self) -> str:
        """The name of the thing that the action moves; "" where it names none."""
        step = parse_step(self.action, Line(self.action, 0), self.scene)
        if not isinstance(step, Step) or not isinstance(step.object, str):
            return ""
        return step.object if step.verb.carries or step.verb in (Verb.PICK, Verb.LIFT) else ""

    def read(self, text: str) -> tuple[MotionLine, ...] | Declined | ParseError:
        """See `Prompt.read`."""
        lines = list_lines(text)
        if not lines:
            return declined(text) or ParseError.whole(
                text, "Write each line as '1. palm close to X'."
            )
        found = parse_lines(
            text, lines, LONGEST_MOTION, "lines", lambda line: parse_motion(text, line, self.scene)
        )
        if isinstance(found, ParseError):
            return found
        if self.relocates and not any(motion.relocates for motion in found):
            hint = "The action moves a thing: add one line 'X close to Y' or 'X far from Y'."
            return ParseError.at(text, lines[0].start, lines[-1].end, hint)
        return tuple(dict.fromkeys(found))
