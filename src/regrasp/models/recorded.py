"""Models on a cassette: ask once, then replay the same replies without a network, a key or a cost.

A reply is found by the exact request: the model's name, the messages, the bytes of the images, the
parameters, and how often the same request was made before. A request that is already on the
cassette is not sent again; delete the file to record again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

from regrasp.core.codec import CodecError, JsonValue, from_json, to_json
from regrasp.core.redact import redact_json
from regrasp.models.cancel import CancelToken
from regrasp.models.cassette import Cassette, DrawCounter, RecordingKey
from regrasp.models.errors import BadRequestError, ReplayMissError
from regrasp.models.language import (
    CALIBRATED,
    Capabilities,
    Completions,
    LanguageModel,
    Request,
    RequestModel,
)
from regrasp.models.vision import Answer, VisionModel, VisionRequest, VisionRequestModel

__all__ = ["RecordedLanguage", "RecordedVision"]

M = TypeVar("M", bound=LanguageModel | VisionModel)
R = TypeVar("R", Completions, Answer)


class _Recorded(Generic[M]):
    """A model on a cassette; without `inner` it can only replay.

    Its name is the inner model's, so that a run and its replay leave the same trace.
    """

    _kind = ""

    def __init__(self, cassette: Cassette, inner: M | None = None, name: str = "") -> None:
        self._cassette, self._inner = cassette, inner
        self._name = inner.name if inner is not None else name or _only(cassette, self._kind)
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    def _reply(self, form: type[R], parameters: dict[str, JsonValue], ask: Callable[[M], R]) -> R:
        """Replay the reply to this request, or ask for it and record it."""
        request: dict[str, JsonValue] = {"kind": self._kind}
        for name, value in parameters.items():
            request[name] = redact_json(value)  # as the file holds it, so that a replay finds it
        draw = self._draws.next(json.dumps(request, sort_keys=True))
        question = RecordingKey(self._name, request, draw)
        if (reply := self._cassette.find(question)) is not None:
            try:
                return from_json(form, reply)
            except CodecError as error:
                raise ReplayMissError(
                    f"a reply of {self._name} in {self._cassette.path} is damaged: {error} "
                    "Delete its line, and record it again."
                ) from error
        if self._inner is None:
            raise self._cassette.miss(question)
        fresh = ask(self._inner)
        self._cassette.add(question, to_json(fresh))
        return fresh


class RecordedLanguage(_Recorded[LanguageModel], RequestModel):
    """A language model on a cassette; without `inner` it can only replay."""

    _kind = "language"

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's; a cassette alone may hold anything, and a miss is an error."""
        if self._inner is not None:
            return self._inner.capabilities
        return replace(Capabilities(*[True] * 7), calibrated=self._name in CALIBRATED)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Replay the reply to this request, or ask for it and record it."""
        return self._reply(
            Completions, request.canonical(), lambda inner: request.send(inner, cancel)
        )


class RecordedVision(_Recorded[VisionModel], VisionRequestModel):
    """A vision model on a cassette; without `inner` it can only replay."""

    _kind = "vision"

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Replay the answer to this question, or ask and record it."""
        if cancel is not None:
            cancel.check()
        parameters: dict[str, JsonValue] = {
            "question": request.question,
            "answer": str(request.kind),
            "images": [image.sha256 for image in request.images],
            "seed": request.seed,
        }
        return self._reply(Answer, parameters, lambda inner: request.send(inner, cancel))


def _only(cassette: Cassette, kind: str) -> str:
    """The name of the only model of this kind on the cassette."""
    found = cassette.models(kind)
    if len(found) != 1:
        names = ", ".join(found) or "none"
        raise BadRequestError(
            f"{cassette.path} holds recordings of these {kind} models: {names}. "
            "Replay needs a cassette with one, or the name of the one you mean."
        )
    return found[0]
