"""One model asked about each picture separately, its answers combined.

Over consecutive frames this reduces flickering answers: `majority` is DoReMi's vote over four
frames, `bayes` adds up calibrated odds. It is wrong for views from several sides and questions such
as "do you see …?", because each view has its own correct answer: give all views to a model at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.models.cancel import CancelToken
from regrasp.models.fusion import AnswerFilter, majority
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionModel

__all__ = ["COMBINING", "Ensemble"]


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


class Ensemble:
    """A `VisionModel` that asks `inner` about one picture at a time."""

    def __init__(self, inner: VisionModel, how: str) -> None:
        if how not in COMBINING:
            raise UnknownNameError("way to combine answers", how, COMBINING)
        self._inner, self._how = inner, how

    @property
    def name(self) -> str:
        """E.g. `bayes:embedded`."""
        return f"{self._how}:{self._inner.name}"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """See `VisionModel.answer`; of answers in words, the most confident is kept."""
        said = [
            self._inner.answer([image], question, kind=kind, seed=seed, cancel=cancel)
            for image in images
        ]
        took = sum(answer.latency_s for answer in said)
        if kind is QuestionKind.OPEN:
            told = [answer for answer in said if answer.verdict is not Verdict.UNKNOWN] or said
            best = max(told, key=lambda answer: answer.confidence or 0.0, default=_UNKNOWN)
        else:
            best = COMBINING[self._how](said)
        usage = sum((answer.usage for answer in said[1:]), said[0].usage) if said else best.usage
        losses = tuple(dict.fromkeys(loss for answer in said for loss in answer.losses))
        return Answer(best.verdict, best.text, best.confidence, took, usage, losses)


_UNKNOWN = Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
