"""What a paper reports, to stand beside what we measure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Paper", "PaperActions", "PaperDetection"]


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper reports: a rate, over so many episodes, and their mean time where it has one."""

    rate: float
    episodes: int
    seconds: float | None = None

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


@dataclass(frozen=True, slots=True)
class PaperDetection:
    """How a paper counts a monitor's verdicts; "positive" is that nothing was wrong."""

    tp: int
    tn: int
    fp: int
    fn: int
