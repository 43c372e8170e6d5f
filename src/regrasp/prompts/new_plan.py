"""A new procedure after a whole plan missed the goal (REPLAN, figure B.18)."""

from __future__ import annotations

from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.plan import PlanPrompt

__all__ = ["new_plan_prompt"]


def new_plan_prompt(
    asked: PlanPrompt, *, did: tuple[str, ...], failed: str = "", why: tuple[str, ...] = ()
) -> PlanPrompt:
    """The question of figure B.2 with the failed plan appended.

    Used where every step worked and the goal is still not reached (`failed` is empty), or where a
    step failed and no cause was found. `why` is the known reason, e.g. `green_apple was not there`.
    """
    return asked.after(FailedAttempt(did, failed, why))
