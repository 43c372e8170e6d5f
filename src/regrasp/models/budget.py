"""Budgets and usage: calls, tokens, seconds and money, per episode and per run.

A cap is hard: a call that could exceed it is not made, and the error gives the cap and the usage so
far. For tokens and money, the check uses the most that the call can cost (its prompt, estimated
high, and `n` times `max_tokens`) and includes calls that run at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields

from regrasp.models.errors import BadRequestError, BudgetExceededError
from regrasp.models.language import Request, Usage
from regrasp.models.wire import estimate_tokens

__all__ = ["FREE", "Budget", "Meter", "Price", "Spending", "estimate"]

_TOKENS_PER_IMAGE = 1500  # what hosted models charge for a camera picture, on the high side
_TOKENS_PER_MESSAGE = 8  # the marks of a chat template


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens, in and out. We ship no prices: they change."""

    usd_per_million_prompt: float = 0.0
    usd_per_million_completion: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Price:
        """Read `IN,OUT`, dollars per million tokens."""
        try:
            prompt, completion = (float(part) for part in text.split(","))
        except ValueError:
            prompt = completion = -1.0
        if min(prompt, completion) < 0:
            raise BadRequestError(
                f"{text!r} is no price; give dollars per million tokens in and out, e.g. 2.5,10."
            )
        return cls(prompt, completion)

    def of(self, usage: Usage) -> float:
        """The cost of this usage, in dollars."""
        prompt = usage.prompt_tokens * self.usd_per_million_prompt
        return (prompt + usage.completion_tokens * self.usd_per_million_completion) / 1e6


FREE = Price()
"""A model on this machine."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Usage. `failed` counts the calls that ended in an error; they are in `calls` too."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    usd: float = 0.0
    failed: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Spending) -> Spending:
        return Spending(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __sub__(self, other: Spending) -> Spending:
        return Spending(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))

    def __str__(self) -> str:
        failed = f" ({self.failed} failed)" if self.failed else ""
        return (
            f"{self.calls} calls{failed}, {self.prompt_tokens} + {self.completion_tokens} tokens, "
            f"{self.seconds:.1f} s, ${self.usd:.4f}"
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """Caps; None is no cap."""

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    usd: float | None = None


def estimate(request: Request, price: Price = FREE) -> Spending:
    """The most one request can cost, for `--dry-run` and for the caps; seconds are not known."""
    prompt = sum(estimate_tokens(m.content) + _TOKENS_PER_MESSAGE for m in request.messages)
    usage = Usage(prompt + _TOKENS_PER_IMAGE * len(request.images), request.n * request.max_tokens)
    return Spending(1, usage.prompt_tokens, usage.completion_tokens, 0.0, price.of(usage))


class Meter:
    """Adds up usage, for itself and for the outer meter it belongs to.

    `Meter(Budget(usd=5))` for a run, `Meter(Budget(calls=40), within=run)` for each episode: a call
    must fit both. Safe from several threads.
    """

    def __init__(self, budget: Budget | None = None, within: Meter | None = None) -> None:
        self.budget, self._within = budget or Budget(), within
        self._lock = threading.Lock()
        self._spent, self._reserved = Spending(), Spending()

    @property
    def spent(self) -> Spending:
        """The usage so far."""
        with self._lock:
            return self._spent

    @contextmanager
    def reserve(self, most: Spending) -> Iterator[None]:
        """Reserve `most` while a call runs, or raise BudgetExceededError if it does not fit."""
        with self._lock:
            self._check(most)
            self._reserved += most
        try:
            with self._within.reserve(most) if self._within is not None else nullcontext():
                yield
        finally:
            with self._lock:
                self._reserved -= most

    def add(self, spent: Spending) -> None:
        """Book the actual cost of a call."""
        with self._lock:
            self._spent += spent
        if self._within is not None:
            self._within.add(spent)

    def _check(self, most: Spending) -> None:
        used = self._spent + self._reserved
        for name in ("calls", "tokens", "seconds", "usd"):
            cap, have, need = (getattr(x, name) for x in (self.budget, used, most))
            if cap is not None and (have + need > cap or have >= cap):
                raise BudgetExceededError(
                    f"the budget of {cap:g} {name} is reached: {have:g} used, and the next call "
                    f"may take {need:g} more. In all: {self._spent}. Raise the cap to go on."
                )
