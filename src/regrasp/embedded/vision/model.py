"""The embedded vision model: a `VisionModel` that needs no key, no network and no GPU."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.arrays import Floats
from regrasp.embedded.vision.answers import ANSWERS, NO, UNKNOWN, YES
from regrasp.embedded.vision.network import WEIGHTS, Network
from regrasp.embedded.vision.obstacles import obstacles
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionRequest, VisionRequestModel
from regrasp.prompts.why import WhyQuestion, read_why

__all__ = ["EmbeddedVision"]

_CLOSED = (YES, NO, UNKNOWN)
_LEAST = 0.5  # probability below which the answer is "unknown"
_NOTHING = "nothing"
_QUESTIONS_KEPT = 4096


class EmbeddedVision(VisionRequestModel):
    """Answers, from pixels, the questions it was trained on (docs/models/vision.md).

    All pictures given are one scene, seen from several sides or several times. A question that is
    not parsed in full, or that it was not trained on (`known.py`), is answered by unknown, never
    guessed.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._network = Network(folder)
        # The same few questions repeat often; parsing one takes a millisecond.
        self._known = functools.lru_cache(_QUESTIONS_KEPT)(self._read)

    @property
    def name(self) -> str:
        """`embedded`."""
        return "embedded"

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """See `VisionRequestModel.respond`; the confidence is calibrated."""
        began = time.perf_counter()
        if cancel is not None:
            cancel.check()
        why = read_why(request.question)
        if not request.images:
            answer = _unknown()
        elif why is not None:
            answer = self._why(request.images, why)
        else:
            answer = self._one(request)
        took = time.perf_counter() - began
        return Answer(answer.verdict, answer.text, answer.confidence, took)

    def chances(self, images: Sequence[ImageData], questions: Sequence[str]) -> Floats:
        """P(answer) as (questions, ANSWERS); P(unknown) is 1 for a rejected question."""
        found = np.zeros((len(questions), len(ANSWERS)), np.float32)
        found[:, UNKNOWN] = 1.0
        read = [self._known(question) for question in questions]
        understood = [i for i, one in enumerate(read) if one is not None]
        if understood and images:
            asked = [one for one in read if one is not None]
            found[understood] = self._network.chances(images, asked)
        return found

    def _read(self, question: str) -> Floats | None:
        """The encoded question for the network; None where it was not trained on it."""
        spelt = self._network.known.canonical(question)
        numbers = self._network.vocabulary.numbers(spelt) if spelt is not None else None
        return self._network.read(numbers) if numbers is not None else None

    def _one(self, request: VisionRequest) -> Answer:
        chances = self.chances(request.images, [request.question])[0]
        if request.kind is QuestionKind.YES_NO:
            three = chances[list(_CLOSED)]
            chances = np.zeros_like(chances)
            chances[list(_CLOSED)] = three / max(float(three.sum()), 1e-9)
        best = int(chances.argmax())
        confidence = float(chances[best])
        if best == UNKNOWN or confidence < _LEAST:
            return _unknown(float(chances[UNKNOWN]))
        if best in (YES, NO):
            return Answer(Verdict.YES if best == YES else Verdict.NO, ANSWERS[best], confidence)
        return Answer(Verdict.TEXT, ANSWERS[best], confidence)

    def _why(self, images: Sequence[ImageData], asked: WhyQuestion) -> Answer:
        """The likeliest cause, in a sentence: each named object is asked about."""
        sights = obstacles(asked)
        if not sights:
            return Answer(Verdict.TEXT, _NOTHING)
        yes = self.chances(images, [str(sight) for sight in sights])[:, YES]
        best = int(yes.argmax())
        if yes[best] < _LEAST:
            return Answer(Verdict.TEXT, _NOTHING, float(1 - yes[best]))
        return Answer(Verdict.TEXT, f"The {sights[best].statement(True)}.", float(yes[best]))


def _unknown(confidence: float | None = None) -> Answer:
    return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN), confidence)
