"""SayCan as in DoReMi's paper: the language model plans once over skills, without any check.

Michael Ahn et al.: "Do As I Can, Not As I Say: Grounding Language in Robotic Affordances", CoRL
2022.
"""

from __future__ import annotations

from regrasp.core.claim import Claim
from regrasp.core.event import StepStarted
from regrasp.core.execution import run_skill
from regrasp.methods.method import Assignment
from regrasp.methods.parts import execution_state
from regrasp.prompts.parsing import Declined

__all__ = ["saycan"]


def saycan(assignment: Assignment, *, check_plan: bool = False) -> Claim:
    """Plan once; every skill is assumed to succeed. `check_plan` is as in DoReMi."""
    state = execution_state(assignment, check_plan=check_plan)
    state.look_around()
    plan = state.plan(assignment.instruction)
    if isinstance(plan, Declined):
        return Claim(False, plan.why)
    for action in plan.calls:
        assignment.emit(StepStarted(str(action), "arm"))
        run_skill(assignment.robot, assignment.domain.skill(action))
        state.monitor.skill_ended()
        state.completed(action)
    return state.claim_done()
