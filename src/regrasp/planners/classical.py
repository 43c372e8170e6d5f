"""Classical planning in one function: ground the problem, search with an engine, check the plan."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.domains.deadline import Deadline, OutOfTimeError
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import GroundTask, TooLargeError, ground_task
from regrasp.domains.rules import validate
from regrasp.planners.downward import downward, find_downward
from regrasp.planners.greedy import greedy_search
from regrasp.planners.plan_result import PlanningOutcome, PlanResult
from regrasp.planners.search import search

__all__ = ["ENGINES", "LARGE", "PlanResult", "PlanningOutcome", "plan"]

ENGINES = ("auto", "fast-downward", "search")
"""The search engines; `auto` is Fast Downward where it is installed, else our own search."""

LARGE = 200
"""With more ground actions than this, any plan will do: a shortest one would take too long."""


def plan(
    domain: Domain,
    problem: Problem,
    engine: str = "auto",
    seconds: float = 10.0,
    clock: Callable[[], float] = time.monotonic,
) -> PlanResult:
    """A plan for the problem, or why there is none. The same input gives the same plan.

    It is a shortest plan, except for a problem that is `LARGE`.

    Raises UnknownNameError for an engine that does not exist, and RegraspError for one that is not
    installed. A plan that the validator rejects counts as a failure of the engine. `seconds` covers
    grounding and search.
    """
    began, deadline = clock(), Deadline(seconds, clock)
    find = _engine(engine)
    try:
        task = ground_task(domain, problem, deadline)
    except TooLargeError as error:
        found = PlanResult(PlanningOutcome.UNSUPPORTED, (), engine, message=str(error))
    except OutOfTimeError as error:
        found = PlanResult(PlanningOutcome.TIMED_OUT, (), engine, message=str(error))
    else:
        found = find(task, deadline.left_s)
    if found.solved:
        checked = validate(domain, problem, found.plan)
        if not checked.valid:
            found = replace(found, outcome=PlanningOutcome.BROKE, plan=(), message=str(checked))
    if found.outcome is PlanningOutcome.TIMED_OUT:  # the engine had what grounding left
        found = replace(found, message=f"no plan in {seconds:g} s")
    return replace(found, wall_s=clock() - began)


def _engine(name: str) -> Callable[[GroundTask, float], PlanResult]:
    if name not in ENGINES:
        raise UnknownNameError("engine", name, ENGINES)
    binary = find_downward() if name != "search" else None
    if name == "fast-downward" and binary is None:
        raise RegraspError(
            "Fast Downward is not installed. Run pip install 'regrasp[planning]', or use "
            "the engine 'search'."
        )
    return partial(_find, binary)


def _find(binary: Path | None, task: GroundTask, seconds: float) -> PlanResult:
    shortest = len(task.operators) <= LARGE
    if binary is not None:
        return downward(task, seconds, binary, shortest=shortest)
    return search(task, seconds) if shortest else greedy_search(task, seconds)
