"""What the robot found impossible during a run, so that no plan repeats it.

There are two kinds. A robot that says *before* it moves why it cannot do an action gives a rule for
the domain (`restricted`). An action that fails again and again in the same believed state has a
cause that nobody knows, a hidden constraint: from that state a plan begins with another action,
because in another state it may work (`plan`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.refused_action import RefusedAction
from regrasp.core.robot import SkillReport
from regrasp.domains.domain import Problem
from regrasp.domains.refused_actions import (
    BEGINNING,
    IMPOSSIBLE,
    refused_action,
    still_valid,
    with_beginning,
    without_refused,
)
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.planners.classical import PlanResult, plan

__all__ = ["RefusalMemory"]


@dataclass(slots=True)
class RefusalMemory:
    """What was refused with one of `codes` and still counts.

    After `patience` failures of an action in one state, no plan from there begins with it.
    """

    codes: frozenset[FailureCode] = IMPOSSIBLE
    patience: float = math.inf
    failed: tuple[RefusedAction, ...] = ()
    _states: dict[RefusedAction, State] = field(default_factory=dict)
    _failures: dict[tuple[Action, State], float] = field(default_factory=dict)

    def learn(
        self, skills: SkillDomain, action: Action, report: SkillReport, earlier: State
    ) -> bool:
        """Remember a refused complete action; whether the robot refused it, so nothing moved."""
        if report.outcome is Outcome.SUCCEEDED:
            self.failed = still_valid(self.failed, action)
            return False
        self._failures[action, earlier] = self._failures.get((action, earlier), 0) + 1
        if report.feedback is None or report.code not in self.codes:
            return False
        refused = refused_action(skills, action, report.feedback, earlier)
        self.failed += (refused,)
        self._states[refused] = earlier
        return True

    def in_state(self, state: State) -> tuple[RefusedAction, ...]:
        """What was refused in this very state: nothing at all has changed since."""
        return tuple(one for one in self.failed if self._states.get(one) == state)

    def restricted(
        self, skills: SkillDomain, problem: Problem, known: Iterable[ObjectDescription]
    ) -> tuple[SkillDomain, Problem]:
        """The domain and the problem without what was refused."""
        found = without_refused(skills, self.failed, known)
        constants = set(found.domain.constants)
        objects = tuple(one for one in problem.objects if one not in constants)
        return found, replace(problem, objects=objects)

    def plan(
        self, skills: SkillDomain, problem: Problem, known: Iterable[ObjectDescription]
    ) -> PlanResult:
        """A shortest plan that repeats nothing: neither what was refused, nor at its beginning
        what kept failing in this state. Without such a plan, what kept failing is tried again.

        It rather begins with something about the objects of what kept failing, or about those that
        they have to do with, such as the place where they are.
        """
        known = tuple(known)
        domain, task = self.restricted(skills, problem, known)
        for barred in self._barred_first(skills.rules(known), problem.init):
            first = tuple(RefusedAction(action, (BEGINNING,)) for action in barred)
            begun = replace(self, failed=(*self.failed, *first))
            other, marked = begun.restricted(with_beginning(skills), problem, known)
            found = plan(other.domain, replace(marked, init=marked.init | {BEGINNING}))
            if found.plan:
                self._failures[found.plan[0], problem.init] = math.inf  # a detour, tried once
                return found
        return plan(domain.domain, task)

    def _barred_first(self, rules: Rules, state: State) -> Iterator[list[Action]]:
        """What may not come first, in the order of preference; nothing if nothing kept failing."""
        failed = [a for (a, s), n in self._failures.items() if s == state and n >= self.patience]
        if not failed:
            return
        possible = list(_applicable(rules, state))
        failed += [one for one in possible if rules.successor(state, one) == state]
        about = {name for action in failed for name in action.args}
        about |= {name for fact in state if about & set(fact.args) for name in fact.args}
        yield [*failed, *(one for one in possible if not about & set(one.args))]
        yield failed


def _applicable(rules: Rules, state: State) -> Iterator[Action]:
    """Every action whose precondition holds in the state."""
    for schema in rules.domain.actions:
        for binding in rules.bindings(schema.parameters):
            if rules.holds(schema.precondition, state, binding):
                yield Action(schema.name, tuple(binding.values()))
