"""After looking: is the action done, and if not, what remains? (REPLAN, figure B.17)"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from regrasp.core.answer import Verdict
from regrasp.prompts.grammar import grammar
from regrasp.prompts.observations import Observation, observed
from regrasp.prompts.parsing import ParseError, find_yes_no, labelled
from regrasp.prompts.prompt import QUOTES, Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import layout, numbered, section, titled
from regrasp.prompts.steps import Step, parse_step, step_rules
from regrasp.prompts.text import one_line

__all__ = ["Completed", "CompletedPrompt"]


@dataclass(frozen=True, slots=True)
class Completed:
    """Whether the action is done; if not, the step that remains, if one was named."""

    done: Verdict
    remaining: Step | None = None


@dataclass(frozen=True, slots=True)
class CompletedPrompt(Prompt[Completed]):
    """Ask whether `action`, a looking step or the goal itself, is done given `answers`.

    For a goal, `answers` should also hold the observations that show which objects it refers to.
    """

    HEAD: ClassVar[str] = f"""Task: completed
A robot did an action and asked a camera about it. Is the action done, given these answers?
- An action that only looks is done once its questions are answered, whatever the answers are.
- A goal is done only if the answers show that it is so.
- Without an answer that shows it, say unknown.
{QUOTES}
Answer "Done: yes", "Done: unknown", or "Done: no" and the step that remains, or none. Examples:
Action: Check the size of the plank. Q: "What size is the plank?" A: "large" ->
Done: yes
Action: Look for the hammer. Q: "Do you see the hammer?" A: "no" ->
Done: yes
Action: find the hammer. Q: "Do you see the hammer?" A: "no" ->
Done: no
Next: none
Action: put the hammer on the plank. Q: "Is the hammer on the plank?" A: "no" ->
Done: no
Next: Place the hammer on the plank
Action: put the hammer on the plank. Q: "Is the hammer on the plank?" A: "yes" ->
Done: yes"""
    ASK: ClassVar[str] = "Is the action done, by these answers?"

    action: str
    scene: SceneDescription
    answers: tuple[Observation, ...]
    plan: tuple[str, ...] = ()

    def render(self) -> str:
        """See `Prompt.render`."""
        parts = [section("Objects", self.scene.lines())]
        parts += [section("Plan", numbered(map(one_line, self.plan)))] if self.plan else []
        return layout(*parts, titled("Action", one_line(self.action)), observed(self.answers))

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        rules = step_rules(self.scene)
        rest = '("none" | step)' if rules else '"none"'
        return grammar(f'"Done: yes" | "Done: unknown" | "Done: no\\nNext: " {rest}', rules)

    def read(self, text: str) -> Completed | ParseError:
        """See `Prompt.read`."""
        done = find_yes_no(text, "Done")
        if isinstance(done, ParseError):
            return replace(done, hint="Write 'Done: yes', 'Done: no' or 'Done: unknown'.")
        if done is not Verdict.NO:
            return Completed(done)
        for line in (*labelled(text, "Next"), *labelled(text, "Action")):
            if not line.text or line.text.lower().rstrip(".") in ("none", "nothing"):
                continue
            step = parse_step(text, line, self.scene)
            return step if isinstance(step, ParseError) else Completed(done, step)
        return Completed(done)
