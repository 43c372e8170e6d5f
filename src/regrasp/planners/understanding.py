"""From an instruction to what it asks for, with how sure that is.

A model writes the goal. Four things speak against it: a low probability, nouns of the instruction
that nothing here explains, objects of the scene that it names and the goal does not use, and words
such as `not`, `both`, `then` or `halfway` that the goal does not reflect. The probability comes
from the log-probability, where the model is calibrated for that; of any other model it is the share
of samples that say the same as its first reading. Below a threshold a person is asked which reading
is meant; the readings are goals that the model writes when it samples, those that reflect every
word first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from regrasp.core.goal_description import GoalDescription
from regrasp.models.language import LanguageModel
from regrasp.planners.goal_meaning import letters
from regrasp.planners.unexplained import SceneWords, UnexplainedNouns, unexplained_nouns
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.exchange import ask
from regrasp.prompts.goal import DeclineReason, GoalPrompt, SaysNothing
from regrasp.prompts.grammar_logprob import logprob_in_grammar
from regrasp.prompts.parsing import Declined, ParseError

__all__ = ["SAMPLES", "SURE", "Understanding", "confidence", "understand"]

SURE = 0.85
"""The least probability of a goal that is acted on without asking."""

_MOST_TOKENS = 200
SAMPLES = 4
"""Goals that are written beside the first one, where that is in doubt."""

_MOST_SAMPLED = 80
_READINGS = 3
_LEAST_LOGPROB = -6.0

_BIAS, _LOGPROB = 3.0, 4.0
"""Of a logistic regression, fitted by train/language/calibrate.py."""

_SENTENCE_END = re.compile(r"[.!?;:。！？]\s+\S|\n")


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an instruction asks for: `goal`, or why it is `declined`.

    `readings` are all goals that were written. `unreflected` are words that change what is asked
    for and do not show in the goal.
    """

    instruction: str
    goal: GoalDescription | None
    declined: Declined | None
    confidence: float
    readings: tuple[GoalDescription, ...] = ()
    unexplained: UnexplainedNouns = field(default_factory=UnexplainedNouns)
    unreflected: tuple[str, ...] = ()

    @property
    def left_over(self) -> tuple[str, ...]:
        """All words of the instruction that the scene or the goal leaves over."""
        nouns = self.unexplained
        return (*nouns.not_in_scene, *nouns.not_in_goal, *self.unreflected)

    @property
    def sure(self) -> bool:
        """Whether the goal may be acted on without asking.

        In one sentence every thing that is named counts; a story may name things in passing.
        """
        named_in_vain = bool(self.unexplained) and not _SENTENCE_END.search(self.instruction)
        explained = not named_in_vain and not self.unreflected
        return self.goal is not None and self.confidence >= SURE and explained


def understand(
    model: LanguageModel, prompt: GoalPrompt, *, samples: int = SAMPLES
) -> Understanding:
    """Ask `model` what `prompt.instruction` wants; raises only what the model raises.

    If the goal is in doubt, it writes `samples` further ones. So it does if it misses a thing that
    is here or that nobody named, or writes a goal that says nothing; what it then writes is never
    sure. A model that is not calibrated always writes them, since they say how sure its goal is;
    without any, its log-probability only ranks goals.
    """
    found, calibrated = _first_reading(model, prompt), model.capabilities.calibrated
    declined = found.declined is not None and not _is_unfounded(found.declined, prompt)
    if declined or not samples or (found.sure and calibrated):
        return found
    written = _sampled(model, prompt, samples)
    first = [found.goal] if found.goal is not None else []
    if first and not calibrated:
        found = replace(found, confidence=_agreement(first[0], written, samples))
        if found.sure:
            return found
    goals = Counter([*first, *written])
    likeliest = [goal for goal, _ in goals.most_common(_READINGS)]
    likeliest.sort(key=lambda goal: len(unreflected_words(prompt, goal)))
    if found.goal is None and likeliest:
        found = replace(found, goal=likeliest[0], declined=None)
    return replace(found, readings=tuple(likeliest))


def _first_reading(model: LanguageModel, prompt: GoalPrompt) -> Understanding:
    asked = ask(model, prompt, max_tokens=_MOST_TOKENS, logprobs=True)
    result = asked.result
    if isinstance(result, ParseError):
        result = Declined(DeclineReason.UNCLEAR)
    if isinstance(result, Declined):
        return Understanding(prompt.instruction, None, result, 0.0)
    sure = confidence(logprob_in_grammar(asked.replies[-1].items[0], prompt.grammar()))
    nouns = unexplained_nouns(prompt, result)
    words = unreflected_words(prompt, result)
    return Understanding(prompt.instruction, result, None, sure, (result,), nouns, words)


def _is_unfounded(declined: Declined, prompt: GoalPrompt) -> bool:
    """Whether something is missed that nobody named or that is here, or the goal says nothing."""
    if isinstance(declined, SaysNothing):
        return True
    reason, _, detail = declined.why.partition(":")
    if reason != DeclineReason.MISSING:
        return False
    scene, text = SceneWords(prompt), prompt.instruction.lower()
    phrases = scene.phrases(text)
    if not all(map(scene.explains, phrases)):
        return False
    missing = set(letters(detail))
    here = {word for phrase in phrases for word in phrase.words}.union(*scene.words.values())
    return missing <= here or not missing <= set(letters(text))


def confidence(logprob: float | None) -> float:
    """The probability that a goal is right; docs/understanding.md says how it was fitted.

    A model that gives no log-probability counts as one that is sure.
    """
    evidence = _BIAS + _LOGPROB * max(logprob or 0.0, _LEAST_LOGPROB)
    return 1.0 / (1.0 + math.exp(-evidence))


def _agreement(goal: GoalDescription, written: Iterable[GoalDescription], samples: int) -> float:
    """The share of `samples` that were read and say the same as `goal`, in any order."""
    return sum(map(goal.same_as, written)) / samples


def _sampled(model: LanguageModel, prompt: GoalPrompt, count: int) -> list[GoalDescription]:
    can = model.capabilities
    replies = model.complete(
        prompt.messages(),
        n=count,
        temperature=0.7,
        max_tokens=_MOST_SAMPLED,
        grammar=prompt.grammar() if can.grammar else None,
        seed=0 if can.seed else None,
        purpose=prompt.purpose,
    )
    parsed = (prompt.parse(one.text) for one in replies.items)
    return [goal for goal in parsed if isinstance(goal, GoalDescription)]
