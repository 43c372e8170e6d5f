"""The person who gave an instruction: an agent may ask back which reading is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Nobody", "Person"]


class Person(Protocol):
    """Someone who can be asked."""

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """The index of the option that is meant, or None if none is, or nobody answers."""
        ...


class Nobody:
    """Nobody is there: every question stays without an answer."""

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """See `Person`."""
        return None
