"""An agent's claim about its own result. A judge compares it with the ground truth."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claim"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether the agent believes that the goal is reached, and the reason in one sentence."""

    done: bool
    reason: str = ""

    def __str__(self) -> str:
        return f"{'done' if self.done else 'given up'}{f': {self.reason}' if self.reason else ''}"
