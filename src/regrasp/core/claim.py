"""What an agent says of its own work, for a judge to hold against the truth."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claim"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether the agent thinks that the goal is reached, and why in a sentence."""

    done: bool
    reason: str = ""

    def __str__(self) -> str:
        return f"{'done' if self.done else 'given up'}{f': {self.reason}' if self.reason else ''}"
