"""Degrade any model in seeded, named ways: for ablations and robustness tests of a loop.

Whether a fault occurs depends on the seed, the request and how often it was asked, not on the order
of threads. The faults applied are in the `losses` of the reply, for the trace.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, replace
from typing import Generic, TypeVar

import numpy as np

from regrasp.core.answer import Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.models.cancel import CancelToken
from regrasp.models.cassette import DrawCounter
from regrasp.models.errors import BadRequestError, RateLimitedError, UnreachableError
from regrasp.models.faults import (
    add_step,
    drop_step,
    flip_verdict,
    hallucinate,
    swap_steps,
    truncate,
)
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    LanguageModel,
    Request,
    RequestModel,
)
from regrasp.models.retry import Sleep, sleep
from regrasp.models.vision import (
    Answer,
    VisionModel,
    VisionRequest,
    VisionRequestModel,
    read_yes_no,
)

__all__ = ["DegradedLanguage", "DegradedVision", "Faults"]

M = TypeVar("M", bound=LanguageModel | VisionModel)


@dataclass(frozen=True, slots=True)
class Faults:
    """The rate of each fault, from 0 to 1; `slow` is seconds added to every call.

    `yes_to_no` is the rate of misses (the model's yes turned into no), `no_to_yes` that of false
    alarms. The other faults of text apply to each sample separately.
    """

    hallucinate: float = 0.0
    drop_step: float = 0.0
    swap_steps: float = 0.0
    add_step: float = 0.0
    yes_to_no: float = 0.0
    no_to_yes: float = 0.0
    truncate: float = 0.0
    rate_limited: float = 0.0
    dead: float = 0.0
    slow: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            most = np.inf if field.name in ("slow", "seed") else 1.0
            if not 0.0 <= value <= most:
                raise BadRequestError(
                    f"fault {field.name}={value}: give a rate from 0 to 1 (slow: seconds)."
                )

    @classmethod
    def parse(cls, text: str) -> Faults:
        """Read `drop_step=0.2,slow=1.5,seed=3`; a name alone means always."""
        known = [field.name for field in fields(cls)]
        values: dict[str, float] = {}
        for part in filter(None, (p.strip() for p in text.split(","))):
            name, _, value = part.partition("=")
            if name not in known:
                raise UnknownNameError("fault", name, known)
            try:
                values[name] = float(value) if value else 1.0
            except ValueError:
                raise BadRequestError(f"fault {part!r}: {value!r} is not a number.") from None
        seed = int(values.pop("seed", 0))
        return cls(**values, seed=seed)

    def __str__(self) -> str:
        found = ((f.name, getattr(self, f.name)) for f in fields(self))
        return ",".join(f"{name}={_number(value)}" for name, value in found if value)


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)  # a seed keeps its digits


class _Degraded(Generic[M]):
    """A degraded model around `inner`."""

    def __init__(self, inner: M, faults: Faults, sleep: Sleep = sleep) -> None:
        self._inner, self._faults, self._sleep = inner, faults, sleep
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The inner model's name and the faults."""
        return f"degraded:{self._faults}:{self._inner.name}"

    def _begin(self, key: str, cancel: CancelToken | None) -> np.random.Generator:
        """Apply the faults that occur before an answer.

        Returns the random generator of the other faults, which depends on the request, not on the
        time.
        """
        digest = hashlib.sha256(f"{self._draws.next(key)} {key}".encode()).digest()
        rng = np.random.default_rng([self._faults.seed, int.from_bytes(digest[:8], "big")])
        if self._faults.slow:
            self._sleep(self._faults.slow, cancel)
        if rng.random() < self._faults.dead:
            raise UnreachableError(f"{self.name} is dead (by its `dead` fault).")
        if rng.random() < self._faults.rate_limited:
            raise RateLimitedError(f"{self.name} is rate-limited (by its `rate_limited` fault).")
        return rng


class DegradedLanguage(_Degraded[LanguageModel], RequestModel):
    """A degraded language model around `inner`."""

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's."""
        return self._inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Ask the inner model, and degrade its reply."""
        rng = self._begin(json.dumps(request.canonical(), sort_keys=True), cancel)
        reply = request.send(self._inner, cancel)
        prompt = "\n".join(message.content for message in request.messages)
        done: list[str] = []
        items = tuple(_degrade(item, prompt, self._faults, rng, done) for item in reply.items)
        return replace(
            reply,
            items=items if request.force is None else reply.items,
            latency_s=reply.latency_s + self._faults.slow,
            losses=(*reply.losses, *done),
        )


class DegradedVision(_Degraded[VisionModel], VisionRequestModel):
    """A degraded vision model around `inner`."""

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Ask the inner model, and degrade its answer."""
        question, images = request.question, [image.sha256 for image in request.images]
        rng = self._begin(json.dumps([question, str(request.kind), images, request.seed]), cancel)
        true = request.send(self._inner, cancel)
        late = replace(true, latency_s=true.latency_s + self._faults.slow)
        if true.verdict is Verdict.TEXT:
            done: list[str] = []
            degraded = _degrade(Completion(true.text), question, self._faults, rng, done)
            return replace(late, text=degraded.text, losses=(*true.losses, *done))
        fault, rate = _flip(true.verdict, self._faults)
        if rng.random() >= rate:
            return late
        other = Verdict.NO if true.verdict is Verdict.YES else Verdict.YES
        losses = (*true.losses, f"degraded: {fault}")
        return replace(late, verdict=other, text=str(other), losses=losses)


def _flip(verdict: Verdict, faults: Faults) -> tuple[str, float]:
    """The fault that reverses this verdict, and its rate; 0 for a verdict other than yes and no."""
    if verdict is Verdict.YES:
        return "yes_to_no", faults.yes_to_no
    return "no_to_yes", faults.no_to_yes if verdict is Verdict.NO else 0.0


def _degrade(
    item: Completion, prompt: str, faults: Faults, rng: np.random.Generator, done: list[str]
) -> Completion:
    """Apply each fault at its rate; the faults that changed the text are added to `done`."""
    text, reason = item.text, item.finish_reason
    verdict = read_yes_no(text.split(maxsplit=1)[0]) if text.strip() else Verdict.UNKNOWN
    flip, flip_rate = _flip(verdict, faults)
    for name, rate, apply in (
        ("hallucinate", faults.hallucinate, lambda t: hallucinate(t, prompt, rng)),
        ("drop_step", faults.drop_step, lambda t: drop_step(t, rng)),
        ("swap_steps", faults.swap_steps, lambda t: swap_steps(t, rng)),
        (flip, flip_rate, flip_verdict),
        ("truncate", faults.truncate, lambda t: truncate(t, rng)),
        ("add_step", faults.add_step, lambda t: add_step(t, prompt, rng)),
    ):
        if rng.random() >= rate:  # drawn for every fault, so that one rate does not affect another
            continue
        if (degraded := apply(text)) != text:
            text = degraded
            reason = FinishReason.LENGTH if name == "truncate" else reason
            done.append(f"degraded: {name}")
    return item if text == item.text else Completion(text, reason, None)
