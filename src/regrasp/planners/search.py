"""A* over ground states: for tiny problems, and for machines without a planning engine.

The lower bound h_max (Bonet and Geffner, 2001, "Planning as heuristic search") is the number of
rounds until the goal is met if nothing is ever deleted. It never overestimates, so the first plan
found is a shortest one; where it finds the goal unreachable, there is no plan from that state.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable

from regrasp.core.action import Action
from regrasp.domains.grounding import GroundTask, Operator, relaxed
from regrasp.planners.plan_result import PlanningOutcome, PlanResult

__all__ = ["NAME", "path_to", "search"]

NAME = "search"


def search(
    task: GroundTask, seconds: float, clock: Callable[[], float] = time.monotonic
) -> PlanResult:
    """A shortest plan, or the proof that there is none, within `seconds`."""
    deadline, order = clock() + seconds, itertools.count()
    late = PlanResult(PlanningOutcome.TIMED_OUT, (), NAME, message=f"no plan in {seconds:g} s")
    previous: dict[int, tuple[int, Operator] | None] = {task.init: None}
    cost = {task.init: 0}
    frontier = [(0, next(order), task.init)]
    closed: set[int] = set()
    while frontier:
        _, _, state = heapq.heappop(frontier)
        if task.is_goal(state):
            return PlanResult(PlanningOutcome.SOLVED, path_to(previous, state), NAME)
        if clock() > deadline:
            return late
        if state in closed:
            continue
        closed.add(state)
        for operator in task.operators:
            if not operator.precondition.holds(state):
                continue
            after, steps = operator.successor(state), cost[state] + 1
            if after in cost and cost[after] <= steps:
                continue
            if clock() > deadline:  # the bound below takes as long as all operators together
                return late
            left = h_max(task, after)
            if left is not None:
                cost[after], previous[after] = steps, (state, operator)
                heapq.heappush(frontier, (steps + left, next(order), after))
    return PlanResult(PlanningOutcome.UNSOLVABLE, (), NAME, message="every state was looked at")


def h_max(task: GroundTask, state: int) -> int | None:
    """The lower bound h_max on the actions from a state to the goal; None if it is unreachable."""
    for rounds, (true, false) in enumerate(
        relaxed(task.operators, state, task.fluent_mask & ~state)
    ):
        if any(conjunction.possible(true, false) for conjunction in task.goal):
            return rounds
    return None


def path_to(previous: dict[int, tuple[int, Operator] | None], state: int) -> tuple[Action, ...]:
    """The actions on the way to a state, given the state and operator before each."""
    actions = []
    while (step := previous[state]) is not None:
        state, operator = step
        actions.append(operator.action)
    return tuple(reversed(actions))
