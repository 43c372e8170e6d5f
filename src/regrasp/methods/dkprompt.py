"""DKPROMPT: the preconditions and effects of a planning domain become questions for a vision model.

Xiaohan Zhang, Zainab Altaweel, Yohei Hayamizu, Yan Ding, Saeid Amiri, Hao Yang, Andy Kaminski, Chad
Esselink, Shiqi Zhang: "DKPROMPT: Domain Knowledge Prompting Vision-Language Models for Open-World
Planning", 2024. docs/methods/dkprompt.md compares the algorithm with this file.

The vision model is asked about the preconditions before an action and about its effects after it.
The answers update the believed state, and a classical planner plans again from there. The questions
are a pair of checks (`dkprompt_checks`): the paper's baselines and ablations are other pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal as OneOf

from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, PlanMade, StepStarted
from regrasp.core.execution import run_skill
from regrasp.core.fact import Literal, State
from regrasp.core.goal import Goal
from regrasp.core.robot import Robot
from regrasp.domains.domain import Problem
from regrasp.domains.lexicon import Access
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.methods.dkprompt_checks import (
    Check,
    ask_affordance,
    check_effects,
    check_preconditions,
    success,
)  # fmt: skip
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment
from regrasp.methods.parts import fact_observer
from regrasp.perception.beliefs import BayesianBelief, BeliefRule, first_answer
from regrasp.perception.facts import FactObserver
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.classical import PlanResult
from regrasp.planners.goals import goal_condition
from regrasp.planners.refusal_memory import RefusalMemory

__all__ = ["DKPrompt", "dkprompt"]

_CHECKS: Mapping[str, Check | None] = {
    "preconditions": check_preconditions,
    "affordance": ask_affordance,
    "effects": check_effects,
    "success": success,
    "nothing": None,
}


def dkprompt(
    assignment: Assignment,
    *,
    before: OneOf["preconditions", "affordance", "nothing"] = "preconditions",
    after: OneOf["effects", "success", "nothing"] = "effects",
    belief: OneOf["crisp", "bayes"] = "crisp",
    seen: tuple[str, ...] = (),
) -> Claim:
    """DKPROMPT on any robot, its ablations and its baselines: which checks are done, and when.

    `seen` are predicates that the vision model is asked about although the domain assumes them.
    """
    robot, emit, known = assignment.robot, assignment.emit, assignment.robot.knowledge()
    if assignment.goal is None:
        again = partial(dkprompt, before=before, after=after, belief=belief, seen=seen)
        return follow_instruction(assignment, again, look_at_end=False)
    domain = assignment.domain.with_access(Access.SEEN, *seen)
    believe: BeliefRule = BayesianBelief() if belief == "bayes" else first_answer
    facts = fact_observer(replace(assignment, domain=domain))
    estimate = StateBelief(facts, domain, domain.rules(known), believe)
    goal = goal_condition(assignment.goal, domain, known)
    problem = problem_of(domain, known, domain.init, goal)
    method = DKPrompt(robot, problem, domain, estimate, emit, _CHECKS[before], _CHECKS[after])
    method.memory.patience = 2 if belief == "bayes" else math.inf
    claim = method.run(assignment.instruction)
    kinds = {one.name: one.kind for one in known}
    return replace(claim, seen=claim.done and _goal_seen(assignment.goal, facts, kinds))


@dataclass(slots=True)
class DKPrompt:
    """One run on `problem`; `max_plan_changes` counts changes in a row before an action."""

    robot: Robot
    problem: Problem
    domain: SkillDomain
    estimate: StateBelief
    emit: EventSink
    before: Check | None = None
    after: Check | None = None
    max_actions: int = 50  # or three times the first plan, where that is more
    max_plan_changes: int = 6
    memory: RefusalMemory = field(default_factory=RefusalMemory)

    def run(self, instruction: str) -> Claim:
        """Work until the goal is believed to be reached, or no plan is left."""
        state = earlier = self.estimate.observe_start(self.problem.init)
        steps = self.plan(instruction, state)
        acted, doubts, most = 0, 0, max(self.max_actions, 3 * len(steps.plan))
        while steps.solved and steps.plan and acted < most:
            action = steps.plan[0]
            if self.before is not None and doubts < self.max_plan_changes:
                found = self.before(self.estimate, action, state, earlier)
                if found != state:
                    state, doubts = found, doubts + 1
                    steps = self.plan(instruction, state)
                    continue
            self.emit(StepStarted(self.domain.describe(action), "arm"))
            self.estimate.facts.forget()
            call = self.domain.skill if self.memory.failed else self.domain.open_skill
            report = run_skill(self.robot, call(action))
            action = self.domain.chosen(action, report.action)
            acted, doubts, earlier = acted + 1, 0, state
            found = state = self.estimate.rules.successor(state, action)
            if self.after is not None:
                found = self.after(self.estimate, action, state, earlier)
                found = self.estimate.learn_from_report(report, action, found, earlier)
                refused = self.memory.learn(self.domain, action, report, earlier)
                found = earlier if refused else found
            steps = replace(steps, plan=steps.plan[1:])
            if found != state or not steps.plan:
                state = found
                steps = self.plan(instruction, state)
        if not steps.solved:
            return Claim(False, f"no plan from what is believed now ({steps.outcome})")
        done = not steps.plan
        reason = f"after {acted} actions" + ("" if done else ", the most there may be")
        return Claim(done, reason, believed=state)

    def plan(self, instruction: str, state: State) -> PlanResult:
        """A shortest plan from the believed state that repeats nothing the robot refused."""
        problem, known = replace(self.problem, init=state), self.robot.knowledge()
        found = self.memory.plan(self.domain, problem, known)
        steps = tuple(map(self.domain.describe, found.plan))
        thought = f"{len(steps)} actions to go" if found.solved else f"planner: {found.outcome}"
        thought = thought if steps or not found.solved else "nothing to do"
        self.emit(PlanMade(instruction, thought, steps))
        return found


def _goal_seen(goal: Goal, facts: FactObserver, kinds: Mapping[str, str]) -> bool:
    """Whether every literal of the goal was confirmed after the last action."""
    found = goal.witness(lambda fact: facts.confirmed(Literal(fact)), kinds)
    return found is not None and all(map(facts.confirmed, goal.bind(found).literals))
