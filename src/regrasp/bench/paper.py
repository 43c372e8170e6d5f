"""The figures that a paper reports, to be shown beside ours."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Paper", "PaperActions", "PaperDetection"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A rate that a paper reports, the number of episodes, and their mean time if given."""

    rate: float
    episodes: int
    seconds: float | None = None

    def __str__(self) -> str:
        return f"{self.rate:.0%} of {self.episodes}"


@dataclass(frozen=True, slots=True)
class PaperActions:
    """The motion and vision actions that a paper counts for a method, over a number of episodes."""

    method: str
    tasks: tuple[str, ...]
    motions: int
    looks: int
    episodes: int


@dataclass(frozen=True, slots=True)
class PaperDetection:
    """A paper's counts of a monitor's verdicts; "positive" means that nothing was wrong."""

    tp: int
    tn: int
    fp: int
    fn: int
