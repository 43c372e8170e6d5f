"""Inner Monologue as in DoReMi's paper: check at the end of each step, and plan again.

Wenlong Huang et al.: "Inner Monologue: Embodied Reasoning through Planning with Language Models",
CoRL 2022. A step is a sequence of calls about one object, e.g. pick up a block and place it. It
uses the robot's own report of a failed skill.
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


def inner_monologue(assignment: Assignment) -> Claim:
    """Inner Monologue on any robot."""
    state = execution_state(assignment)
    return InnerMonologue(state, assignment.emit).run(assignment.instruction)


@dataclass(slots=True)
class InnerMonologue:
    """One run."""

    state: ExecutionState
    emit: EventSink
    max_plans: int = 100

    def run(self, instruction: str) -> Claim:
        """Work until the planner has no step left and the inferred literals are seen."""
        state = self.state
        state.look_around()
        for _ in range(self.max_plans):
            plan = state.plan(instruction)
            if isinstance(plan, Declined):
                return Claim(False, plan.why)
            if not plan.calls and self.confirm_done():
                return Claim(True, state.done_so_far)
            all(self.run_step(tuple(step)) for _, step in groupby(plan.calls, key=_first_object))
            if state.stuck:
                return Claim(False, state.stuck)
        return Claim(False, f"none of {self.max_plans} plans reached the goal")

    def run_step(self, step: tuple[Action, ...]) -> bool:
        """Do the calls of a step, then check all constraints; whether all hold."""
        if not all(map(self.act, step)):
            return False
        return self.keep(step[-1], self.state.constraints.literals)

    def keep(self, action: Action, literals: tuple[Literal, ...]) -> bool:
        """Whether one look finds none of `literals` to be false; false ones are recorded."""
        broken = self.state.missing(literals)
        if broken:
            self.state.record_misalignment(CallStatus.DID, action, self.state.constraints, broken)
        return not broken

    def act(self, action: Action) -> bool:
        """Run one skill to its end; whether the robot reports success."""
        self.emit(StepStarted(str(action), "arm"))
        return self.state.run(action).outcome is Outcome.SUCCEEDED

    def confirm_done(self) -> bool:
        """The planner has no step left: whether the inferred literals are seen."""
        state, wait = self.state, self.state.planner.skills.wait_action
        broken = state.missing(state.constraints.inferred) if wait is not None else ()
        if broken and wait is not None:
            state.record_misalignment(CallStatus.STOPPED, wait, state.constraints, broken)
        return not broken


def _first_object(call: Action) -> tuple[str, ...]:
    return call.args[:1]
