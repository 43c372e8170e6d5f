"""Stop a model call from another thread, e.g. when a monitor detects a misalignment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from regrasp.models.errors import CancelledError

__all__ = ["CancelToken"]


class CancelToken:
    """Passed to a call by the code that may want to stop it. Cancelling is final and idempotent."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []
        self.why = ""

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def cancel(self, why: str = "cancelled") -> None:
        """Stop every call that holds this token; `why` is in the error it raises."""
        with self._lock:
            if self._event.is_set():
                return
            self.why = why
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def wait(self, seconds: float) -> bool:
        """Sleep up to `seconds`; True as soon as the token is cancelled."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise CancelledError if the token is cancelled."""
        if self.cancelled:
            raise CancelledError(f"the model call was cancelled: {self.why}")

    @contextmanager
    def on_cancel(self, callback: Callable[[], None]) -> Iterator[None]:
        """Run `callback` (from the cancelling thread) if cancelled inside the block, or already."""
        with self._lock:
            late = self._event.is_set()
            if not late:
                self._callbacks.append(callback)
        if late:
            callback()
        try:
            yield
        finally:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)
