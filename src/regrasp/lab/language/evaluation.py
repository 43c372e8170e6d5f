"""Evaluation of a language model: its answers, their correctness, latency and cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from statistics import median

from regrasp.lab.language.evaluation_set import questions
from regrasp.lab.language.grading import Grade
from regrasp.lab.language.question import LanguageExample
from regrasp.models.language import LanguageModel

__all__ = ["FamilyScore", "GradedAnswer", "evaluate_model", "scores"]

_MOST_TOKENS = 600
"""Enough for CoPAL's longest plans; no other answer has more than 256."""


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """One question and its graded answer."""

    part: str
    question: LanguageExample
    reply: str
    grade: Grade
    latency_s: float
    tokens: int


@dataclass(frozen=True, slots=True)
class FamilyScore:
    """A family in a part of the evaluation: counts, median latency, mean tokens of a call."""

    part: str
    family: str
    asked: int
    parsed: int
    right: int
    exact: int
    latency_s: float
    tokens: float


def evaluate_model(
    model: LanguageModel,
    parts: Iterable[str],
    count: int,
    seed: int = 0,
    watch: Callable[[GradedAnswer], None] = lambda answered: None,
    families: Collection[str] = (),
) -> tuple[GradedAnswer, ...]:
    """Ask `model` `count` questions of every family of `parts`, once, with its grammar.

    With `families` only of these; their questions are the same as without.
    There is no second try with a repair hint: a reply that cannot be parsed is wrong here.
    """
    found: list[GradedAnswer] = []
    for part in parts:
        for question in questions(part, count, seed):
            if families and question.family not in families:
                continue
            grammar = question.prompt.grammar() if model.capabilities.grammar else None
            said = model.complete(
                question.messages,
                max_tokens=_MOST_TOKENS,
                grammar=grammar,
                purpose=question.prompt.purpose,
            )
            answered = GradedAnswer(
                part,
                question,
                said.text,
                question.grade(said.text),
                said.latency_s,
                said.usage.tokens,
            )
            found.append(answered)
            watch(answered)
    return tuple(found)


def scores(answered: Iterable[GradedAnswer]) -> tuple[FamilyScore, ...]:
    """The table: a row for each part and family, and one for each whole part."""
    groups: dict[tuple[str, str], list[GradedAnswer]] = {}
    for one in answered:
        for family in (one.question.family, "all"):
            groups.setdefault((one.part, family), []).append(one)
    return tuple(
        FamilyScore(
            part,
            family,
            len(found),
            sum(one.grade.parsed for one in found),
            sum(one.grade.right for one in found),
            sum(one.grade.exact for one in found),
            median(one.latency_s for one in found),
            sum(one.tokens for one in found) / len(found),
        )
        for (part, family), found in groups.items()
    )
