"""The timeline of a run as HTML: the goal, plans, steps, questions, causes, and the end."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.event import (
    SCAN,
    CommandChecked,
    ConstraintViolated,
    Disturbed,
    FactGrounded,
    FeedbackGiven,
    Forked,
    GoalUnderstood,
    LayerMessage,
    PersonAsked,
    PlanMade,
    Remark,
    Replanned,
)
from regrasp.view.calls import model_calls
from regrasp.view.descriptions import measured, sentences, span, summarise_run
from regrasp.view.html import Child, Html, el, join
from regrasp.view.layers import change_of, layer_feedback
from regrasp.view.pictures import Pictures
from regrasp.view.run_timeline import RunTimeline
from regrasp.view.timeline_entries import (
    AnsweredQuestion,
    Computation,
    Ending,
    QuestionRound,
    SkillExecution,
    StageSpan,
    StepExecution,
    TimelineEntry,
    Watched,
    WatchPeriod,
    What,
)
from regrasp.view.understood import options_of_question, reading_of_instruction

__all__ = ["headline", "timeline"]

_WORD = 12  # characters; a longer answer is shown under its question
_WALL_TITLE = "the wall's clock, from the start of the run"


def timeline(run: RunTimeline, pictures: Pictures) -> Html:
    """All entries in order, each a `<li>` with its time on both clocks."""
    return el(
        "ol",
        [_entry(run, i, entry, pictures) for i, entry in enumerate(run.entries)],
        id="timeline",
    )


def headline(entry: TimelineEntry) -> str:
    """An entry in a few words."""
    match entry.what:
        case GoalUnderstood(words=words):
            return words
        case PersonAsked(question=question):
            return question
        case LayerMessage(text=text):
            return text
        case CommandChecked(command=command) | Replanned(command=command):
            return command
        case PlanMade(steps=steps):
            return "; ".join(steps) or "nothing to do"
        case StepExecution(step=step):
            return step
        case QuestionRound(action=action):
            return "what is in sight" if action == SCAN else action
        case Computation(facts=facts):
            return "; ".join(one.fact if one.true else f"not {one.fact}" for one in facts)
        case WatchPeriod(watched=watched):
            return "; ".join(one.constraint for one in watched)
        case ConstraintViolated(found=found):
            return "; ".join(found)
        case FeedbackGiven(feedback=feedback):
            return "; ".join(feedback.reasons) or "no cause was seen"
        case Disturbed(fault=fault):
            return fault
        case Remark(text=text):
            return text
        case Forked():
            return "a fork"
        case Ending(ended=ended):
            return str(ended.outcome)


def _entry(run: RunTimeline, index: int, entry: TimelineEntry, pictures: Pictures) -> Html:
    shown = _describe(run, index, entry.what)
    return el(
        "li",
        el(
            "div",
            el("span", shown.label, cls="label"),
            el(
                "span",
                el("time", f"{entry.began.sim_s:.1f} s", title="the robot's clock"),
                el("time", span(run.wall(entry.began)), title=_WALL_TITLE, cls="wall"),
                cls="when",
            ),
            cls="line",
        ),
        el(
            "div",
            el(
                "div",
                el("h3", shown.title),
                shown.text,
                model_calls(entry.calls, pictures),
                cls="description",
            ),
            _seen(entry, pictures),
            cls="entry",
        ),
        id=f"entry{index}",
        cls=shown.kind,
        tabindex=0,
        data_sim=f"{entry.began.sim_s:.3f}",
    )


@dataclass(frozen=True, slots=True)
class _Description:
    """The text of an entry; `kind` is its CSS class, for the colour."""

    kind: str
    label: str
    title: str
    text: Child = None


def _describe(run: RunTimeline, index: int, what: What) -> _Description:
    match what:
        case GoalUnderstood():
            label = "Understood" if what.goal else "Declined"
            kind = "understood" if what.goal else "understood declined"
            return _Description(kind, label, what.words, reading_of_instruction(what))
        case PersonAsked():
            options = options_of_question(what)
            return _Description("asked-back", "Asked back", what.question, options)
        case LayerMessage():
            return _Description("message", f"{what.sender} → {what.receiver}", what.text)
        case CommandChecked():
            return _Description("check", "Check", what.command, layer_feedback(what.feedback))
        case Replanned():
            return _Description("replan", f"Replan ({what.level})", what.command, change_of(what))
        case PlanMade():
            again = any(isinstance(m.what, PlanMade) for m in run.entries[:index])
            return _Description(
                "plan", "Replan" if again else "Plan", what.thought or what.goal, _plan(what)
            )
        case StepExecution():
            label = "Look" if what.by == "camera" else "Action"
            kind = "action failed" if what.failed else "action"
            return _Description(
                kind, label, what.step, [_motion(motion) for motion in what.motions]
            )
        case QuestionRound():
            answers = el("ul", [_question(one) for one in what.questions], cls="questions")
            return _Description("question", "Question", _title(run, index, what), answers)
        case Computation(facts=facts):
            computed = el("ul", [_computed(one) for one in facts], cls="questions")
            return _Description("computed", "Computed", "From depth, joints and the map", computed)
        case WatchPeriod(watched=watched):
            answers = el("ul", [_watched(one) for one in watched], cls="questions")
            return _Description("watch", "Watch", "These facts must stay true", answers)
        case ConstraintViolated():
            stopped = el("p", f"The monitor stops “{what.action}”.")
            asked = el("ul", [el("li", question) for question in what.questions])
            return _Description("violation", "Alarm", "; ".join(what.found), [stopped, asked])
        case FeedbackGiven():
            cause = "; ".join(what.feedback.reasons) or "No cause was seen"
            return _Description("reason", "Reason", cause, _reason(what))
        case Disturbed():
            unknown = el("p", f"The robot does not know this. It was running “{what.action}”.")
            return _Description("note", "Situation", what.fault, unknown)
        case Remark():
            return _Description("note", "Note", what.text)
        case Forked():
            changes = [f"{name}: {value}" for name, value in what.changes.items()]
            rows = el("ul", [el("li", change) for change in changes or ["nothing is changed"]])
            return _Description("fork", "Fork", f"Up to here as in {what.run}", rows)
        case Ending():
            end = summarise_run(run)
            return _Description(
                f"verdict {end.tone}", "Verdict", end.word, _ending(what, end.sentences)
            )


def _title(run: RunTimeline, index: int, asked: QuestionRound) -> str:
    if asked.action == SCAN:
        return "What is in sight?"
    plans = (entry.what.goal for entry in run.entries if isinstance(entry.what, PlanMade))
    if asked.action in (run.started.instruction if run.started else "", *plans):
        return "Is the goal reached?"
    steps = [m.what for m in run.entries[:index] if isinstance(m.what, StepExecution)]
    if steps and steps[-1].failed and steps[-1].step == asked.action:
        return f"Why did “{asked.action}” fail?"
    return asked.action


def _plan(plan: PlanMade) -> Html:
    dropped = [
        el("li", el("s", step), el("span", " not needed", cls="quiet")) for step in plan.dropped
    ]
    return el("ol", [el("li", step) for step in plan.steps], dropped, cls="steps")


def _motion(motion: SkillExecution) -> Html:
    report = motion.report
    cut = ["The trace stops before this motion ended."]
    measurements = measured(report) if report else []
    rewarded = motion.action.name == "follow_reward"  # show its program too
    what = el(
        "details", el("summary", "What was measured"), el("ul", [el("li", f) for f in measurements])
    )
    return join(
        el("p", " ".join(sentences(report) if report else cut)),
        what if measurements else None,
        el("pre", "\n".join(motion.action.args), cls="reward") if rewarded else None,
        el("ul", [_stage(stage) for stage in motion.stages], cls="stages"),
    )


def _stage(stage: StageSpan) -> Html:
    left = f"{stage.first:.2f} to go at first, {stage.last:.2f} at last"
    return el("li", stage.name, el("span", f" {stage.seconds:.1f} s", cls="quiet"), title=left)


def _question(question: AnsweredQuestion) -> Html:
    short = "".join(question.text.partition("?")[:2])
    wrong = el("span", f" in truth {question.truth}", cls="wrong") if question.truth else None
    return el(
        "li",
        el("span", short, cls="asked", title=question.text),
        el("span", question.answer, wrong, cls="answer"),
        cls="words" if len(question.answer) > _WORD else None,
    )


def _computed(fact: FactGrounded) -> Html:
    return el(
        "li",
        el("span", fact.fact, cls="asked", title=fact.reason),
        el("span", "true" if fact.true else "false", cls="answer"),
        el("span", fact.reason, cls="why quiet"),
    )


def _watched(one: Watched) -> Html:
    """A constraint with the counted answers of the vision model, e.g. yes × 5, no × 4."""
    answers = ", ".join(f"{answer} × {count}" for answer, count in one.answers)
    wrong = el("span", f" {one.wrong} wrong", cls="wrong") if one.wrong else None
    return el(
        "li",
        el("span", one.constraint, cls="asked", title=one.question),
        el("span", answers or "not asked", wrong, cls="answer"),
    )


def _reason(reason: FeedbackGiven) -> Html:
    report = el("details", el("summary", "The robot's report"), el("p", reason.feedback.error))
    found = el("p", f"Found for the failure of “{reason.step}”.")
    return join(found, report if reason.feedback.error else None)


def _ending(ending: Ending, sentences: tuple[str, ...]) -> Html:
    truths = ending.judged.truths if ending.judged else ()
    true_now = el(
        "details",
        el("summary", f"What was true at the end ({len(truths)})"),
        el("ul", [el("li", el("code", truth)) for truth in truths]),
    )
    return join([el("p", sentence) for sentence in sentences], true_now if truths else None)


def _seen(entry: TimelineEntry, pictures: Pictures) -> Html | None:
    """The images of an entry; for other entries the last ones, unless new ones follow.

    A watch shows the monitor's first image, an alarm its last.
    """
    what, looks, when = entry.what, entry.looks, ""
    own = QuestionRound | Computation | WatchPeriod | ConstraintViolated | Ending
    if not isinstance(what, own):
        not_started = isinstance(what, StepExecution) and not what.motions
        looks, when = () if not_started else looks[:1], ", last seen"
    figures = [
        el(
            "figure",
            pictures.show(look.image, f"what the {look.camera} camera saw"),
            el("figcaption", f"{look.camera}{when}"),
        )
        for look in looks
    ]
    return el("div", figures, cls="seen") if figures else None
