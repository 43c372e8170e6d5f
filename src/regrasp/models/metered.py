"""Metered models: each call is counted, checked against the budget, and passed to an observer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from regrasp.core.answer import QuestionKind
from regrasp.models.budget import FREE, Meter, Price, Spending, estimate
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import BudgetExceededError, ModelError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completions,
    LanguageModel,
    Message,
    Request,
    RequestModel,
    Role,
)
from regrasp.models.retry import Clock
from regrasp.models.vision import Answer, VisionModel

__all__ = ["LOOK", "CallObserver", "CallRecord", "MeteredLanguage", "MeteredVision"]

LOOK = "look"
"""The purpose of a call of a vision model."""

R = TypeVar("R", Completions, Answer)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call: its model and request, and the reply, or the error's kind and text."""

    model: str
    request: Request
    reply: Completions | Answer | None
    spent: Spending
    error_kind: str = ""
    error: str = ""


CallObserver: TypeAlias = Callable[[CallRecord], None]
"""Called for every call, also for failed calls and calls that the budget refused."""


def _ignore(record: CallRecord) -> None:
    """An observer that does nothing."""


@dataclass(frozen=True, slots=True)
class _Account:
    """A meter with the price, the observer and the clock of one model."""

    meter: Meter
    price: Price
    observe: CallObserver
    clock: Clock

    def run(self, name: str, request: Request, ask: Callable[[], R]) -> R:
        """Check the call against the budget; book and report its result."""
        started = self.clock()
        try:
            with self.meter.reserve(estimate(request, self.price)):
                reply = ask()
                spent = self._cost(reply)
                self.meter.add(spent)
        except ModelError as error:
            refused = isinstance(error, BudgetExceededError)
            spent = Spending() if refused else Spending(1, seconds=self.clock() - started, failed=1)
            self.meter.add(spent)
            kind = type(error).__name__
            self.observe(CallRecord(name, request, None, spent, kind, str(error)))
            raise
        self.observe(CallRecord(name, request, reply, spent))
        return reply

    def _cost(self, reply: Completions | Answer) -> Spending:
        usage = reply.usage
        return Spending(
            max(1, usage.calls),
            usage.prompt_tokens,
            usage.completion_tokens,
            reply.latency_s,
            self.price.of(usage),
        )


class MeteredLanguage(RequestModel):
    """A language model whose calls are counted and capped; otherwise as the inner model."""

    def __init__(
        self,
        inner: LanguageModel,
        meter: Meter,
        *,
        price: Price = FREE,
        observe: CallObserver = _ignore,
        clock: Clock = time.monotonic,
    ) -> None:
        self._inner, self._account = inner, _Account(meter, price, observe, clock)

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's."""
        return self._inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Ask the inner model, within the budget."""
        return self._account.run(self.name, request, lambda: request.send(self._inner, cancel))


class MeteredVision:
    """A vision model whose calls are counted and capped; otherwise as the inner model."""

    def __init__(
        self,
        inner: VisionModel,
        meter: Meter,
        *,
        price: Price = FREE,
        observe: CallObserver = _ignore,
        clock: Clock = time.monotonic,
    ) -> None:
        self._inner, self._account = inner, _Account(meter, price, observe, clock)

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Ask the inner model, within the budget."""
        message = Message(Role.USER, question, tuple(images))
        return self._account.run(
            self.name,
            Request((message,), max_tokens=64, seed=seed, purpose=LOOK),
            lambda: self._inner.answer(images, question, kind=kind, seed=seed, cancel=cancel),
        )
