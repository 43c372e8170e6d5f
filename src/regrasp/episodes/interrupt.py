"""Ctrl-C as a flag that the loop reads, so that it never interrupts a write."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Self

__all__ = ["Interrupt"]


class Interrupt:
    """While it is open, the first Ctrl-C only sets `pressed`; the second one interrupts as usual.

    It does nothing outside the main thread, or where another handler of Ctrl-C is installed.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._ours = False

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._press)
            self._ours = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._ours = False

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
