"""DoReMi: constraints are checked while a skill runs; a violation stops it and changes the plan.

Yanjiang Guo, Yen-Jen Wang, Lihan Zha, Jianyu Chen: "DoReMi: Grounding Language Model by Detecting
and Recovering from Plan-Execution Misalignment", IROS 2024, Algorithm 1. docs/methods/doremi.md
compares the two. The paper's baselines are files of their own: `saycan`, `inner_monologue`,
`cliport`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, Remark, StepStarted
from regrasp.core.execution import start_skill
from regrasp.core.outcome import Outcome
from regrasp.methods.method import Assignment
from regrasp.methods.parts import execution_state
from regrasp.monitors.constraints import ConstraintSchedule, ConstraintSet, RejectedConstraint
from regrasp.monitors.detectors import ConsecutiveDetector, ShiryaevDetector, ViolationDetector
from regrasp.monitors.execution_state import ExecutionState
from regrasp.monitors.monitored_run import Violation, run_monitored
from regrasp.prompts.constraints import Proposal
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallStatus

__all__ = ["Doremi", "doremi"]


def doremi(
    assignment: Assignment,
    *,
    detector: OneOf["streak", "single", "odds", "log_only"] = "streak",
    proposes: bool = False,
    period_s: float = 0.1,
    check_plan: bool = False,
    as_in_paper: bool = False,
) -> Claim:
    """DoReMi on any robot.

    `detector` is the rule that stops a skill: four answers of no in a row as in the paper
    ("streak"), one ("single"), or Shiryaev's rule ("odds"). With "log_only" no answer stops a
    skill, so that any rule can be applied to the logged answers afterwards. `proposes` lets the
    language model add constraints. With `check_plan`, a plan that does not reach the goal of the
    assignment in the domain is refused before anything moves. `as_in_paper` counts every no,
    however unsure, and never looks at the end of a skill or of the plan; both are ours.
    """
    rules: Mapping[str, ViolationDetector] = {
        "streak": ConsecutiveDetector(4),
        "single": ConsecutiveDetector(1),
        "odds": ShiryaevDetector(alarm_threshold=0.9, doubt_threshold=0.5),
        "log_only": ConsecutiveDetector(sys.maxsize),
    }
    state = execution_state(assignment, rules[detector], period_s, check_plan)
    if as_in_paper:
        state.monitor.min_confidence, state.monitor.checks_at_ends = 0.0, False
    return Doremi(state, assignment.emit, proposes).run(assignment.instruction)


@dataclass(slots=True)
class Doremi:
    """One run. `state.planner` is the language model of the pseudo-code, `state.monitor` its
    constraint detector.
    """

    state: ExecutionState
    emit: EventSink
    propose_constraints: bool = False
    max_plans: int = 100

    def run(self, instruction: str) -> Claim:
        """Work until the planner has no step left and no constraint is in doubt."""
        state = self.state
        state.look_around()
        for _ in range(self.max_plans):
            plan = state.plan(instruction)  # line 3
            if isinstance(plan, Declined):
                return Claim(False, plan.why)
            if not plan.calls and self.confirm_done():
                return state.claim_done()
            all(map(self.act, plan.calls))  # lines 4 to 13: up to the first misalignment
            if state.failure_reason:
                return Claim(False, state.failure_reason)
        return Claim(False, f"none of {self.max_plans} plans reached the goal")

    def act(self, action: Action) -> bool:
        """Lines 5 to 12: one skill under its constraints; whether it succeeded."""
        state = self.state
        self.emit(StepStarted(str(action), "arm"))
        proposal = state.planner.constraints(action) if self.propose_constraints else Proposal()
        watched = self.add_proposed(state.constraints, proposal.during)
        run = start_skill(state.robot, state.planner.skills.skill(action))
        ended = run_monitored(run, state.monitor, watched.schedule(action))
        if isinstance(ended, Violation):
            effects_there = ended.after_effect
            base = state.constraints.after(action) if effects_there else state.after_attempt(action)
            stopped = ended.report.outcome is not Outcome.SUCCEEDED
            how = CallStatus.STOPPED if stopped else CallStatus.DID
            state.record_misalignment(how, action, base, ended.violated)
            return False
        if ended.outcome is not Outcome.SUCCEEDED:
            state.record_failure(action, ended)
            return False
        state.completed(action)
        state.constraints = self.add_proposed(state.constraints, proposal.after)
        return True

    def confirm_done(self) -> bool:
        """The planner has no step left: whether no constraint is in doubt either.

        Inferred literals are looked at too. If one is in doubt, the robot waits and checks for
        longer.
        """
        state, monitor = self.state, self.state.monitor
        wait, inferred = state.planner.skills.wait_action, state.constraints.inferred
        if wait is None or not monitor.checks_at_ends:
            return True
        schedule = ConstraintSchedule(
            tuple(dict.fromkeys((*state.constraints.literals, *inferred)))
        )
        monitor.watch(schedule.before_release)
        broken = monitor.check_if_due()
        if not broken and (monitor.in_doubt or state.missing(inferred)):
            ended = run_monitored(start_skill(state.robot, wait), monitor, schedule)
            broken = ended.violated if isinstance(ended, Violation) else monitor.in_doubt
        if broken:
            state.record_misalignment(CallStatus.STOPPED, wait, state.constraints, broken)
        return not broken

    def add_proposed(self, constraints: ConstraintSet, sentences: tuple[str, ...]) -> ConstraintSet:
        """The constraints with the model's proposals; a rejected one is recorded as a remark."""
        for sentence in sentences:
            wider = constraints.with_proposed(sentence)
            if isinstance(wider, RejectedConstraint):
                self.emit(Remark(str(wider)))
            else:
                constraints = wider
        return constraints
