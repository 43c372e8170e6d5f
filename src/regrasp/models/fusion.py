"""Combine several answers to one question, from several frames or vision models.

Each answer is a distribution over yes, no and unknown. Unknown is no evidence: it leaves the odds
unchanged. The rest is Bayes' rule with an even prior: log-odds are added, each limited to `LIMIT`
so that no single frame can outvote all others. Consecutive frames are not independent; `trust` < 1
reduces the weight of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from regrasp.core.answer import Verdict
from regrasp.core.log_odds import log_odds, probability
from regrasp.models.vision import Answer

__all__ = ["LIMIT", "AnswerFilter", "majority"]

LIMIT = 6.0
"""The most that one answer can move the log-odds: 0.25% to 99.75%."""

_EXTREME = 4e-11  # the probability of log-odds of -24


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """A Bayesian filter over the answers to one yes/no question.

    `stay` is the probability that the fact keeps its value until the next frame: 1 for objects at
    rest. With probability p of yes, a step takes p to stay p + (1 - stay)(1 - p) before the answer
    counts.
    """

    log_odds: float = 0.0
    heard: bool = False
    stay: float = 1.0
    trust: float = 1.0

    def after(self, answer: Answer) -> AnswerFilter:
        """The belief after `answer`; an answer without confidence counts for 90%."""
        yes = probability(self.log_odds)
        yes = self.stay * yes + (1 - self.stay) * (1 - yes)
        odds = log_odds(yes, least=_EXTREME)
        if answer.verdict not in (Verdict.YES, Verdict.NO):
            return AnswerFilter(odds, self.heard, self.stay, self.trust)
        sure = 0.9 if answer.confidence is None else answer.confidence
        weight = self.trust * min(abs(log_odds(sure)), LIMIT)
        sign = 1 if answer.verdict is Verdict.YES else -1
        return AnswerFilter(odds + sign * weight, True, self.stay, self.trust)

    def answer(self) -> Answer:
        """The believed answer; unknown where there was no evidence."""
        if not self.heard:
            return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
        yes = probability(self.log_odds)
        verdict = Verdict.YES if yes >= 0.5 else Verdict.NO
        return Answer(verdict, str(verdict), max(yes, 1 - yes))


def majority(answers: Sequence[Answer]) -> Answer:
    """The majority of answers, as in DoReMi over four consecutive frames; a tie is unknown."""
    counts = Counter(answer.verdict for answer in answers)
    best = counts.most_common(2)
    if not best or (len(best) == 2 and best[0][1] == best[1][1]):
        return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
    return Answer(best[0][0], str(best[0][0]), best[0][1] / len(answers))
