"""Models on a cassette: ask once, then replay the same replies without a network, a key or a cost.

A reply is found by the exact request: the model's name, the messages, the bytes of the images, the
parameters, and how often the same request was made before. In `record` mode a request that is
already on the cassette is not sent again; delete the file to record again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum

from regrasp.core.answer import QuestionKind
from regrasp.core.codec import JsonValue, from_json, to_json
from regrasp.models.cancel import CancelToken
from regrasp.models.cassette import Cassette, RecordingKey
from regrasp.models.draws import DrawCounter
from regrasp.models.errors import BadRequestError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completions,
    LanguageModel,
    Request,
    RequestModel,
)
from regrasp.models.vision import Answer, VisionModel

__all__ = ["Mode", "RecordedLanguage", "RecordedVision"]


class Mode(StrEnum):
    """How a recorded model handles a request."""

    RECORD = "record"  # replay it if it is on the cassette, else ask and add it
    REPLAY = "replay"  # replay it; a miss is an error
    PASSTHROUGH = "passthrough"  # ask, and do not use the cassette


class RecordedLanguage(RequestModel):
    """A language model on a cassette; without `inner` it can only replay.

    Its name is the inner model's, so that a run and its replay leave the same trace.
    """

    def __init__(
        self, cassette: Cassette, mode: Mode, inner: LanguageModel | None = None, name: str = ""
    ) -> None:
        self._cassette, self._mode, self._inner = cassette, mode, inner
        self._name = _name(cassette, mode, inner.name if inner else name, "language")
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's; a cassette alone may hold anything, and a miss is an error."""
        if self._inner is not None:
            return self._inner.capabilities
        return Capabilities(*[True] * 6)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Replay the reply to this request, or ask for it and record it, depending on the mode."""
        if self._inner is not None and self._mode is Mode.PASSTHROUGH:
            return request.send(self._inner, cancel)
        question = _question(self._draws, self._name, {"kind": "language", **request.canonical()})
        if (reply := self._cassette.find(question)) is not None:
            return from_json(Completions, reply)
        if self._inner is None or self._mode is Mode.REPLAY:
            raise self._cassette.miss(question)
        fresh = request.send(self._inner, cancel)
        self._cassette.add(question, to_json(fresh))
        return fresh


class RecordedVision:
    """A vision model on a cassette; without `inner` it can only replay."""

    def __init__(
        self, cassette: Cassette, mode: Mode, inner: VisionModel | None = None, name: str = ""
    ) -> None:
        self._cassette, self._mode, self._inner = cassette, mode, inner
        self._name = _name(cassette, mode, inner.name if inner else name, "vision")
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Replay the answer to this question, or ask and record it, depending on the mode."""
        if cancel is not None:
            cancel.check()
        if self._inner is not None and self._mode is Mode.PASSTHROUGH:
            return self._inner.answer(images, question, kind=kind, seed=seed, cancel=cancel)
        request: dict[str, JsonValue] = {
            "kind": "vision",
            "question": question,
            "answer": str(kind),
            "images": [image.sha256 for image in images],
            "seed": seed,
        }
        asked = _question(self._draws, self._name, request)
        if (reply := self._cassette.find(asked)) is not None:
            return from_json(Answer, reply)
        if self._inner is None or self._mode is Mode.REPLAY:
            raise self._cassette.miss(asked)
        fresh = self._inner.answer(images, question, kind=kind, seed=seed, cancel=cancel)
        self._cassette.add(asked, to_json(fresh))
        return fresh


def _question(draws: DrawCounter, name: str, request: dict[str, JsonValue]) -> RecordingKey:
    return RecordingKey(name, request, draws.next(json.dumps(request, sort_keys=True)))


def _name(cassette: Cassette, mode: Mode, given: str, kind: str) -> str:
    """The model's name: given, or the only one on the cassette."""
    if given:
        return given
    if mode is not Mode.REPLAY:
        raise BadRequestError(f"mode `{mode}` needs a model to ask; only `replay` goes without.")
    found = cassette.models(kind)
    if len(found) != 1:
        names = ", ".join(found) or "none"
        raise BadRequestError(
            f"{cassette.path} holds recordings of these {kind} models: {names}. "
            "Replay needs a cassette with one, or the name of the one you mean."
        )
    return found[0]
