"""Degrade any model in seeded, named ways: for ablations and robustness tests of a loop.

Whether a fault occurs depends on the seed, the request and how often it was asked, not on the order
of threads. The faults applied are in the `losses` of the reply, for the trace.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.models.cancel import CancelToken
from regrasp.models.draws import DrawCounter
from regrasp.models.errors import BadRequestError, RateLimitedError, UnreachableError
from regrasp.models.faults import (
    add_step,
    drop_step,
    flip_verdict,
    hallucinate,
    swap_steps,
    truncate,
)
from regrasp.models.images import ImageData
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
from regrasp.models.vision import Answer, VisionModel, read_yes_no

__all__ = ["DegradedLanguage", "DegradedVision", "Faults"]


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


class DegradedLanguage(RequestModel):
    """A degraded language model around `inner`."""

    def __init__(self, inner: LanguageModel, faults: Faults, sleep: Sleep = sleep) -> None:
        self._inner, self._faults, self._sleep = inner, faults, sleep
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The inner model's name and the faults."""
        return f"degraded:{self._faults}:{self._inner.name}"

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's."""
        return self._inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Ask the inner model, and degrade its reply."""
        key = json.dumps(request.canonical(), sort_keys=True)
        rng = _generator(self._faults.seed, key, self._draws.next(key))
        _obstruct(self.name, self._faults, rng, self._sleep, cancel)
        reply = request.send(self._inner, cancel)
        prompt = "\n".join(message.content for message in request.messages)
        done: list[str] = []
        items = tuple(_spoil(item, prompt, self._faults, rng, done) for item in reply.items)
        return replace(
            reply,
            items=items if request.force is None else reply.items,
            latency_s=reply.latency_s + self._faults.slow,
            losses=(*reply.losses, *done),
        )


class DegradedVision:
    """A degraded vision model around `inner`."""

    def __init__(self, inner: VisionModel, faults: Faults, sleep: Sleep = sleep) -> None:
        self._inner, self._faults, self._sleep = inner, faults, sleep
        self._draws = DrawCounter()

    @property
    def name(self) -> str:
        """The inner model's name and the faults."""
        return f"degraded:{self._faults}:{self._inner.name}"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Ask the inner model, and degrade its answer."""
        key = json.dumps([question, str(kind), [i.sha256 for i in images], seed])
        rng = _generator(self._faults.seed, key, self._draws.next(key))
        _obstruct(self.name, self._faults, rng, self._sleep, cancel)
        true = self._inner.answer(images, question, kind=kind, seed=seed, cancel=cancel)
        said = replace(true, latency_s=true.latency_s + self._faults.slow)
        if true.verdict is Verdict.TEXT:
            done: list[str] = []
            spoilt = _spoil(Completion(true.text), question, self._faults, rng, done)
            return replace(said, text=spoilt.text, losses=(*true.losses, *done))
        rates = {Verdict.YES: self._faults.yes_to_no, Verdict.NO: self._faults.no_to_yes}
        if rng.random() >= rates.get(true.verdict, 0.0):
            return said
        other = Verdict.NO if true.verdict is Verdict.YES else Verdict.YES
        fault = f"degraded: {true.verdict}_to_{other}"
        return replace(said, verdict=other, text=str(other), losses=(*true.losses, fault))


def _generator(seed: int, key: str, draw: int) -> np.random.Generator:
    """A random generator that depends on the request, not on the time."""
    digest = hashlib.sha256(f"{draw} {key}".encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def _obstruct(
    name: str, faults: Faults, rng: np.random.Generator, sleep: Sleep, cancel: CancelToken | None
) -> None:
    """The faults that occur before an answer."""
    if faults.slow:
        sleep(faults.slow, cancel)
    if rng.random() < faults.dead:
        raise UnreachableError(f"{name} is dead (by its `dead` fault).")
    if rng.random() < faults.rate_limited:
        raise RateLimitedError(f"{name} is rate-limited (by its `rate_limited` fault).")


def _spoil(
    item: Completion, prompt: str, faults: Faults, rng: np.random.Generator, done: list[str]
) -> Completion:
    """Apply each fault at its rate; the faults that changed the text are added to `done`."""
    text, reason = item.text, item.finish_reason
    verdict = read_yes_no(text.split(maxsplit=1)[0]) if text.strip() else Verdict.UNKNOWN
    flips = {
        Verdict.YES: ("yes_to_no", faults.yes_to_no),
        Verdict.NO: ("no_to_yes", faults.no_to_yes),
    }
    flip, flip_rate = flips.get(verdict, ("", 0.0))
    for name, rate in (
        ("hallucinate", faults.hallucinate),
        ("drop_step", faults.drop_step),
        ("swap_steps", faults.swap_steps),
        (flip, flip_rate),
        ("truncate", faults.truncate),
        ("add_step", faults.add_step),
    ):
        if rng.random() >= rate:  # drawn for every fault, so that one rate does not affect another
            continue
        match name:
            case "hallucinate":
                spoilt = hallucinate(text, prompt, rng)
            case "drop_step":
                spoilt = drop_step(text, rng)
            case "swap_steps":
                spoilt = swap_steps(text, rng)
            case "add_step":
                spoilt = add_step(text, prompt, rng)
            case "truncate":
                spoilt, reason = truncate(text, rng), FinishReason.LENGTH
            case _:
                spoilt = flip_verdict(text)
        if spoilt != text:
            text = spoilt
            done.append(f"degraded: {name}")
    return item if text == item.text else Completion(text, reason, None)
