"""The rules of a repair, one use of a rule, and what a repair knows of a plan's purpose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.action import Action

__all__ = ["PlanPurpose", "Repair", "RepairRule"]


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


@dataclass(frozen=True, slots=True)
class PlanPurpose:
    """What a repair has to know of the purpose of a plan, which its commands do not say.

    `wanted` are groups of names: a command with all names of a group does what the plan is for, and
    where it puts an object is not changed. None if they are not known: then no place is changed.
    `loose` are objects that no one wants in a hand any more: they may be put down, and are not
    taken up again.
    """

    wanted: tuple[frozenset[str], ...] | None = None
    loose: frozenset[str] = frozenset()

    def decides(self, command: Action) -> bool:
        """Whether it matters with which objects the command is done."""
        return self.wanted is None or any(one.issuperset(command.args) for one in self.wanted)
