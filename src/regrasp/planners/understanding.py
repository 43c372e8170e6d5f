"""From an instruction to what it asks for, with how sure that is.

A model writes the goal; three things speak against it: its own low probability, other goals that it
writes when it samples, and words of the instruction that nothing in the goal explains. Below a
threshold a person is asked which reading is meant.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from regrasp.core.goal_description import GoalDescription
from regrasp.models.language import Completion, LanguageModel
from regrasp.planners.unexplained import UnexplainedNouns, unexplained_nouns
from regrasp.prompts.goal import DeclineReason, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError

__all__ = ["SURE", "Understanding", "understand"]

SURE = 0.8
"""The least probability of a goal that is acted on without asking."""

_MOST_TOKENS = 200
_SAMPLES = 4
_DOUBT = -0.05
"""A reply of at least this log-probability is not sampled again."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an instruction asks for: `goal`, or why it is `declined`.

    `readings` are all goals that were written, the likeliest first; `unexplained` are nouns of the
    instruction that nothing explains.
    """

    instruction: str
    goal: GoalDescription | None
    declined: Declined | None
    confidence: float
    readings: tuple[GoalDescription, ...] = ()
    unexplained: UnexplainedNouns = field(default_factory=UnexplainedNouns)

    @property
    def sure(self) -> bool:
        """Whether the goal may be acted on without asking."""
        return self.goal is not None and self.confidence >= SURE


def understand(
    model: LanguageModel, prompt: GoalPrompt, *, samples: int = _SAMPLES
) -> Understanding:
    """Ask `model` what `prompt.instruction` wants; raises only what the model raises."""
    first = _complete(model, prompt, 1, 0.0)[0]
    result = prompt.parse(first.text)
    logprob = first.logprob
    texts = [first.text]
    if samples and (logprob is None or logprob < _DOUBT):
        texts += [one.text for one in _complete(model, prompt, samples, 0.7)]
    goals = Counter(g for g in map(prompt.parse, texts) if isinstance(g, GoalDescription))
    readings = tuple(goal for goal, _ in goals.most_common(3))
    if isinstance(result, ParseError):
        result = Declined(DeclineReason.UNCLEAR)
    if isinstance(result, Declined):
        return Understanding(prompt.instruction, None, result, 0.0, readings)
    unexplained = unexplained_nouns(prompt, result)
    missing = len(unexplained.not_in_scene) + len(unexplained.not_in_goal)
    agreement = goals[result] / len(texts)
    return Understanding(
        prompt.instruction,
        result,
        None,
        _confidence(logprob, agreement, missing),
        readings,
        unexplained,
    )


def _complete(
    model: LanguageModel, prompt: GoalPrompt, count: int, temperature: float
) -> tuple[Completion, ...]:
    wants = model.capabilities
    return model.complete(
        prompt.messages(),
        n=count,
        temperature=temperature,
        max_tokens=_MOST_TOKENS,
        grammar=prompt.grammar() if wants.grammar else None,
        logprobs=wants.logprobs,
        seed=0 if wants.seed else None,
        purpose=prompt.purpose,
    ).items


def _confidence(logprob: float | None, agreement: float, missing: int) -> float:
    """The probability that a goal is right, fitted as docs/understanding.md says."""
    weight = 1.8 + 1.1 * max(logprob if logprob is not None else -1.0, -6.0)
    weight += 2.4 * (agreement - 0.6) - 3.0 * missing
    return 1.0 / (1.0 + math.exp(-weight))
