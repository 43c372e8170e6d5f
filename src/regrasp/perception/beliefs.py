"""Rules that turn answers about an expected fact into a belief.

`first_answer` is DKPROMPT's rule: a yes or no is believed as it is, unknown ("skip") leaves the
belief unchanged. `BayesianBelief` is ours: the expectation has a prior, each answer moves its
log-odds by the reliability of such answers, and the question is repeated in other words until one
side is likely enough. One wrong no then costs a second question and not a needless plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from regrasp.core.answer import Verdict
from regrasp.core.errors import RegraspError
from regrasp.core.fact import Literal
from regrasp.core.log_odds import log_odds
from regrasp.models.fusion import LIMIT
from regrasp.models.vision import Answer

__all__ = ["Ask", "BayesianBelief", "BeliefRule", "Confusion", "first_answer"]

Ask: TypeAlias = Callable[[int], Answer]
"""Asks about one expected fact; each number selects another phrasing."""

BeliefRule: TypeAlias = Callable[[Literal, Ask], bool | None]
"""Whether an expected literal is true after all; None if no answer gives evidence."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often a vision model answers no: to a true fact (`false_no`), a false one (`true_no`)."""

    false_no: float = 0.05
    true_no: float = 0.9

    def __post_init__(self) -> None:
        if not 0.0 < self.false_no < self.true_no < 1.0:
            raise RegraspError(
                f"a vision model must say no more often to a false fact, neither never nor always: "
                f"0 < {self.false_no:g} < {self.true_no:g} < 1 does not hold."
            )

    @classmethod
    def measured(cls, tp: int, tn: int, fp: int, fn: int) -> Confusion:
        """From counts of answers; half an answer is added to each, so that no rate is 0 or 1."""
        return cls((fn + 0.5) / (tp + fn + 1.0), (tn + 0.5) / (tn + fp + 1.0))

    def log_likelihood_ratio(self, holds: bool) -> float:
        """How much an answer moves the log-odds of a violation; `holds` is True for a yes."""
        if holds:
            return math.log((1.0 - self.true_no) / (1.0 - self.false_no))
        return math.log(self.true_no / self.false_no)


_USUAL = Confusion(false_no=0.1, true_no=0.9)


def first_answer(literal: Literal, ask: Ask) -> bool | None:
    """The first answer, believed as it is."""
    verdict = ask(0).verdict
    return {Verdict.YES: True, Verdict.NO: False}.get(verdict)


@dataclass(frozen=True, slots=True)
class BayesianBelief:
    """`prior` is the probability of an expected fact, `target_confidence` the one to reach.

    An answer with a confidence counts for that, one without for the predicate's measured confusion.
    After `max_questions` questions the likelier side wins.
    """

    prior: float = 0.85
    target_confidence: float = 0.9
    max_questions: int = 3
    confusion: Mapping[str, Confusion] = field(default_factory=dict)

    def __call__(self, literal: Literal, ask: Ask) -> bool | None:
        """See `BeliefRule`."""
        odds, has_evidence = log_odds(self.prior), False
        enough = log_odds(self.target_confidence)
        for number in range(self.max_questions):
            answer = ask(number)
            moved = self._weight(literal, answer)
            has_evidence = has_evidence or moved != 0.0
            odds += moved
            if abs(odds) >= enough:
                break
        return odds > 0 if has_evidence else None

    def _weight(self, literal: Literal, answer: Answer) -> float:
        if answer.verdict not in (Verdict.YES, Verdict.NO):
            return 0.0
        sign = 1 if answer.verdict is Verdict.YES else -1
        if answer.confidence is not None:
            return sign * min(max(log_odds(answer.confidence), 0.0), LIMIT)
        measured = self.confusion.get(literal.fact.predicate, _USUAL)
        # The confusion is the predicate's: yes to the negated question is a no to the predicate.
        holds = (answer.verdict is Verdict.YES) is literal.positive
        return (-1 if literal.positive else 1) * measured.log_likelihood_ratio(holds)
