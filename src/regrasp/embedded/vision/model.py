"""The embedded vision model: a `VisionModel` that needs no key, no network and no GPU."""

from __future__ import annotations

import functools
import time
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.arrays import Floats
from regrasp.embedded.vision.answers import ANSWERS, NO, UNKNOWN, YES
from regrasp.embedded.vision.choice import LazyNetwork, networks_for
from regrasp.embedded.vision.network import WEIGHTS
from regrasp.embedded.vision.obstacles import obstacles
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionRequest, VisionRequestModel
from regrasp.prompts.why import WhyQuestion, read_why

__all__ = ["EmbeddedVision"]

_CLOSED = (YES, NO, UNKNOWN)
_NOTHING = "nothing"
_QUESTIONS_KEPT = 4096


class EmbeddedVision(VisionRequestModel):
    """Answers, from pixels, the questions it was trained on (docs/models/vision.md).

    All pictures given are one scene, seen from several sides or several times. A question that is
    not parsed in full, or that it was not trained on (`known.py`), is answered by unknown, never
    guessed.

    Two networks answer. `things` are the names of the robot's objects: a question that both know is
    answered by the network that knows more of these (`choice.py`).
    """

    def __init__(self, folder: Path = WEIGHTS, things: Collection[str] = ()) -> None:
        self._networks = networks_for(things, folder)
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
        for one in self._networks:
            asked = {i: known[1] for i, known in enumerate(read) if known and known[0] is one}
            if asked and images:
                found[list(asked)] = one.network.chances(images, list(asked.values()))
        return found

    def _read(self, question: str) -> tuple[LazyNetwork, Floats] | None:
        """The network that answers, and the question encoded for it; None if none knows it."""
        for one in self._networks:
            encoded = one.read(question)
            if encoded is not None:
                return one, encoded
        return None

    def _least(self, question: str) -> float:
        """The confidence below which the answer to a question is "unknown"."""
        known = self._known(question)
        return known[0].about.least if known else 1.0

    def _one(self, request: VisionRequest) -> Answer:
        chances = self.chances(request.images, [request.question])[0]
        if request.kind is QuestionKind.YES_NO:
            three = chances[list(_CLOSED)]
            chances = np.zeros_like(chances)
            chances[list(_CLOSED)] = three / max(float(three.sum()), 1e-9)
        best = int(chances.argmax())
        confidence = float(chances[best])
        if best == UNKNOWN or confidence < self._least(request.question):
            return _unknown(float(chances[UNKNOWN]))
        if best in (YES, NO):
            return Answer(Verdict.YES if best == YES else Verdict.NO, ANSWERS[best], confidence)
        return Answer(Verdict.TEXT, ANSWERS[best], confidence)

    def _why(self, images: Sequence[ImageData], asked: WhyQuestion) -> Answer:
        """The likeliest cause, in a sentence: each named object is asked about."""
        sights = obstacles(asked)
        if not sights:
            return Answer(Verdict.TEXT, _NOTHING)
        questions = [str(sight) for sight in sights]
        yes = self.chances(images, questions)[:, YES]
        best = int(yes.argmax())
        if yes[best] < self._least(questions[best]):
            return Answer(Verdict.TEXT, _NOTHING, float(1 - yes[best]))
        return Answer(Verdict.TEXT, f"The {sights[best].statement(True)}.", float(yes[best]))


def _unknown(confidence: float | None = None) -> Answer:
    return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN), confidence)
