"""Our own search: shortest plans, proofs that there is none, a bound that is never too high."""

from __future__ import annotations

from collections import deque
from itertools import count, islice

from random_problems import random_tasks

from regrasp.domains.grounding import GroundTask, ground_task
from regrasp.domains.household import household_domain, household_problem
from regrasp.planners.plan_result import PlanningOutcome
from regrasp.planners.search import h_max, search


def distances(task: GroundTask) -> dict[int, int]:
    """Every state that can be reached and the fewest actions to it: plain breadth-first."""
    found, waiting = {task.init: 0}, deque([task.init])
    while waiting:
        state = waiting.popleft()
        for operator in task.operators:
            if operator.precondition.holds(state):
                after = operator.successor(state)
                if after not in found:
                    found[after] = found[state] + 1
                    waiting.append(after)
    return found


def test_plans_are_as_short_as_breadth_first_finds_them() -> None:
    solved = 0
    for domain, problem in islice(random_tasks(seed=3), 40):
        task = ground_task(domain, problem)
        reached = distances(task)
        fewest = min((d for state, d in reached.items() if task.is_goal(state)), default=None)
        found = search(task, seconds=60)
        assert found.solved is (fewest is not None)
        assert len(found.plan) == (fewest or 0)
        solved += found.solved
    assert 10 < solved < 40


def test_the_bound_is_never_more_than_the_actions_that_are_left() -> None:
    for domain, problem in islice(random_tasks(seed=4), 15):
        task = ground_task(domain, problem)
        bound = h_max(task, task.init)
        found = search(task, seconds=60)
        if found.solved:
            assert bound is not None and bound <= len(found.plan)


def test_it_stops_when_its_time_is_over() -> None:
    task = ground_task(household_domain(), household_problem("boil-water"))
    ticks = count()
    found = search(task, seconds=5.0, clock=lambda: float(next(ticks)))
    assert found.outcome is PlanningOutcome.TIMED_OUT and found.message == "no plan in 5 s"
