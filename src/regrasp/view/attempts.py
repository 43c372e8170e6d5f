"""The tree of attempts: each plan of a run, what became of its steps, and why one failed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from regrasp.core.event import FeedbackGiven, Planned
from regrasp.view.moments import Trial
from regrasp.view.story import Story

__all__ = ["Attempt", "Fate", "TriedStep", "attempts"]


class Fate(StrEnum):
    """What became of a step."""

    DONE = "done"
    FAILED = "failed"
    UNDER_WAY = "under way"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class TriedStep:
    """A step of a plan; `moment` is where it stands on the timeline, None if it was never tried.

    `then` are steps that nobody planned: what a look left for the arm to do.
    """

    step: str
    fate: Fate
    moment: int | None = None
    causes: tuple[str, ...] = ()
    then: tuple[TriedStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """A plan and its steps; no plan where a method just acts."""

    plan: Planned | None
    moment: int | None
    steps: tuple[TriedStep, ...]

    @property
    def fate(self) -> Fate:
        """The worst of its steps."""
        fates = {step.fate for top in self.steps for step in (top, *top.then)}
        worst = (Fate.FAILED, Fate.UNDER_WAY, Fate.DONE)
        return next((fate for fate in worst if fate in fates), Fate.NOT_TRIED)


def attempts(story: Story) -> tuple[Attempt, ...]:
    """Every plan in the order in which they were made."""
    starts = [i for i, m in enumerate(story.moments) if isinstance(m.what, Planned)]
    found = [_attempt(story, None, range(starts[0] if starts else len(story.moments)))]
    for start, end in pairwise([*starts, len(story.moments)]):
        found.append(_attempt(story, start, range(start + 1, end)))
    return tuple(attempt for attempt in found if attempt.plan or attempt.steps)


def _attempt(story: Story, start: int | None, within: range) -> Attempt:
    plan = story.moments[start].what if start is not None else None
    assert plan is None or isinstance(plan, Planned)
    waiting = list(plan.steps) if plan else []
    steps: list[TriedStep] = []
    for i in within:
        what = story.moments[i].what
        if isinstance(what, Trial):
            tried = TriedStep(what.step, _fate(story, i, what), i, _causes(story, i))
            if waiting and what.step == waiting[0]:
                waiting.pop(0)
                steps.append(tried)
            elif plan and steps:
                last = steps.pop()
                steps.append(
                    TriedStep(last.step, last.fate, last.moment, last.causes, (*last.then, tried))
                )
            else:
                steps.append(tried)
    steps += [TriedStep(step, Fate.NOT_TRIED) for step in waiting]
    return Attempt(plan, start, tuple(steps))


def _fate(story: Story, index: int, trial: Trial) -> Fate:
    reason = _reason(story, index)
    if trial.failed or reason is not None:
        return Fate.FAILED
    last_of_a_cut_trace = story.ended is None and index + 1 == len(story.moments)
    return Fate.UNDER_WAY if trial.under_way or last_of_a_cut_trace else Fate.DONE


def _causes(story: Story, index: int) -> tuple[str, ...]:
    reason = _reason(story, index)
    return reason.feedback.reasons if reason else ()


def _reason(story: Story, index: int) -> FeedbackGiven | None:
    """What the agent made of the failure of the trial at `index`, before it tried anything else."""
    for moment in story.moments[index + 1 :]:
        if isinstance(moment.what, FeedbackGiven):
            return moment.what
        if isinstance(moment.what, Trial | Planned):
            return None
    return None
