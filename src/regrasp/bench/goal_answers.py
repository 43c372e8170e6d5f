"""What a language model makes of the instructions of a set, and the risk of acting on it.

Every instruction gets the model's best goal, as published results do; beside it stands what the
robot would have done at its threshold: act, ask back, or decline.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from regrasp.bench.goal_sets import GoalScore, GoalSet, coverage_at, summary
from regrasp.bench.statistics import wilson
from regrasp.models.language import LanguageModel
from regrasp.planners.understanding import SURE, understand
from regrasp.prompts.parsing import Declined

__all__ = ["GoalAnswer", "answer_set", "risk_coverage", "set_row"]


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """One instruction, the goal that was written for it, and its score."""

    name: str
    say: str
    goal: tuple[str, ...]
    wanted: tuple[str, ...]
    confidence: float
    score: GoalScore
    wall_s: float


def answer_set(
    goal_set: GoalSet, model: LanguageModel, watch: Callable[[GoalAnswer], None] = lambda _: None
) -> Iterator[GoalAnswer]:
    """Ask `model` for the goal of every row."""
    for row in goal_set.rows:
        began = time.perf_counter()
        found = understand(model, goal_set.prompt(row), samples=0)  # only the best goal is scored
        reply = found.goal or found.declined or Declined("")
        answer = GoalAnswer(
            row.name,
            row.say,
            tuple(map(str, found.goal.clauses)) if found.goal else (),
            row.goal,
            found.confidence,
            goal_set.score(row, reply),
            time.perf_counter() - began,
        )
        watch(answer)
        yield answer


def set_row(name: str, answers: Sequence[GoalAnswer]) -> dict[str, object]:
    """The figures of a set: over all goals, and at the threshold."""
    scores = [one.score for one in answers]
    found = summary(scores)
    exact = sum(score.exact for score in scores)
    low, high = wilson(exact, len(scores))
    acted = [one for one in answers if one.confidence >= SURE and not one.score.declined]
    return {
        "set": name,
        "n": len(answers),
        "exact": found["exact"],
        "interval": f"{low:.1%} to {high:.1%}",
        "f1": found["f1"],
        "answered": len(acted) / len(answers),
        "wrong": sum(not one.score.exact for one in acted) / len(answers),
        "answered_at_95": coverage_at(0.95, [(one.confidence, one.score.exact) for one in answers]),
        "median_s": median(one.wall_s for one in answers),
    }


def risk_coverage(scored: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """(share that is answered, share of those that is wrong), the surest goals first."""
    ranked = sorted(scored, key=lambda one: -one[0])
    points, wrong = [], 0
    for count, (_, right) in enumerate(ranked, 1):
        wrong += not right
        points.append((count / len(ranked), wrong / count))
    return points
