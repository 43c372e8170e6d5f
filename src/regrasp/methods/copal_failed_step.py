"""The steps of a CoPAL plan: a command as it was read, and one that could not be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode, Feedback

__all__ = ["FailedStep", "PlanStep"]

PlanStep: TypeAlias = tuple[str, Action | Feedback]
"""A command as it was written, and as it was read."""


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A command of the plan, and why it could not be done.

    If that was found before anything moved, `valid` are the commands that can be done before it.
    """

    command: str
    feedback: Feedback
    valid: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.command}: {self.feedback.error} {self.feedback.reason}".strip()

    @property
    def stopped(self) -> bool:
        """Whether it was cancelled from outside: then no other plan is wanted."""
        return self.feedback.code is FailureCode.CANCELLED
