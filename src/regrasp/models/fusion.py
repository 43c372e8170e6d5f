"""Combine several answers to one question, from several frames or vision models.

`Ensemble` asks one model about each picture separately. Over consecutive frames this reduces
flickering answers: `majority` is DoReMi's vote over four frames, `bayes` adds up calibrated odds.
It is wrong for views from several sides and questions such as "do you see …?", because each view
has its own correct answer: give all views to a model at once.

Each answer is a distribution over yes, no and unknown. Unknown is no evidence: it leaves the odds
unchanged. The rest is Bayes' rule with an even prior: log-odds are added, each limited to `LIMIT`
so that no single frame can outvote all others. Consecutive frames are not independent; `trust` < 1
reduces the weight of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.core.log_odds import log_odds, probability
from regrasp.models.cancel import CancelToken
from regrasp.models.vision import Answer, VisionModel, VisionRequest, VisionRequestModel

__all__ = ["COMBINING", "LIMIT", "AnswerFilter", "Ensemble", "combine", "majority"]

LIMIT = 6.0
"""The most that one answer can move the log-odds: 0.25% to 99.75%."""

_EXTREME = 4e-11  # the probability of log-odds of -24
_UNKNOWN = Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """A Bayesian filter over the answers to one yes/no question.

    `stay` is the probability that the fact keeps its value until the next frame: 1 for objects at
    rest. With probability p of yes, a step takes p to stay p + (1 - stay)(1 - p) before the answer
    counts.
    """

    log_odds: float = 0.0
    has_evidence: bool = False
    stay: float = 1.0
    trust: float = 1.0

    def after(self, answer: Answer) -> AnswerFilter:
        """The belief after `answer`; an answer without confidence counts for 90%."""
        yes = probability(self.log_odds)
        yes = self.stay * yes + (1 - self.stay) * (1 - yes)
        odds = log_odds(yes, least=_EXTREME)
        if answer.verdict not in (Verdict.YES, Verdict.NO):
            return replace(self, log_odds=odds)
        confidence = 0.9 if answer.confidence is None else answer.confidence
        weight = self.trust * min(abs(log_odds(confidence)), LIMIT)
        sign = 1 if answer.verdict is Verdict.YES else -1
        return replace(self, log_odds=odds + sign * weight, has_evidence=True)

    def answer(self) -> Answer:
        """The believed answer; unknown where there was no evidence."""
        if not self.has_evidence:
            return _UNKNOWN
        yes = probability(self.log_odds)
        verdict = Verdict.YES if yes >= 0.5 else Verdict.NO
        return Answer(verdict, str(verdict), max(yes, 1 - yes))


def majority(answers: Sequence[Answer]) -> Answer:
    """The majority of answers, as in DoReMi over four consecutive frames; a tie is unknown."""
    counts = Counter(answer.verdict for answer in answers)
    best = counts.most_common(2)
    if not best or (len(best) == 2 and best[0][1] == best[1][1]):
        return _UNKNOWN
    return Answer(best[0][0], str(best[0][0]), best[0][1] / len(answers))


def _bayes(answers: Sequence[Answer]) -> Answer:
    belief = AnswerFilter()
    for answer in answers:
        belief = belief.after(answer)
    return belief.answer()


COMBINING: Mapping[str, Callable[[Sequence[Answer]], Answer]] = {
    "bayes": _bayes,
    "majority": majority,
}
"""The ways to combine several answers."""


def combine(answers: Sequence[Answer], kind: QuestionKind, how: str = "bayes") -> Answer:
    """One answer for several; of answers in words, the most confident is kept."""
    if kind is not QuestionKind.OPEN:
        return COMBINING[how](answers)
    known = [answer for answer in answers if answer.verdict is not Verdict.UNKNOWN] or answers
    return max(known, key=lambda answer: answer.confidence or 0.0, default=_UNKNOWN)


class Ensemble(VisionRequestModel):
    """A `VisionModel` that asks `inner` about one picture at a time."""

    def __init__(self, inner: VisionModel, how: str) -> None:
        if how not in COMBINING:
            raise UnknownNameError("way to combine answers", how, COMBINING)
        self._inner, self._how = inner, how

    @property
    def name(self) -> str:
        """E.g. `bayes:embedded`."""
        return f"{self._how}:{self._inner.name}"

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Ask about each picture and combine the answers."""
        answers = [
            replace(request, images=(image,)).send(self._inner, cancel) for image in request.images
        ]
        best = combine(answers, request.kind, self._how)
        return replace(
            best,
            latency_s=sum(answer.latency_s for answer in answers),
            usage=sum((a.usage for a in answers[1:]), answers[0].usage) if answers else best.usage,
            losses=tuple(dict.fromkeys(loss for answer in answers for loss in answer.losses)),
        )
