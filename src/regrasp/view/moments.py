"""The moments on the timeline of a run: plans, steps, questions, watches, alarms, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.event import (
    ConstraintViolated,
    Disturbed,
    FeedbackGiven,
    Forked,
    ImageTaken,
    Judged,
    ModelCalled,
    PlanMade,
    Remark,
    RunEnded,
)
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Stamp
from regrasp.view.watch import AnsweredQuestion, WatchPeriod

__all__ = [
    "Ending",
    "ModelCall",
    "Moment",
    "QuestionRound",
    "SkillExecution",
    "StageSpan",
    "StepExecution",
    "What",
]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A model call, and when it ended."""

    stamp: Stamp
    event: ModelCalled


@dataclass(frozen=True, slots=True)
class StageSpan:
    """A stage of a motion: its duration, and its error at the start and at the end."""

    name: str
    seconds: float
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class SkillExecution:
    """A run of a skill; `report` is None if the trace stops before it ended."""

    action: Action
    stages: tuple[StageSpan, ...]
    report: SkillReport | None


@dataclass(frozen=True, slots=True)
class StepExecution:
    """A step that was run by the arm or the camera, with its motions."""

    step: str
    by: str
    motions: tuple[SkillExecution, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether one of its motions did not succeed."""
        reports = (motion.report for motion in self.motions)
        return any(report and report.outcome is not Outcome.SUCCEEDED for report in reports)

    @property
    def under_way(self) -> bool:
        """Whether the trace stops during this step."""
        return any(motion.report is None for motion in self.motions)


@dataclass(frozen=True, slots=True)
class QuestionRound:
    """Questions about one view of the scene: a scan, a step, its failure, or the goal."""

    action: str
    questions: tuple[AnsweredQuestion, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the run ended by the agent's claim, and by the judge's verdict if there was a judge."""

    ended: RunEnded
    judged: Judged | None


What: TypeAlias = (
    PlanMade
    | StepExecution
    | QuestionRound
    | WatchPeriod
    | ConstraintViolated
    | FeedbackGiven
    | Disturbed
    | Remark
    | Forked
    | Ending
)
"""A kind of moment."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry of the timeline: start and end, the images taken, and the model calls."""

    began: Stamp
    ended: Stamp
    what: What
    looks: tuple[ImageTaken, ...]
    calls: tuple[ModelCall, ...]
