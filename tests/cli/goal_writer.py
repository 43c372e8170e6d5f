"""Language models that write a given goal, for commands: `--llm goal_writer.py:NAME`.

Any other prompt is answered by rules. The goals are for the world `cubes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice

from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Request,
    RequestModel,
    ScoredToken,
    Usage,
)

HERE = __file__
"""The path of this file, for `--llm`."""


@dataclass(frozen=True, slots=True)
class GoalWriter(RequestModel):
    """Writes `texts` in turn, each with this log-probability."""

    texts: tuple[str, ...]
    logprob: float = 0.0

    @property
    def name(self) -> str:
        return "goal-writer"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(seed=True, logprobs=True, calibrated=True)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        if not request.messages[0].content.startswith("Task: goal"):
            return ScriptedModel().respond(request, cancel)
        items = tuple(
            Completion(text, FinishReason.STOP, (ScoredToken(text, self.logprob),))
            for text in islice(cycle(self.texts), request.n)
        )
        return Completions(items, Usage(1, 1), 0.0, ())


def red() -> GoalWriter:
    """A clear goal."""
    return GoalWriter(("Goal:\non(red_cube, crate)",))


def stages() -> GoalWriter:
    """A goal in two stages, with a condition for all the time."""
    first, then = "on(red_cube, crate)", "then not on(red_cube, crate)"
    return GoalWriter((f"Goal:\n{first}\n{then}\nkeep not moved(yellow_cube)",))


def some_cube() -> GoalWriter:
    """A goal that two cubes fit."""
    return GoalWriter(("Goal:\non(the cube, crate)",))


def unsure() -> GoalWriter:
    """Two goals, neither of them likely."""
    return GoalWriter(("Goal:\non(red_cube, crate)", "Goal:\non(yellow_cube, crate)"), -5.0)


def impossible() -> GoalWriter:
    """A goal that no plan reaches."""
    return GoalWriter(("Goal:\non(red_cube, crate)\nnot on(red_cube, crate)",))


def missing() -> GoalWriter:
    """The instruction names something that is not there."""
    return GoalWriter(("Cannot: missing: blue cube",))


def question() -> GoalWriter:
    """A question about what is seen."""
    return GoalWriter(("Goal:\nask colour(red_cube)",))


def dark_question() -> GoalWriter:
    """A question that no camera can answer."""
    return GoalWriter(("Goal:\nask where(crate)",))
