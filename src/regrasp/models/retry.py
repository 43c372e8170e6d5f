"""Retries: jittered back-off that respects the server, and a circuit breaker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from regrasp.models.cancel import CancelToken
from regrasp.models.errors import CircuitOpenError, ModelError

__all__ = ["Breaker", "Clock", "RetryPolicy", "Sleep", "sleep"]

Clock: TypeAlias = Callable[[], float]
"""A monotonic clock, in seconds."""

Sleep: TypeAlias = Callable[[float, CancelToken | None], None]
"""Wait some seconds, or until cancelled."""


def sleep(seconds: float, cancel: CancelToken | None = None) -> None:
    """Wait `seconds` of real time; a cancelled token ends it with CancelledError."""
    (cancel or CancelToken()).wait(seconds)
    if cancel is not None:
        cancel.check()


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often, and after which pause, a request is repeated."""

    attempts: int = 4
    base_s: float = 0.5
    cap_s: float = 20.0

    def pause_s(self, failed: int, retry_after_s: float | None, rng: np.random.Generator) -> float:
        """Seconds to wait after `failed` failures.

        Uniform in [½, 1] · min(cap, base · 2^(failed-1)), so that many clients do not retry at the
        same time; never before the server's own Retry-After.
        """
        backoff = min(self.cap_s, self.base_s * 2.0 ** (failed - 1)) * rng.uniform(0.5, 1.0)
        return float(max(backoff, retry_after_s or 0.0))


class Breaker:
    """Stops sending to a server that keeps failing.

    After `threshold` failed calls in a row every call fails at once for `cooldown_s` seconds; then
    one trial call is allowed. Rejected requests (4xx) are the caller's errors and do not count.
    """

    def __init__(self, clock: Clock, threshold: int = 3, cooldown_s: float = 30.0) -> None:
        self._clock, self._threshold, self._cooldown_s = clock, threshold, cooldown_s
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until = 0.0
        self._last = ""

    def check(self, name: str) -> None:
        """Raise CircuitOpenError while the breaker is open; the next call is a trial."""
        with self._lock:
            left = self._open_until - self._clock()
            if self._failures < self._threshold:
                return
            if left > 0:
                raise CircuitOpenError(
                    f"gave up on {name} after {self._failures} failed calls in a row; the last: "
                    f"{self._last} The next call is tried in {left:.0f} s; fix the server or "
                    "choose another model."
                )
            self._open_until = self._clock() + self._cooldown_s  # others wait for the trial

    def record(self, error: ModelError | None) -> None:
        """Count one call: None for a success."""
        with self._lock:
            if error is None:
                self._failures = 0
            elif error.retryable:
                self._failures += 1
                self._last = str(error)
                if self._failures >= self._threshold:
                    self._open_until = self._clock() + self._cooldown_s
