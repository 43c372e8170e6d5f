"""A time limit for work that is done in many small steps."""

from __future__ import annotations

import time
from collections.abc import Callable

from regrasp.core.errors import RegraspError

__all__ = ["Deadline", "OutOfTimeError"]

_STEPS = 256  # between two looks at the clock, which takes longer than a small step


class OutOfTimeError(RegraspError):
    """The time limit has passed."""


class Deadline:
    """`seconds` from now on; `step` raises OutOfTimeError soon after they have passed."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._end, self._steps = clock() + seconds, 0

    @property
    def left_s(self) -> float:
        """The seconds that are left, at least 0."""
        return max(0.0, self._end - self._clock())

    def step(self) -> None:
        """Count a small step; every few of them, `check`."""
        self._steps += 1
        if self._steps % _STEPS == 0:
            self.check()

    def check(self) -> None:
        """Raise OutOfTimeError if the time has passed."""
        if self._clock() > self._end:
            raise OutOfTimeError(f"no plan in {self._seconds:g} s")
