"""An agent's claim about its own result. A judge compares it with the ground truth."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from regrasp.core.fact import State

__all__ = ["Claim", "ClaimResult"]


class ClaimResult(StrEnum):
    """What an agent claims; what nobody could see is never claimed as seen."""

    SEEN = "done and seen"
    NOT_SEEN = "done, not seen"
    NOT_DONE = "not done"


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether the agent believes that the goal is reached, and the reason in one sentence.

    `seen` is true only if every part of the goal was seen to be true at the end. `believed` is the
    state that the agent believes in then, for whoever goes on from there.
    """

    done: bool
    reason: str = ""
    seen: bool = False
    believed: State | None = field(default=None, compare=False, repr=False)

    @property
    def result(self) -> ClaimResult:
        """The claim in one of three words."""
        if not self.done:
            return ClaimResult.NOT_DONE
        return ClaimResult.SEEN if self.seen else ClaimResult.NOT_SEEN

    def __str__(self) -> str:
        return f"{self.result}{f': {self.reason}' if self.reason else ''}"
