"""A new plan after a step failed, with the causes that were found (REPLAN, figure B.13)."""

from __future__ import annotations

from regrasp.core.errors import RegraspError
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.plan import PlanPrompt

__all__ = ["MOST_REASONS", "replan_prompt"]

MOST_REASONS = 2
"""The most causes of one failure that a planner's prompt lists."""


def replan_prompt(
    asked: PlanPrompt,
    *,
    did: tuple[str, ...],
    failed: str,
    reasons: tuple[str, ...],
    robot: str = "",
) -> PlanPrompt:
    """The question of figure B.2 with the failed step and its causes appended.

    `did` are the steps that worked before it, `robot` the controller's own report of the failure
    (empty where the planner gets only the fact that it failed).
    """
    if not failed:
        raise RegraspError("a replan needs the step that failed; use new_plan_prompt otherwise.")
    return asked.after(FailedAttempt(did, failed, reasons[:MOST_REASONS], robot))
