"""From an instruction to what it asks for, with how sure that is.

A model writes the goal. Three things speak against it: a low probability, other goals that it
writes when it samples, and nouns of the instruction that nothing explains. Below a threshold a
person is asked which reading is meant.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from regrasp.core.goal_description import GoalDescription
from regrasp.models.language import LanguageModel
from regrasp.planners.unexplained import Unexplained, unexplained_nouns
from regrasp.prompts.exchange import ask
from regrasp.prompts.goal import DeclineReason, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError

__all__ = ["SURE", "Understanding", "confidence", "understand"]

SURE = 0.8
"""The least probability of a goal that is acted on without asking."""

_MOST_TOKENS = 200
_SAMPLES = 4
_DOUBT = -0.03
"""A reply of at least this log-probability is not sampled again."""

_WEIGHTS = {"bias": 2.0, "logprob": 1.0, "agreement": 2.0, "missing": -4.0, "unused": -1.0}
"""Of a logistic regression; train/language/calibrate.py fits them."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an instruction asks for: `goal`, or why it is `declined`.

    `readings` are all goals that were written, the likeliest first.
    """

    instruction: str
    goal: GoalDescription | None
    declined: Declined | None
    confidence: float
    readings: tuple[GoalDescription, ...] = ()
    unexplained: Unexplained = Unexplained()

    @property
    def sure(self) -> bool:
        """Whether the goal may be acted on without asking."""
        return self.goal is not None and self.confidence >= SURE


def understand(
    model: LanguageModel, prompt: GoalPrompt, *, samples: int = _SAMPLES
) -> Understanding:
    """Ask `model` what `prompt.instruction` wants; raises only what the model raises.

    A reply without a log-probability, or with a low one, is sampled again up to `samples` times.
    """
    asked = ask(model, prompt, max_tokens=_MOST_TOKENS, logprobs=True)
    result, logprob = asked.result, asked.replies[-1].items[0].logprob
    results = [result]
    if samples and logprob is not None and logprob < _DOUBT:
        results += _sampled(model, prompt, samples)
    goals = Counter(one for one in results if isinstance(one, GoalDescription))
    readings = tuple(goal for goal, _ in goals.most_common(3))
    if isinstance(result, ParseError):
        result = Declined(DeclineReason.UNCLEAR)
    if isinstance(result, Declined):
        return Understanding(prompt.instruction, None, result, 0.0, readings)
    nouns = unexplained_nouns(prompt, result)
    agreement = goals[result] / len(results)
    sure = confidence(logprob, agreement, nouns)
    return Understanding(prompt.instruction, result, None, sure, readings, nouns)


def confidence(logprob: float | None, agreement: float, nouns: Unexplained) -> float:
    """The probability that a goal is right; docs/understanding.md says how it was fitted.

    A model that gives no log-probability counts as one that is sure.
    """
    sum_ = (
        _WEIGHTS["bias"]
        + _WEIGHTS["logprob"] * max(logprob or 0.0, -6.0)
        + _WEIGHTS["agreement"] * agreement
        + _WEIGHTS["missing"] * len(nouns.missing)
        + _WEIGHTS["unused"] * len(nouns.unused)
    )
    return 1.0 / (1.0 + math.exp(-sum_))


def _sampled(
    model: LanguageModel, prompt: GoalPrompt, count: int
) -> list[GoalDescription | Declined | ParseError]:
    can = model.capabilities
    replies = model.complete(
        prompt.messages(),
        n=count,
        temperature=0.7,
        max_tokens=_MOST_TOKENS,
        grammar=prompt.grammar() if can.grammar else None,
        seed=0 if can.seed else None,
        purpose=prompt.purpose,
    )
    return [prompt.parse(one.text) for one in replies.items]
