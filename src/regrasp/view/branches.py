"""A fork and its original run, side by side: the steps after the fork, and the two endings."""

from __future__ import annotations

from regrasp.core.event import Forked, PlanMade
from regrasp.core.trace import Trace, TraceError, digest, read_trace
from regrasp.view.descriptions import summarise_run
from regrasp.view.html import Html, el
from regrasp.view.moments import Moment, StepExecution
from regrasp.view.story import Story, build_story
from regrasp.view.timeline import headline

__all__ = ["branches"]


def branches(trace: Trace, story: Story) -> Html | None:
    """Both branches of a forked run; None for any other run."""
    fork = next((entry for entry in trace.entries if isinstance(entry.event, Forked)), None)
    if fork is None:
        return None
    assert isinstance(fork.event, Forked)
    left = trace.folder / fork.event.run
    changed = "; ".join(f"{name}: {value}" for name, value in fork.event.changes.items())
    try:
        recorded = read_trace(left)
        same = digest(left) == fork.event.digest
    except TraceError as error:
        return _section(el("p", f"The run that this one left cannot be read: {error}", cls="quiet"))
    if not same:
        return _section(el("p", "The run that this one left has changed since.", cls="quiet"))
    return _section(
        el("p", f"One run up to {fork.stamp.sim_s:.1f} s of the robot's time.", cls="quiet"),
        el(
            "div",
            _branch(
                f"As it was ({fork.event.run})", build_story(recorded), fork.event.at, here=False
            ),
            _branch(f"From here: {changed or 'no change'}", story, fork.stamp.index, here=True),
            cls="branches",
        ),
    )


def _section(*children: Html) -> Html:
    return el("section", el("h2", "Two branches"), children)


def _branch(name: str, story: Story, at: int, *, here: bool) -> Html:
    """The plans and steps after event `at`, and the verdict."""
    end = summarise_run(story)
    rows = [
        _line(number, moment, here)
        for number, moment in enumerate(story.moments)
        if moment.began.index >= at and isinstance(moment.what, PlanMade | StepExecution)
    ]
    return el(
        "div",
        el("h3", name),
        el("ol", rows) if rows else el("p", "Nothing more was tried.", cls="quiet"),
        el("p", el("strong", end.word, cls="word"), cls=f"outcome {end.tone}"),
        el("p", " ".join(end.sentences), cls="quiet"),
    )


def _line(number: int, moment: Moment, here: bool) -> Html:
    """A plan or a step; on this page's own branch it links to the moment."""
    text = headline(moment)
    link = el("a", text, href=f"#moment{number}", data_go=number) if here else text
    if isinstance(moment.what, PlanMade):
        return el("li", el("b", "Plan: "), link, cls="plan")
    failed = isinstance(moment.what, StepExecution) and moment.what.failed
    return el("li", link, el("span", "failed", cls="why") if failed else None)
