"""Greedy search with the FF heuristic: a plan for large problems, seldom a shortest one.

The heuristic is the number of actions of a plan that ignores all deletions (Hoffmann and Nebel,
2001, "The FF planning system"). A state gets the value of its parent until it is expanded itself.
Those that the relaxed plan's first actions lead to are in a queue of their own, which has
priority: lazy greedy search with preferred operators (Helmert, 2006).
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from regrasp.domains.grounding import Conjunction, GroundTask, Operator
from regrasp.planners.plan_result import PlanningOutcome, PlanResult
from regrasp.planners.search import NAME, path_to

__all__ = ["RelaxedPlanner", "greedy_search"]

_EVERY = 12  # of so many expansions, one is of a state that no preferred action led to

Step: TypeAlias = tuple[int, Operator] | None
"""The state before, and the operator."""


def greedy_search(
    task: GroundTask, seconds: float, clock: Callable[[], float] = time.monotonic
) -> PlanResult:
    """Some plan, or the proof that there is none, within `seconds`."""
    deadline, order, heuristic = clock() + seconds, itertools.count(), RelaxedPlanner(task)
    previous: dict[int, Step] = {}
    preferred: list[tuple[int, int, int, Step]] = [(0, next(order), task.init, None)]
    others: list[tuple[int, int, int, Step]] = []
    for number in itertools.count(1):
        if not preferred and not others:
            break
        queue = others if others and (not preferred or number % _EVERY == 0) else preferred
        _, _, state, came_by = heapq.heappop(queue)
        if state in previous:
            continue
        previous[state] = came_by
        if task.is_goal(state):
            return PlanResult(PlanningOutcome.SOLVED, path_to(previous, state), NAME)
        if clock() > deadline:
            message = f"no plan in {seconds:g} s"
            return PlanResult(PlanningOutcome.TIMED_OUT, (), NAME, message=message)
        relaxed = heuristic.plan(state)
        if relaxed is None:
            continue
        length, helpful = relaxed
        for index, operator in enumerate(task.operators):
            if operator.precondition.holds(state):
                after = operator.successor(state)
                if after not in previous:
                    queue = preferred if index in helpful else others
                    heapq.heappush(queue, (length, next(order), after, (state, operator)))
    return PlanResult(PlanningOutcome.UNSOLVABLE, (), NAME, message="every state was looked at")


class RelaxedPlanner:
    """Plans for a task as if nothing that is true or false ever ceased to be.

    Bit i set is the literal 2i, bit i clear 2i + 1. Each change of an operator is a rule: when all
    its literals have been reached, so are its effects.
    """

    def __init__(self, task: GroundTask) -> None:
        self._goals = [list(_literals(goal)) for goal in task.goal]
        self._fluent = [bit.bit_length() - 1 for bit in _bits(task.fluent_mask)]
        wanted = {one for goal in self._goals for one in goal}
        rules: list[tuple[int, list[int], list[int]]] = []
        for index, operator in enumerate(task.operators):
            first = list(_literals(operator.precondition))
            for change in operator.changes:
                needs = list(dict.fromkeys((*first, *_literals(change.when))))
                rules.append(
                    (index, needs, list(_literals(Conjunction(change.adds, change.deletes))))
                )
                wanted.update(needs)
        self._operator = [index for index, _, _ in rules]
        self._needs = [needs for _, needs, _ in rules]
        self._effects = [[one for one in effects if one in wanted] for _, _, effects in rules]
        self._at_once = [number for number, needs in enumerate(self._needs) if not needs]
        self._users: list[list[int]] = [[] for _ in range(2 * len(task.facts) + 2)]
        for number, needs in enumerate(self._needs):
            for literal in needs:
                self._users[literal].append(number)

    def plan(self, state: int) -> tuple[int, frozenset[int]] | None:
        """The number of operators in a relaxed plan, and those of them that are possible now.

        None if even the relaxed problem has no plan.
        """
        made_by: dict[int, int] = {2 * b + (not state >> b & 1): -1 for b in self._fluent}
        missing = [len(needs) for needs in self._needs]
        layer, ready = list(made_by), list(self._at_once)
        first: frozenset[int] | None = None
        while not any(all(one in made_by for one in goal) for goal in self._goals):
            for literal in layer:
                for rule in self._users[literal]:
                    missing[rule] -= 1
                    if not missing[rule]:
                        ready.append(rule)
            first = frozenset(ready) if first is None else first
            layer = []
            for rule in ready:
                for literal in self._effects[rule]:
                    if literal not in made_by:
                        made_by[literal] = rule
                        layer.append(literal)
            ready = []
            if not layer:
                return None
        return self._extract(made_by, first or frozenset())

    def _extract(
        self, made_by: dict[int, int], first: frozenset[int]
    ) -> tuple[int, frozenset[int]]:
        goal = next(goal for goal in self._goals if all(one in made_by for one in goal))
        waiting, seen, rules = list(goal), set(goal), set[int]()
        while waiting:
            rule = made_by[waiting.pop()]
            if rule >= 0 and rule not in rules:
                rules.add(rule)
                new = [one for one in self._needs[rule] if one not in seen]
                seen.update(new)
                waiting += new
        used = {self._operator[rule] for rule in rules}
        return len(used), frozenset(self._operator[rule] for rule in rules & first)


def _literals(conjunction: Conjunction) -> Iterator[int]:
    yield from (2 * (bit.bit_length() - 1) for bit in _bits(conjunction.true))
    yield from (2 * (bit.bit_length() - 1) + 1 for bit in _bits(conjunction.false))


def _bits(mask: int) -> Iterator[int]:
    """The lowest bit of the mask, the next, …, each as a power of two."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low
