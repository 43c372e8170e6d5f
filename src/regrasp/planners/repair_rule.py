"""The rules of a repair, and one use of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.action import Action

__all__ = ["Repair", "RepairRule"]


class RepairRule(StrEnum):
    """Why a command of a repaired plan differs from the plan."""

    LEAVE_OUT = "leave out"  # what the command is for is already true, or it was done before
    SUBSTITUTE = "substitute"  # the same with another object: where the bottle stands, a free hand
    MAKE_TRUE = "make true"  # inserted: makes a fact true that the command needs
    FREE_HAND = "free a hand"  # inserted: puts down what a hand holds
    OPEN = "open"  # inserted: opens what has to be open
    CLOSE_AGAIN = "close again"  # inserted: closes what the repair opened
    TAKE_BACK = "take back"  # inserted: takes up again what the repair put down


@dataclass(frozen=True, slots=True)
class Repair:
    """One use of a rule: for the command with this index in the plan, and what came of it.

    `action` is what was inserted or substituted, or the command that was left out.
    """

    rule: RepairRule
    index: int
    action: Action

    def __str__(self) -> str:
        return f"command {self.index + 1}: {self.rule}: {self.action}"
