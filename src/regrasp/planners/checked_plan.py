"""A plan of skill calls is simulated before anything moves.

A plan is refused if the precondition of a call is false when its turn comes, or if the goal is not
true at the end, by the rules of the domain from the believed state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import Feedback
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.kept import broken_literals, kept_statement
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.rules import ActionError, Rules
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.planners.classical import plan
from regrasp.planners.goals import goal_condition
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallResult, CallStatus, SkillPlan

__all__ = ["PlanCheck", "RefusedPlan", "denial"]

_DONE = "done()"
"""Stands for the end of a plan, where a call is named."""


@dataclass(frozen=True, slots=True)
class RefusedPlan:
    """The call at which a plan fails, `done()` for its end, and why, in sentences."""

    call: str
    reasons: tuple[str, ...]

    @property
    def result(self) -> CallResult:
        """The refusal as the planner's history shows it."""
        return CallResult(CallStatus.FAILED, self.call, self.reasons)

    @property
    def feedback(self) -> Feedback:
        """The refusal as feedback."""
        return Feedback.refused_plan(f"the plan was refused at {self.call}", self.reasons)


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """Whether plans reach `goal`, in a domain with the objects that the robot knows."""

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    goal: Goal

    def refusal(self, state: State, calls: Sequence[Action]) -> RefusedPlan | None:
        """Why `calls` do not reach the goal from `state`; None if they do."""
        rules = self.skills.rules(self.known)
        for call in calls:
            try:
                reasons = self._obstacles(rules, state, call)
            except ActionError as error:
                reasons = (str(error),)
            if reasons:
                return RefusedPlan(str(call), reasons)
            state = rules.successor(state, call)
        if rules.holds(goal_condition(self.goal, self.skills, self.known), state):
            return None
        return RefusedPlan(_DONE, self._unreached(state))

    def search(self, state: State) -> SkillPlan | Declined:
        """A shortest plan by classical search, or why there is none."""
        condition = goal_condition(self.goal, self.skills, self.known)
        problem = problem_of(self.skills, self.known, state, condition)
        found = plan(self.skills.domain, problem)
        if found.solved:
            return SkillPlan("found by search: the planner's plans were refused", found.plan)
        kept = [kept_statement(self.skills, one) for one in self.skills.kept]
        under = f" if {' and '.join(kept)}" if kept else ""
        return Declined(f"no plan reaches the goal{under} ({found.outcome})")

    def _obstacles(self, rules: Rules, state: State, call: Action) -> tuple[str, ...]:
        """Why a call cannot be done in a state; empty if it can."""
        schema, binding = rules.bind(call)
        if rules.holds(schema.precondition, state, binding):
            return ()
        broken = broken_literals(self.skills, rules, call, state)
        unmet = rules.unmet_literals(schema.precondition, state, binding)
        sentences = (
            *(kept_statement(self.skills, one) for one in broken),
            *(denial(self.skills.lexicon, one) for one in unmet),
        )
        return sentences or rules.missing(schema.precondition, state, binding)

    def _unreached(self, state: State) -> tuple[str, ...]:
        """The parts of the goal that are false, and all parts that have a variable."""
        return tuple(
            f"{denial(self.skills.lexicon, one)} at the end of the plan"
            for one in self.goal.literals
            if any(map(is_variable, one.fact.args)) or (one.fact in state) != one.positive
        )


def denial(lexicon: Lexicon, literal: Literal) -> str:
    """The sentence that a literal is false: `red_cup is not on tray`, `no cup is on tray`."""
    goal = Goal((literal,))
    if not goal.variables:
        return lexicon.statement(literal.opposite)
    word = "no" if literal.positive else "every"
    (named,) = goal.bind({one: f"{word} {variable_kind(one)}" for one in goal.variables}).literals
    return lexicon.statement(Literal(named.fact))
