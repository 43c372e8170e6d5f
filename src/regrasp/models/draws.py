"""Draw numbers: the same request asked again is a new draw with its own number."""

from __future__ import annotations

import threading
from collections import Counter

__all__ = ["DrawCounter"]


class DrawCounter:
    """Counts, safely from several threads, how often each key has been seen: 0, 1, 2, …"""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: Counter[str] = Counter()

    def next(self, key: str) -> int:
        """The index of this draw of `key`."""
        with self._lock:
            index = self._seen[key]
            self._seen[key] += 1
            return index
