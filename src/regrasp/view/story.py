"""A trace as a story: moments on a timeline, each with its images and model calls.

A trace has an event for every half second of a motion and two for every question. A reader needs
less: a plan, a step, questions to the vision model, a cause, a new plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.event import (
    AnswerChecked,
    ConstraintsWatched,
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
    RunStarted,
    SkillEnded,
    SkillProgress,
    SkillStarted,
    StepStarted,
    VisionAsked,
)
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Stamp, Trace, TraceEntry
from regrasp.view.moments import (
    Ending,
    ModelCall,
    Moment,
    QuestionRound,
    SkillExecution,
    StageSpan,
    StepExecution,
    What,
)
from regrasp.view.watch import AnsweredQuestion, watch

__all__ = ["Story", "build_story"]


@dataclass(frozen=True, slots=True)
class Story:
    """A run. `last` is where the trace stops, None for a trace with no event at all.

    `of_reward` is a run without an agent: the user gave the robot a reward program.
    """

    started: RunStarted | None
    moments: tuple[Moment, ...]
    calls: tuple[ModelCall, ...]
    judged: Judged | None
    ended: RunEnded | None
    first: Stamp | None
    last: Stamp | None
    of_reward: bool

    def wall(self, stamp: Stamp) -> float:
        """Seconds of wall time since the run began."""
        return stamp.wall_s - self.first.wall_s if self.first else 0.0


def build_story(trace: Trace) -> Story:
    """The story of a trace, complete or cut short."""
    teller = _StoryBuilder(_truths(trace))
    for entry in trace.entries:
        teller.add(entry)
    teller.settle()
    events, stamps = trace.events, [entry.stamp for entry in trace.entries]
    return Story(
        next((e for e in events if isinstance(e, RunStarted)), None),
        tuple(draft.moment() for draft in teller.drafts),
        tuple(teller.calls),
        teller.judged,
        next((e for e in reversed(events) if isinstance(e, RunEnded)), None),
        stamps[0] if stamps else None,
        stamps[-1] if stamps else None,
        any(isinstance(e, SkillStarted) for e in events)
        and not any(
            isinstance(e, PlanMade | StepStarted | VisionAsked | ModelCalled) for e in events
        ),
    )


def _truths(trace: Trace) -> Mapping[tuple[str, float], AnswerChecked]:
    """The true answers by question and time; the trace holds them at its end."""
    checks = (event for event in trace.events if isinstance(event, AnswerChecked))
    return {(check.question, check.asked_s): check for check in checks}


@dataclass(slots=True)
class _MotionDraft:
    action: Action
    progress: list[tuple[float, SkillProgress]] = field(default_factory=list)
    report: SkillReport | None = None

    def motion(self, until_s: float) -> SkillExecution:
        stages: list[StageSpan] = []
        for i, (at, event) in enumerate(self.progress):
            end = self.progress[i + 1][0] if i + 1 < len(self.progress) else until_s
            if stages and stages[-1].name == event.stage:
                before = stages.pop()
                stages.append(
                    StageSpan(event.stage, before.seconds + end - at, before.first, event.cost)
                )
            else:
                stages.append(StageSpan(event.stage, end - at, event.cost, event.cost))
        return SkillExecution(self.action, tuple(stages), self.report)


@dataclass(slots=True)
class _Draft:
    """A moment under construction."""

    began: Stamp
    ended: Stamp
    what: What
    looks: tuple[ImageTaken, ...]
    calls: list[ModelCall] = field(default_factory=list)
    questions: list[AnsweredQuestion] = field(default_factory=list)
    watching: ConstraintsWatched | None = None
    motions: list[_MotionDraft] = field(default_factory=list)

    def moment(self) -> Moment:
        what = self.what
        if isinstance(what, QuestionRound):
            what = QuestionRound(what.action, tuple(self.questions))
        elif self.watching is not None:
            what = watch(self.watching, self.questions)
        elif isinstance(what, StepExecution):
            motions = tuple(draft.motion(self.ended.sim_s) for draft in self.motions)
            what = StepExecution(what.step, what.by, motions)
        return Moment(self.began, self.ended, what, self.looks, tuple(self.calls))


class _StoryBuilder:
    """Builds moments from events, in order."""

    def __init__(self, truths: Mapping[tuple[str, float], AnswerChecked]) -> None:
        self.drafts: list[_Draft] = []
        self.calls: list[ModelCall] = []
        self.judged: Judged | None = None
        self._truths = truths
        self._looks: list[ImageTaken] = []
        self._looks_told = False  # whether a moment has these looks already
        self._moving: _Draft | None = None
        self._watch: _Draft | None = None  # since the last change of the watched constraints
        self._loose: list[ModelCall] = []  # calls that belong to no moment yet

    def add(self, entry: TraceEntry) -> None:
        """Process one event."""
        stamp, event = entry.stamp, entry.event
        match event:
            case ImageTaken():
                if self._looks_told:
                    self._looks, self._looks_told = [], False
                self._looks.append(event)
                self._show(event)
            case ModelCalled():
                self.calls.append(ModelCall(stamp, event))
                if not self._watched(self.calls[-1]):
                    self._loose.append(self.calls[-1])
            case (
                PlanMade()
                | ConstraintViolated()
                | FeedbackGiven()
                | Disturbed()
                | Remark()
                | Forked()
            ):
                self._open(stamp, event)
            case ConstraintsWatched():  # an empty set of constraints ends the watch before it
                self._watch = self._open(stamp, watch(event)) if event.constraints else None
                if self._watch is not None:
                    self._watch.looks, self._watch.watching = (), event
            case StepStarted(step=step, by=by):
                self._open(stamp, StepExecution(step, by))
            case SkillStarted(action=action):
                self._moving = self._trial(stamp, action)
                self._moving.motions.append(_MotionDraft(action))
            case SkillProgress() | SkillEnded():
                self._move(stamp, event)
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
        """Assign calls without a later moment to the moment before them."""
        if self.drafts:
            self.drafts[-1].calls += self._loose
            self._loose = []

    def _open(self, stamp: Stamp, what: What) -> _Draft:
        """Begin a moment; the model calls since the last moment belong to it."""
        looks = tuple(dict.fromkeys(self._looks))
        if not isinstance(
            what, QuestionRound
        ):  # a monitor takes many images: only the newest are kept
            looks = tuple({look.camera: look for look in looks}.values())
        draft = _Draft(stamp, stamp, what, looks, self._loose)
        self._looks_told, self._loose = True, []
        self.drafts.append(draft)
        return draft

    def _show(self, look: ImageTaken) -> None:
        """Show the first look of each camera under a watch."""
        shown = self._watch
        if shown is not None and look.camera not in {one.camera for one in shown.looks}:
            shown.looks = (*shown.looks, look)

    def _watched(self, call: ModelCall) -> bool:
        """Assign a call to its watch, if it belongs to one."""
        message = call.event.messages[-1] if call.event.messages else None
        asked = "".join(message.text.partition("?")[:2]) if message else ""
        if self._watch is None or self._watch.watching is None:
            return False
        if asked not in self._watch.watching.questions:
            return False
        self._watch.calls.append(call)
        answer = VisionAsked("", asked, call.event.verdict or call.event.error_kind)
        self._watch.questions.append(self._question(call.stamp, answer))
        return True

    def _trial(self, stamp: Stamp, action: Action) -> _Draft:
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
        if draft is not None and self._looks_told and draft.what == QuestionRound(event.action, ()):
            self.settle()
        else:  # a new look: earlier calls without an image belong to the moment before
            shown = [call for call in self._loose if any(m.images for m in call.event.messages)]
            if draft is not None:
                draft.calls += [call for call in self._loose if call not in shown]
                self._loose = shown
            draft = self._open(stamp, QuestionRound(event.action, ()))
        draft.questions.append(self._question(stamp, event))

    def _question(self, stamp: Stamp, event: VisionAsked) -> AnsweredQuestion:
        asked = "".join(event.question.partition("?")[:2])
        check = self._truths.get((asked, stamp.sim_s))
        wrong = check is not None and check.truth not in (check.said, "unknown")
        return AnsweredQuestion(
            event.question, event.answer, check.truth if check and wrong else ""
        )
