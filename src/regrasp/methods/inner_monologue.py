"""Inner Monologue as in DoReMi's paper: check at the end of each step, and plan again.

Wenlong Huang et al.: "Inner Monologue: Embodied Reasoning through Planning with Language Models",
CoRL 2022. A step is a sequence of skill calls for one object, e.g. pick up a block and place it.
A failed skill is known from the robot's own report.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, StepStarted
from regrasp.core.fact import Literal
from regrasp.core.outcome import Outcome
from regrasp.methods.method import Assignment
from regrasp.methods.parts import execution_state
from regrasp.monitors.execution_state import ExecutionState
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallStatus

__all__ = ["InnerMonologue", "inner_monologue"]


def inner_monologue(assignment: Assignment, *, check_plan: bool = False) -> Claim:
    """Inner Monologue on any robot; `check_plan` is as in DoReMi."""
    state = execution_state(assignment, check_plan=check_plan)
    return InnerMonologue(state, assignment.emit).run(assignment.instruction)


@dataclass(slots=True)
class InnerMonologue:
    """One run of the method; it gives up after `max_plans` plans."""

    state: ExecutionState
    emit: EventSink
    max_plans: int = 100

    def run(self, instruction: str) -> Claim:
        """Plan and act until no step is left and the vision model confirms the inferred facts."""
        state = self.state
        state.look_around()
        for _ in range(self.max_plans):
            plan = state.plan(instruction)
            if isinstance(plan, Declined):
                return Claim(False, plan.why)
            if not plan.calls and self.confirm_done():
                return state.claim_done()
            all(self.run_step(tuple(step)) for _, step in groupby(plan.calls, key=_first_object))
            if state.failure_reason:
                return Claim(False, state.failure_reason)
        return Claim(False, f"none of {self.max_plans} plans reached the goal")

    def run_step(self, step: tuple[Action, ...]) -> bool:
        """Run the calls of a step, then check all constraints. Returns whether all hold."""
        if not all(map(self.act, step)):
            return False
        return self.check(step[-1], self.state.constraints.literals)

    def check(self, action: Action, literals: tuple[Literal, ...]) -> bool:
        """Look once and record the `literals` that are false. Returns whether there are none."""
        violated = self.state.missing(literals)
        if violated:
            self.state.record_misalignment(CallStatus.DID, action, self.state.constraints, violated)
        return not violated

    def act(self, action: Action) -> bool:
        """Run one skill to its end. Returns whether the robot reports success."""
        self.emit(StepStarted(str(action), "arm"))
        return self.state.run(action).outcome is Outcome.SUCCEEDED

    def confirm_done(self) -> bool:
        """Whether the vision model confirms the inferred facts, once no step is left."""
        state, wait = self.state, self.state.planner.skills.wait_action
        violated = state.missing(state.constraints.inferred) if wait is not None else ()
        if violated and wait is not None:
            state.record_misalignment(CallStatus.STOPPED, wait, state.constraints, violated)
        return not violated


def _first_object(call: Action) -> tuple[str, ...]:
    return call.args[:1]
