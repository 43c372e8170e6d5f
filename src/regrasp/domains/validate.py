"""Check that a plan reaches its goal, by simulating it step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import State
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.rules import ActionError, Rules

__all__ = ["Validation", "validate"]


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether the plan is valid; if not, the step (from 1; 0 is the goal) and what is unmet."""

    valid: bool
    states: tuple[State, ...]
    step: int = 0
    unmet: tuple[str, ...] = ()
    message: str = ""

    def __str__(self) -> str:
        return self.message or f"valid in {len(self.states) - 1} steps"


def validate(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Simulate the plan from the initial state; `states` has that one and one more per step."""
    rules, states = Rules.of(domain, problem), [problem.init]
    for number, action in enumerate(plan, 1):
        try:
            unmet = rules.unmet_preconditions(action, states[-1])
        except ActionError as error:
            return Validation(False, tuple(states), number, (), f"step {number}, {error}")
        if unmet:
            said = f"step {number}, {action}, needs {' and '.join(unmet)}, which does not hold."
            return Validation(False, tuple(states), number, unmet, said)
        states.append(rules.successor(states[-1], action))
    unmet = rules.missing(problem.goal, states[-1])
    if unmet:
        said = f"the goal needs {' and '.join(unmet)}, which does not hold at the end."
        return Validation(False, tuple(states), 0, unmet, said)
    return Validation(True, tuple(states))
