"""What a paper reports, to stand beside what we measure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Paper", "PaperActions"]


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper reports: a rate, over so many episodes."""

    rate: float
    episodes: int

    def __str__(self) -> str:
        return f"{self.rate:.0%} of {self.episodes}"


@dataclass(frozen=True, slots=True)
class PaperActions:
    """How many motion and vision actions a paper counts for a method, over so many episodes."""

    method: str
    tasks: tuple[str, ...]
    motions: int
    looks: int
    episodes: int
