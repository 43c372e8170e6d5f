"""The result of a classical planner: a plan, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.action import Action

__all__ = ["PlanResult", "PlanningOutcome"]


class PlanningOutcome(StrEnum):
    """How a call of a planner ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"  # proven: no plan exists
    TIMED_OUT = "timed_out"
    UNSUPPORTED = "unsupported"  # too large, or beyond what the engine can do
    BROKE = "broke"  # the engine failed, or its plan is not valid


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The outcome, the plan if there is one, the engine, and its message otherwise.

    A plan is a shortest one unless the problem is large. Its actions are the domain's, e.g.
    `grasp_from_in(mug, cabinet)`.
    """

    outcome: PlanningOutcome
    plan: tuple[Action, ...] = ()
    engine: str = ""
    wall_s: float = 0.0
    message: str = ""

    @property
    def solved(self) -> bool:
        """Whether there is a plan (it may be empty: the goal may be met already)."""
        return self.outcome is PlanningOutcome.SOLVED
