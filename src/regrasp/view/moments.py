"""What can stand on the timeline of a run: plans, steps that were tried, looks, alarms, the end."""

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
    """A call of a model, and when it was over."""

    stamp: Stamp
    event: ModelCalled


@dataclass(frozen=True, slots=True)
class StageSpan:
    """A stage of a motion: how long it took, and what was left of it at first and at last."""

    name: str
    seconds: float
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class SkillExecution:
    """A skill of the robot's; no report if the trace stops before it ended."""

    action: Action
    stages: tuple[StageSpan, ...]
    report: SkillReport | None


@dataclass(frozen=True, slots=True)
class StepExecution:
    """A step that was tried, by the arm or the eyes, with the motions it came to."""

    step: str
    by: str
    motions: tuple[SkillExecution, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a motion of it ended otherwise than well."""
        reports = (motion.report for motion in self.motions)
        return any(report and report.outcome is not Outcome.SUCCEEDED for report in reports)

    @property
    def under_way(self) -> bool:
        """Whether the trace stops in the middle of it."""
        return any(motion.report is None for motion in self.motions)


@dataclass(frozen=True, slots=True)
class QuestionRound:
    """Questions about one look: for a scan, for a step or its failure, or for the goal."""

    action: str
    questions: tuple[AnsweredQuestion, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the run ended by the agent's word, and by the judge's if there was one."""

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
"""What can stand on a timeline."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something on the timeline: from when to when, what was in sight, what models were asked."""

    began: Stamp
    ended: Stamp
    what: What
    looks: tuple[ImageTaken, ...]
    calls: tuple[ModelCall, ...]
