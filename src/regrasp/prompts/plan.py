"""The plan: the steps that reach the goal (REPLAN, figure B.2; after failures, B.13 and B.18)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from regrasp.prompts.attempts import FailedAttempt, attempted
from regrasp.prompts.grammar import CANNOT, SENTENCE, grammar, numbered_lines
from regrasp.prompts.observations import Observation, observed
from regrasp.prompts.parsing import (
    Declined,
    Line,
    ParseError,
    declined,
    labelled,
    list_lines,
    parse_lines,
    tagged,
)
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import layout, section, titled
from regrasp.prompts.steps import Step, parse_step, step_forms, step_rules
from regrasp.prompts.text import one_line

__all__ = ["LONGEST_PLAN", "Plan", "PlanPrompt"]

LONGEST_PLAN = 8
"""The most steps of a plan."""


_EXAMPLES = (
    (
        """Goal: move the screw to the slot inside the tool_chest
Objects:
- tool_chest: chest; can open, put in; joint lid by lid_handle; spot slot; now closed
- hammer: hammer; can pick
- screw: screw; can pick
Failed attempts:
#1
- failed: Open the tool_chest
- why: "hammer is blocking tool_chest"
Give a plan that differs from these attempts.""",
        """Thought: The hammer is in the way, so I move it first.
1. Move the hammer away from the tool_chest
2. Open the tool_chest
3. Place the screw in the tool_chest""",
    ),
    (
        """Goal: find the screw
Objects:
- tool_chest: chest; can open, put in; joint lid by lid_handle; now closed
- drawer: drawer; can open, put in; joint slide by drawer_handle; now closed
- hammer: hammer; can pick
- screw: screw; can pick; not in sight""",
        """Thought: The screw may be inside the tool_chest.
1. Open the tool_chest
2. Look inside the tool_chest""",
    ),
    (
        """Goal: move the screw to the slot inside the tool_chest
Objects:
- tool_chest: chest; can open, put in; joint lid by lid_handle; spot slot; now closed
- hammer: hammer; can pick
- screw: screw; can pick""",
        """Thought: The tool_chest is closed, so I open it first.
1. Open the tool_chest
2. Place the screw in the tool_chest""",
    ),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A thought and the steps that follow from it."""

    thought: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PlanPrompt(Prompt[Plan]):
    """Ask for a plan.

    `goal` is the user's instruction; `observations` are the vision model's answers so far;
    `attempts` are the failed attempts, oldest first.
    """

    HEAD: ClassVar[str] = f"""Task: plan
Plan for a robot arm with one hand. Each step has one of these forms; X and Y are listed names:
{step_forms()}
Rules:
- Use as few steps as reach the goal, at most {LONGEST_PLAN}. "can" says what an object allows.
- Open a closed place before reaching into it. The hand holds one thing at a time.
- "Place" picks a thing up and brings it to where the goal wants it, also where the goal says move,
  put or bring. "Move … away" only clears the way for another step.
- Trust that steps work. Where a failed attempt gives a cause, remove that cause first.
- Repeat a failed plan only if the robot itself says that it slipped or ran out of time.
- What is not in sight may be inside something that opens: open one such place and look inside it.
- Where an unknown property decides, check it before the step that depends on it. That step may
  then say "the nail with the same size as the screw" in place of a name.
- {QUOTES}
Answer in this form:
Thought: one short sentence
1. first step
2. second step
If no step can help, answer only "Cannot: " and why."""
    EXAMPLES: ClassVar[tuple[tuple[str, str], ...]] = _EXAMPLES

    goal: str
    scene: SceneDescription
    observations: tuple[Observation, ...] = ()
    attempts: tuple[FailedAttempt, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [titled("Goal", one_line(self.goal)), section("Objects", self.scene.lines())]
        parts += [observed(self.observations)] if self.observations else []
        if self.attempts:
            parts += [attempted(self.attempts), "Give a plan that differs from these attempts."]
        return layout(*parts)

    def after(self, attempt: FailedAttempt) -> PlanPrompt:
        """The same question after `attempt` has failed too."""
        return replace(self, attempts=(*self.attempts, attempt))

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        rules = step_rules(self.scene, self._failed_for_a_cause())
        if not rules:
            return grammar(CANNOT)
        lines = numbered_lines("step", LONGEST_PLAN, first="first" if "first" in rules else "")
        root = f'"Thought: " {SENTENCE} "\\n" {lines} | {CANNOT}'
        return grammar(root, rules)

    def read(self, text: str) -> Plan | Declined | ParseError:
        """See `Prompt.read`."""
        lines = list_lines(text)
        if not lines and (cannot := declined(text)):
            return cannot
        if not lines:
            lines = self._bare_steps(text)
        if not lines:
            return ParseError.whole(
                text, "Write 'Thought: ' and one sentence, then each step as '1. step'."
            )
        steps = parse_lines(
            text, lines, LONGEST_PLAN, "steps", lambda line: parse_step(text, line, self.scene)
        )
        if isinstance(steps, ParseError):
            return steps
        return Plan(_thought(text, lines[0]), tuple(dict.fromkeys(steps)))

    def _failed_for_a_cause(self) -> Step | None:
        """The step that failed last, if its cause is known: it would fail for it again."""
        if not self.attempts or not self.attempts[-1].reasons:
            return None
        failed = self.attempts[-1].failed
        step = parse_step(failed, Line(failed, 0), self.scene)
        return step if isinstance(step, Step) else None

    def _bare_steps(self, text: str) -> tuple[Line, ...]:
        """Lines that are steps although they have no number."""
        found: list[Line] = []
        start = 0
        for raw in text.split("\n"):
            line = Line(raw.strip(), start + len(raw) - len(raw.lstrip()))
            if isinstance(parse_step(text, line, self.scene), Step):
                found.append(line)
            start += len(raw) + 1
        return tuple(found)


def _thought(text: str, first: Line) -> str:
    """The labelled or tagged thought, else the text before the first step."""
    for line in labelled(text, "Thought"):
        if line.text:
            return one_line(line.text)
    block = tagged(text, "thought")
    before = text[: first.start].rpartition("\n")[0]
    return one_line(block.text if block is not None else before)
