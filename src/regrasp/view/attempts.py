"""The tree of attempts: each plan of a run, the result of each step, and why one failed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from regrasp.core.event import FeedbackGiven, PlanMade
from regrasp.view.run_timeline import RunTimeline
from regrasp.view.timeline_entries import StepExecution

__all__ = ["PlanAttempt", "StepAttempt", "StepStatus", "attempts"]

_WORD = re.compile(r"\w+")


class StepStatus(StrEnum):
    """The result of a step."""

    DONE = "done"
    FAILED = "failed"
    UNDER_WAY = "under way"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class StepAttempt:
    """A step of a plan; `entry` is where it stands on the timeline, None if it was never tried.

    `then` are steps that no plan contained: actions that followed from a look.
    """

    step: str
    status: StepStatus
    entry: int | None = None
    causes: tuple[str, ...] = ()
    then: tuple[StepAttempt, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanAttempt:
    """A plan and its steps; `plan` is None if the method acts without one."""

    plan: PlanMade | None
    entry: int | None
    steps: tuple[StepAttempt, ...]

    @property
    def status(self) -> StepStatus:
        """The status of the worst step."""
        statuses = {step.status for top in self.steps for step in (top, *top.then)}
        worst = (StepStatus.FAILED, StepStatus.UNDER_WAY, StepStatus.DONE)
        return next((status for status in worst if status in statuses), StepStatus.NOT_TRIED)


def attempts(run: RunTimeline) -> tuple[PlanAttempt, ...]:
    """Every plan in the order in which they were made."""
    starts = [i for i, m in enumerate(run.entries) if isinstance(m.what, PlanMade)]
    found = [_attempt(run, None, range(starts[0] if starts else len(run.entries)))]
    for start, end in pairwise([*starts, len(run.entries)]):
        found.append(_attempt(run, start, range(start + 1, end)))
    return tuple(attempt for attempt in found if attempt.plan or attempt.steps)


def _attempt(run: RunTimeline, start: int | None, within: range) -> PlanAttempt:
    plan = run.entries[start].what if start is not None else None
    assert plan is None or isinstance(plan, PlanMade)
    waiting = list(plan.steps) if plan else []
    steps: list[StepAttempt] = []
    for i in within:
        what = run.entries[i].what
        if isinstance(what, StepExecution):
            attempt = _step(run, i, what)
            if waiting and _says(what.step, waiting[0]):
                waiting.pop(0)
                steps.append(attempt)
            elif plan and steps:
                steps[-1] = replace(steps[-1], then=(*steps[-1].then, attempt))
            else:
                steps.append(attempt)
    steps += [StepAttempt(step, StepStatus.NOT_TRIED) for step in waiting]
    return PlanAttempt(plan, start, tuple(steps))


def _says(step: str, planned: str) -> bool:
    """Whether a step is the planned one, also as `get gin from shelf` for `get(gin, shelf)`."""
    said = iter(_WORD.findall(step))
    return step == planned or all(word in said for word in _WORD.findall(planned))


def _step(run: RunTimeline, index: int, execution: StepExecution) -> StepAttempt:
    reason = _reason(run, index)
    last_of_a_cut_trace = run.ended is None and index + 1 == len(run.entries)
    status = StepStatus.UNDER_WAY if execution.under_way or last_of_a_cut_trace else StepStatus.DONE
    if execution.failed or reason is not None:
        status = StepStatus.FAILED
    return StepAttempt(execution.step, status, index, reason.feedback.reasons if reason else ())


def _reason(run: RunTimeline, index: int) -> FeedbackGiven | None:
    """The agent's feedback on the failed step at `index`, given before the next step."""
    for entry in run.entries[index + 1 :]:
        if isinstance(entry.what, FeedbackGiven):
            return entry.what
        if isinstance(entry.what, StepExecution | PlanMade):
            return None
    return None
