"""CLIPort as in DoReMi's paper: a step whose effects are not seen at its end is repeated.

Mohit Shridhar, Lucas Manuelli, Dieter Fox: "CLIPort: What and Where Pathways for Robotic
Manipulation", CoRL 2021. As in DoReMi's paper, the language model gives it the steps of the plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.methods.inner_monologue import InnerMonologue
from regrasp.methods.method import Assignment
from regrasp.methods.parts import execution_state
from regrasp.prompts.parsing import Declined

__all__ = ["Cliport", "cliport"]


def cliport(assignment: Assignment, *, check_plan: bool = False) -> Claim:
    """CLIPort on any robot; `check_plan` is as in DoReMi."""
    state = execution_state(assignment, check_plan=check_plan)
    return Cliport(InnerMonologue(state, assignment.emit)).run(assignment.instruction)


@dataclass(slots=True)
class Cliport:
    """One run. `executor` runs skills and checks."""

    executor: InnerMonologue
    max_plans: int = 100
    max_repeats: int = 100

    def run(self, instruction: str) -> Claim:
        """Work until the planner has no step left, or a step fails too often."""
        state = self.executor.state
        state.look_around()
        for _ in range(self.max_plans):
            plan = state.plan(instruction)
            if isinstance(plan, Declined):
                return Claim(False, plan.why)
            if not plan.calls:
                return state.claim_done()
            steps = groupby(plan.calls, key=lambda call: call.args[:1])
            aligned = all(self.repeat_step(tuple(step)) for _, step in steps)
            if state.failure_reason:
                return Claim(False, state.failure_reason)
            if not aligned:
                return Claim(False, f"a step missed {self.max_repeats} times")
        return Claim(False, f"none of {self.max_plans} plans reached the goal")

    def repeat_step(self, step: tuple[Action, ...]) -> bool:
        """Repeat a step until a look finds its effects."""
        executor, state = self.executor, self.executor.state
        for _ in range(self.max_repeats):
            if all(map(executor.act, step)):
                effects = state.constraints.effects(step[-1])
                watched = tuple(one for one in state.constraints.literals if one in effects)
                if executor.check(step[-1], watched):
                    return True
            if state.failure_reason:
                return False
        return False
