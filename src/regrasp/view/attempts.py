"""The tree of attempts: each plan of a run, the result of each step, and why one failed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from regrasp.core.event import FeedbackGiven, PlanMade
from regrasp.view.moments import StepExecution
from regrasp.view.story import Story

__all__ = ["PlanAttempt", "StepAttempt", "StepStatus", "attempts"]


class StepStatus(StrEnum):
    """The result of a step."""

    DONE = "done"
    FAILED = "failed"
    UNDER_WAY = "under way"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class StepAttempt:
    """A step of a plan; `moment` is where it stands on the timeline, None if it was never tried.

    `then` are steps that no plan contained: actions that followed from a look.
    """

    step: str
    fate: StepStatus
    moment: int | None = None
    causes: tuple[str, ...] = ()
    then: tuple[StepAttempt, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanAttempt:
    """A plan and its steps; `plan` is None if the method acts without one."""

    plan: PlanMade | None
    moment: int | None
    steps: tuple[StepAttempt, ...]

    @property
    def fate(self) -> StepStatus:
        """The status of the worst step."""
        fates = {step.fate for top in self.steps for step in (top, *top.then)}
        worst = (StepStatus.FAILED, StepStatus.UNDER_WAY, StepStatus.DONE)
        return next((fate for fate in worst if fate in fates), StepStatus.NOT_TRIED)


def attempts(story: Story) -> tuple[PlanAttempt, ...]:
    """Every plan in the order in which they were made."""
    starts = [i for i, m in enumerate(story.moments) if isinstance(m.what, PlanMade)]
    found = [_attempt(story, None, range(starts[0] if starts else len(story.moments)))]
    for start, end in pairwise([*starts, len(story.moments)]):
        found.append(_attempt(story, start, range(start + 1, end)))
    return tuple(attempt for attempt in found if attempt.plan or attempt.steps)


def _attempt(story: Story, start: int | None, within: range) -> PlanAttempt:
    plan = story.moments[start].what if start is not None else None
    assert plan is None or isinstance(plan, PlanMade)
    waiting = list(plan.steps) if plan else []
    steps: list[StepAttempt] = []
    for i in within:
        what = story.moments[i].what
        if isinstance(what, StepExecution):
            tried = _step(story, i, what)
            if waiting and what.step == waiting[0]:
                waiting.pop(0)
                steps.append(tried)
            elif plan and steps:
                steps[-1] = replace(steps[-1], then=(*steps[-1].then, tried))
            else:
                steps.append(tried)
    steps += [StepAttempt(step, StepStatus.NOT_TRIED) for step in waiting]
    return PlanAttempt(plan, start, tuple(steps))


def _step(story: Story, index: int, trial: StepExecution) -> StepAttempt:
    reason = _reason(story, index)
    last_of_a_cut_trace = story.ended is None and index + 1 == len(story.moments)
    fate = StepStatus.UNDER_WAY if trial.under_way or last_of_a_cut_trace else StepStatus.DONE
    if trial.failed or reason is not None:
        fate = StepStatus.FAILED
    return StepAttempt(trial.step, fate, index, reason.feedback.reasons if reason else ())


def _reason(story: Story, index: int) -> FeedbackGiven | None:
    """The agent's feedback on the failed step at `index`, given before the next step."""
    for moment in story.moments[index + 1 :]:
        if isinstance(moment.what, FeedbackGiven):
            return moment.what
        if isinstance(moment.what, StepExecution | PlanMade):
            return None
    return None
