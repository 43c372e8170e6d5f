"""Classical planning in one function: ground the problem, search with an engine, check the plan."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.domains.deadline import Deadline, OutOfTimeError
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.grounding import GroundTask, TooLargeError, ground_task
from regrasp.domains.rules import validate
from regrasp.planners.downward import downward, find_downward
from regrasp.planners.plan_result import PlanningOutcome, PlanResult
from regrasp.planners.search import search

__all__ = ["ENGINES", "PlanResult", "PlanningOutcome", "plan"]

ENGINES = ("auto", "fast-downward", "search")
"""The search engines; `auto` is Fast Downward where it is installed, else our own search."""


def plan(
    domain: Domain,
    problem: Problem,
    engine: str = "auto",
    seconds: float = 10.0,
    clock: Callable[[], float] = time.monotonic,
) -> PlanResult:
    """A shortest plan for the problem, or why there is none. The same input gives the same plan.

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
    if binary is None:
        return search
    return lambda task, seconds: downward(task, seconds, binary)
