"""Metered models: each call is counted, checked against the budget, and passed to an observer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from regrasp.models.budget import FREE, Meter, Price, Spending, estimate
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import BudgetExceededError, ModelError
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
from regrasp.models.vision import Answer, VisionModel, VisionRequest, VisionRequestModel

__all__ = [
    "LOOK", "CallObservation", "CallObserver", "CallRecord", "MeteredLanguage", "MeteredVision",
    "hold_observations",
]  # fmt: skip

LOOK = "look"
"""The purpose of a call of a vision model."""

M = TypeVar("M", bound=LanguageModel | VisionModel)
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


CallObservation: TypeAlias = Callable[[], None]
"""A call that is still to be passed to its observer."""

_HELD: ContextVar[list[CallObservation] | None] = ContextVar("held_observations", default=None)


@contextmanager
def hold_observations() -> Iterator[list[CallObservation]]:
    """Keep the observations of the calls of this thread, for another thread to make them later."""
    held: list[CallObservation] = []
    token = _HELD.set(held)
    try:
        yield held
    finally:
        _HELD.reset(token)


def _ignore(record: CallRecord) -> None:
    """An observer that does nothing."""


class _Metered(Generic[M]):
    """A model with a meter, and with the price, the observer and the clock of its calls."""

    def __init__(
        self,
        inner: M,
        meter: Meter,
        *,
        price: Price = FREE,
        observe: CallObserver = _ignore,
        clock: Clock = time.monotonic,
    ) -> None:
        self._inner, self._meter, self._price = inner, meter, price
        self._observe, self._clock = observe, clock

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def _run(self, request: Request, ask: Callable[[], R]) -> R:
        """Check the call against the budget; book and report its result."""
        started = self._clock()
        try:
            with self._meter.reserve(estimate(request, self._price)):
                reply = ask()
                usage = reply.usage
                spent = Spending(
                    max(1, usage.calls),
                    usage.prompt_tokens,
                    usage.completion_tokens,
                    reply.latency_s,
                    self._price.of(usage),
                )
                self._meter.add(spent)
        except ModelError as error:
            refused = isinstance(error, BudgetExceededError)
            spent = (
                Spending() if refused else Spending(1, seconds=self._clock() - started, failed=1)
            )
            self._meter.add(spent)
            kind = type(error).__name__
            self._report(CallRecord(self.name, request, None, spent, kind, str(error)))
            raise
        self._report(CallRecord(self.name, request, reply, spent))
        return reply

    def _report(self, record: CallRecord) -> None:
        held = _HELD.get()
        if held is None:
            self._observe(record)
        else:
            held.append(partial(self._observe, record))


class MeteredLanguage(_Metered[LanguageModel], RequestModel):
    """A language model whose calls are counted and capped; otherwise as the inner model."""

    @property
    def capabilities(self) -> Capabilities:
        """The inner model's."""
        return self._inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Ask the inner model, within the budget."""
        return self._run(request, lambda: request.send(self._inner, cancel))


class MeteredVision(_Metered[VisionModel], VisionRequestModel):
    """A vision model whose calls are counted and capped; otherwise as the inner model."""

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Ask the inner model, within the budget."""
        message = Message(Role.USER, request.question, request.images)
        asked = Request((message,), max_tokens=64, seed=request.seed, purpose=LOOK)
        return self._run(asked, lambda: request.send(self._inner, cancel))
