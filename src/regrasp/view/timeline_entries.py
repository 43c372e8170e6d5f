"""The entries on the timeline of a run: the goal, plans, steps, questions, alarms, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.event import (
    CommandChecked,
    ConstraintsWatched,
    ConstraintViolated,
    Disturbed,
    FactGrounded,
    FeedbackGiven,
    Forked,
    GoalUnderstood,
    ImageTaken,
    Judged,
    LayerMessage,
    ModelCalled,
    PersonAsked,
    PlanMade,
    Remark,
    Replanned,
    RunEnded,
)
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Stamp

__all__ = [
    "AnsweredQuestion",
    "Computation",
    "Ending",
    "QuestionRound",
    "SkillExecution",
    "StageSpan",
    "StepExecution",
    "TimelineEntry",
    "WatchPeriod",
    "Watched",
    "What",
    "watch",
]


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
class AnsweredQuestion:
    """A question to the vision model and its answer; `truth` is the true answer if it differs."""

    text: str
    answer: str
    truth: str = ""


@dataclass(frozen=True, slots=True)
class QuestionRound:
    """Questions about one view of the scene: a scan, a step, its failure, or the goal."""

    action: str
    questions: tuple[AnsweredQuestion, ...]


@dataclass(frozen=True, slots=True)
class Computation:
    """Facts that were computed from depth, joints or a map at one time."""

    facts: tuple[FactGrounded, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """A constraint, its question, how often each answer came, and how many of them were wrong."""

    constraint: str
    question: str
    answers: tuple[tuple[str, int], ...] = ()
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class WatchPeriod:
    """The time between two changes of the watched constraints."""

    watched: tuple[Watched, ...]

    @property
    def asked(self) -> int:
        """The number of questions."""
        return sum(count for one in self.watched for _, count in one.answers)


def watch(event: ConstraintsWatched, asked: Iterable[AnsweredQuestion] = ()) -> WatchPeriod:
    """A watch with the questions asked during it."""
    found, watched = tuple(asked), []
    for constraint, question in zip(event.constraints, event.questions, strict=False):
        answers = [one for one in found if one.text == question]
        counts = tuple(Counter(one.answer for one in answers).items())
        wrong = sum(bool(one.truth) for one in answers)
        watched.append(Watched(constraint, question, counts, wrong))
    return WatchPeriod(tuple(watched))


@dataclass(frozen=True, slots=True)
class Ending:
    """How the run ended by the agent's claim, and by the judge's verdict if there was a judge."""

    ended: RunEnded
    judged: Judged | None


What: TypeAlias = (
    GoalUnderstood
    | PersonAsked
    | LayerMessage
    | CommandChecked
    | Replanned
    | PlanMade
    | StepExecution
    | QuestionRound
    | Computation
    | WatchPeriod
    | ConstraintViolated
    | FeedbackGiven
    | Disturbed
    | Remark
    | Forked
    | Ending
)
"""A kind of entry."""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An entry of the timeline: start and end, the images taken, and the model calls."""

    began: Stamp
    ended: Stamp
    what: What
    looks: tuple[ImageTaken, ...]
    calls: tuple[ModelCalled, ...]
