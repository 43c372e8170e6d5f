"""The timeline of a run: what happened, in order. Each entry comes with its images and model calls.

A trace has an event for every half second of a motion and two for every question. A reader needs
less: a plan, a step, questions to the vision model, a cause, a new plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.event import (
    EVIDENCE_OF,
    AnswerChecked,
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
    RunStarted,
    SkillEnded,
    SkillProgress,
    SkillStarted,
    StepStarted,
    VisionAsked,
)
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Stamp, Trace, TraceEntry
from regrasp.view.timeline_entries import (
    AnsweredQuestion,
    Computation,
    Ending,
    QuestionRound,
    SkillExecution,
    StageSpan,
    StepExecution,
    TimelineEntry,
    What,
    watch,
)

__all__ = ["RunTimeline", "build_timeline"]


@dataclass(frozen=True, slots=True)
class RunTimeline:
    """A run. `last` is where the trace stops, None for a trace with no event at all.

    `of_reward` is a run without an agent: the user gave the robot a reward program.
    """

    started: RunStarted | None
    entries: tuple[TimelineEntry, ...]
    calls: tuple[ModelCalled, ...]
    judged: Judged | None
    ended: RunEnded | None
    first: Stamp | None
    last: Stamp | None
    of_reward: bool

    def wall(self, stamp: Stamp) -> float:
        """Seconds of wall time since the run began."""
        return stamp.wall_s - self.first.wall_s if self.first else 0.0


def build_timeline(trace: Trace) -> RunTimeline:
    """The timeline of a trace, complete or cut short."""
    builder = _TimelineBuilder(trace)
    for entry in trace.entries:
        builder.add(entry)
    builder.settle()
    events, stamps = trace.events, [entry.stamp for entry in trace.entries]
    return RunTimeline(
        next((e for e in events if isinstance(e, RunStarted)), None),
        tuple(draft.entry() for draft in builder.drafts),
        tuple(e for e in events if isinstance(e, ModelCalled)),
        builder.judged,
        next((e for e in reversed(events) if isinstance(e, RunEnded)), None),
        stamps[0] if stamps else None,
        stamps[-1] if stamps else None,
        any(isinstance(e, SkillStarted) for e in events)
        and not any(
            isinstance(e, PlanMade | StepStarted | VisionAsked | ModelCalled) for e in events
        ),
    )


@dataclass(slots=True)
class _MotionDraft:
    action: Action
    progress: list[tuple[float, SkillProgress]] = field(default_factory=list)
    report: SkillReport | None = None

    def motion(self, until_s: float) -> SkillExecution:
        stages: list[StageSpan] = []
        ends = [*(at for at, _ in self.progress[1:]), until_s]
        for (at, event), end in zip(self.progress, ends, strict=False):
            if stages and stages[-1].name == event.stage:
                seconds = stages[-1].seconds + end - at
                stages[-1] = replace(stages[-1], seconds=seconds, last=event.cost)
            else:
                stages.append(StageSpan(event.stage, end - at, event.cost, event.cost))
        return SkillExecution(self.action, tuple(stages), self.report)


@dataclass(slots=True)
class _Draft:
    """An entry under construction."""

    began: Stamp
    ended: Stamp
    what: What
    looks: tuple[ImageTaken, ...]
    calls: list[ModelCalled] = field(default_factory=list)
    questions: list[AnsweredQuestion] = field(default_factory=list)
    watching: ConstraintsWatched | None = None
    motions: list[_MotionDraft] = field(default_factory=list)

    def entry(self) -> TimelineEntry:
        what = self.what
        if isinstance(what, QuestionRound):
            what = replace(what, questions=tuple(self.questions))
        elif self.watching is not None:
            what = watch(self.watching, self.questions)
        elif isinstance(what, StepExecution):
            motions = tuple(draft.motion(self.ended.sim_s) for draft in self.motions)
            what = replace(what, motions=motions)
        return TimelineEntry(self.began, self.ended, what, self.looks, tuple(self.calls))


class _TimelineBuilder:
    """Builds entries from events, in order."""

    def __init__(self, trace: Trace) -> None:
        self.drafts: list[_Draft] = []
        self.judged: Judged | None = None
        checks = (event for event in trace.events if isinstance(event, AnswerChecked))
        self._truths = {(check.question, check.asked_s): check for check in checks}
        self._looks: list[ImageTaken] = []
        self._looks_used = False  # whether an entry has these looks already
        self._evidence: list[ImageTaken] = []  # of the next fact that is computed
        self._moving: _Draft | None = None
        self._watch: _Draft | None = None  # since the last change of the watched constraints
        self._unassigned_calls: list[ModelCalled] = []  # they belong to the next entry

    def add(self, entry: TraceEntry) -> None:
        """Process one event."""
        stamp, event = entry.stamp, entry.event
        match event:
            case ImageTaken(camera=camera) if camera.startswith(EVIDENCE_OF):
                self._evidence.append(event)
            case ImageTaken():
                if self._looks_used:
                    self._looks, self._looks_used = [], False
                self._looks.append(event)
                period = self._watch  # shows the first look of each camera
                if period and event.camera not in {look.camera for look in period.looks}:
                    period.looks = (*period.looks, event)
            case ModelCalled():
                if not self._watched(stamp, event):
                    self._unassigned_calls.append(event)
            case (
                GoalUnderstood()
                | PersonAsked()
                | LayerMessage()
                | Replanned()
                | PlanMade()
                | ConstraintViolated()
                | FeedbackGiven()
                | Disturbed()
                | Remark()
                | Forked()
            ):
                self._open(stamp, event)
            case CommandChecked(feedback=feedback):
                if feedback is not None:
                    self._open(stamp, event)
            case ConstraintsWatched():  # an empty set of constraints ends the watch before it
                self._watch = self._open(stamp, watch(event)) if event.constraints else None
                if self._watch is not None:
                    self._watch.looks, self._watch.watching = (), event
            case StepStarted(step=step, by=by):
                self._open(stamp, StepExecution(step, by))
            case SkillStarted(action=action):
                self._moving = self._step_draft(stamp, action)
                self._moving.motions.append(_MotionDraft(action))
            case SkillProgress() | SkillEnded():
                self._move(stamp, event)
            case FactGrounded():
                self._compute(stamp, event)
            case VisionAsked():
                self._ask(stamp, event)
            case Judged():
                self.judged = event
            case RunEnded():
                self.settle()
                self._open(stamp, Ending(event, self.judged))
        if self.drafts and not isinstance(self.drafts[-1].what, StepExecution):
            self.drafts[-1].ended = stamp

    def settle(self) -> None:
        """Assign calls without a later entry to the entry before them."""
        if self.drafts:
            self.drafts[-1].calls += self._unassigned_calls
            self._unassigned_calls = []

    def _open(self, stamp: Stamp, what: What) -> _Draft:
        """Begin an entry; the model calls since the last entry belong to it."""
        looks = tuple(dict.fromkeys(self._looks))
        if not isinstance(what, QuestionRound):  # of a monitor's many images, keep the newest
            looks = tuple({look.camera: look for look in looks}.values())
        draft = _Draft(stamp, stamp, what, looks, self._unassigned_calls)
        self._looks_used, self._unassigned_calls = True, []
        self.drafts.append(draft)
        return draft

    def _compute(self, stamp: Stamp, event: FactGrounded) -> None:
        """Facts that are computed one after the other, while nothing moves, are one entry."""
        last = self.drafts[-1] if self.drafts else None
        if (
            last is None
            or not isinstance(last.what, Computation)
            or last.began.sim_s != stamp.sim_s
        ):
            last = self._open(stamp, Computation(()))
            last.looks = ()
        assert isinstance(last.what, Computation)
        last.what = Computation((*last.what.facts, event))
        last.looks, self._evidence = (*last.looks, *self._evidence), []

    def _watched(self, stamp: Stamp, call: ModelCalled) -> bool:
        """Assign a call to its watch, if it belongs to one."""
        asked = "".join(call.messages[-1].text.partition("?")[:2]) if call.messages else ""
        if self._watch is None or self._watch.watching is None:
            return False
        if asked not in self._watch.watching.questions:
            return False
        self._watch.calls.append(call)
        answer = VisionAsked("", asked, call.verdict or call.error_kind)
        self._watch.questions.append(self._question(stamp, answer))
        return True

    def _step_draft(self, stamp: Stamp, action: Action) -> _Draft:
        """The step of a skill; a skill without a step becomes a step of its own."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or not isinstance(last.what, StepExecution):
            return self._open(stamp, StepExecution(action.name, "arm"))
        self.settle()
        return last

    def _move(self, stamp: Stamp, event: SkillProgress | SkillEnded) -> None:
        if self._moving is None:
            return
        self._moving.ended, motion = stamp, self._moving.motions[-1]
        if isinstance(event, SkillEnded):
            motion.report, self._moving = event.report, None
        else:
            motion.progress.append((stamp.sim_s, event))

    def _ask(self, stamp: Stamp, event: VisionAsked) -> None:
        draft = self.drafts[-1] if self.drafts else None
        if draft is not None and self._looks_used and draft.what == QuestionRound(event.action, ()):
            self.settle()
        else:  # a new look: earlier calls without an image belong to the entry before
            shown = [
                call for call in self._unassigned_calls if any(m.images for m in call.messages)
            ]
            if draft is not None:
                draft.calls += [call for call in self._unassigned_calls if call not in shown]
                self._unassigned_calls = shown
            draft = self._open(stamp, QuestionRound(event.action, ()))
        draft.questions.append(self._question(stamp, event))

    def _question(self, stamp: Stamp, event: VisionAsked) -> AnsweredQuestion:
        asked = "".join(event.question.partition("?")[:2])
        check = self._truths.get((asked, stamp.sim_s))
        wrong = check is not None and check.truth not in (check.said, "unknown")
        return AnsweredQuestion(
            event.question, event.answer, check.truth if check and wrong else ""
        )
