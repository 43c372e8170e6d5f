"""The actions before a command, found by classical search: a shortest plan to its precondition.

It is complete and knows no preferences. It grounds the whole domain for every command that it
mends, which takes long with many objects; unknown facts count as false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.domains.formula import Or, substitute
from regrasp.domains.partial_state import PartialState
from regrasp.domains.skill_domain import problem_of
from regrasp.planners.classical import plan
from regrasp.planners.means_ends import Insertion
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["PreconditionSearch"]


@dataclass(frozen=True, slots=True)
class PreconditionSearch:
    """Finds insertions with a classical planner (`planners.classical.ENGINES`)."""

    checker: LogicalChecker
    engine: str = "auto"
    seconds: float = 10.0
    max_insertions: int = 8

    def find(
        self, targets: Sequence[tuple[Action, float]], state: PartialState
    ) -> Insertion | None:
        """A shortest insertion after which one of the targets can be done; None if none exists."""
        skills, rules = self.checker.skills, self.checker.rules
        bound = [rules.bind(target) for target, _ in targets]
        goal = Or(tuple(substitute(schema.precondition, names) for schema, names in bound))
        problem = problem_of(skills, self.checker.known, state.true, goal)
        found = plan(skills.domain, problem, self.engine, self.seconds)
        if not found.solved or len(found.plan) > self.max_insertions:
            return None
        if any(one.name in skills.quantities for one in found.plan):
            return None
        for action in found.plan:
            state = state.after(rules, action)
        possible = (one for one, _ in targets if self.checker.is_possible(one, state))
        target = next(possible, None)
        return None if target is None else Insertion(found.plan, target)
