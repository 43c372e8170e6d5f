"""Means-ends analysis: the few actions before a command that make its precondition true.

The facts that the command needs and that are false are its subgoals; actions that make one of them
true have needs in turn (Newell and Simon, 1963). Only actions at the end of such a chain that can
be done now are tried, in a best-first search over states. Nothing is grounded, so the number of
objects hardly matters; the search is not complete, and its bounds make it quick.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.domains.achievers import Preference
from regrasp.domains.formula import And
from regrasp.domains.partial_state import PartialState
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["Insertion", "MeansEnds"]

_DEEPEST = 4
"""The most links of a chain from a need to an action that can be done."""

_MOST_NODES = 300
"""The most states of one search."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """The actions to do first, and the target that can be done then."""

    inserted: tuple[Action, ...]
    target: Action


@dataclass(frozen=True, slots=True)
class MeansEnds:
    """Finds insertions of at most `max_insertions` actions.

    `cost` gives what an inserted action costs on top of 1; `prefer` orders free choices of objects.
    """

    checker: LogicalChecker
    prefer: Preference
    cost: Callable[[Action], float]
    max_insertions: int = 8

    def find(
        self, targets: Sequence[tuple[Action, float]], state: PartialState
    ) -> Insertion | None:
        """A cheap insertion after which one of the targets can be done; None if none is found.

        Each target comes with what it costs.
        """
        order = itertools.count()
        frontier: list[tuple[float, int, int, float, Action, PartialState, tuple[Action, ...]]] = []

        def push(
            cost: float, target: Action, state: PartialState, path: tuple[Action, ...]
        ) -> None:
            left = self._distance(target, state)
            heapq.heappush(frontier, (cost + left, left, next(order), cost, target, state, path))

        for target, price in targets:
            push(price, target, state, ())
        seen: set[tuple[Action, PartialState]] = set()
        while frontier and len(seen) < _MOST_NODES:
            *_, cost, target, state, path = heapq.heappop(frontier)
            if self.checker.is_possible(target, state):
                return Insertion(path, target)
            if (target, state) in seen or len(path) >= self.max_insertions:
                continue
            seen.add((target, state))
            for action in self._helpful(target, state):
                after = state.after(self.checker.rules, action)
                if (target, after) not in seen:
                    push(cost + 1 + self.cost(action), target, after, (*path, action))
        return None

    def _helpful(self, target: Action, state: PartialState) -> Iterator[Action]:
        """Actions that can be done now and that begin a chain towards the needs of the target."""
        found: set[Action] = set()
        needs = deque((one, 1) for one in self.checker.unmet(target, state))
        seen = {need for need, _ in needs}
        while needs:
            need, depth = needs.popleft()
            for action in self.checker.achievers.actions(need, state, self.prefer):
                if action in found or action.name in self.checker.skills.quantities:
                    continue
                found.add(action)
                if self.checker.is_possible(action, state):
                    yield action
                elif depth < _DEEPEST:
                    further = [n for n in self.checker.unmet(action, state) if n not in seen]
                    seen.update(further)
                    needs.extend((one, depth + 1) for one in further)

    def _distance(self, target: Action, state: PartialState) -> int:
        """The number of parts of the target's precondition that are false."""
        rules = self.checker.rules
        schema, binding = rules.bind(target)
        whole = schema.precondition
        parts = whole.parts if isinstance(whole, And) else (whole,)
        return sum(not state.may_hold(rules, part, binding) for part in parts)
