"""A fork and its original run, side by side: the steps after the fork, and the two endings."""

from __future__ import annotations

from regrasp.core.event import Forked, PlanMade
from regrasp.core.trace import Trace, TraceError, digest, read_trace
from regrasp.view.descriptions import summarise_run
from regrasp.view.html import Html, el
from regrasp.view.run_timeline import RunTimeline, build_timeline
from regrasp.view.timeline import headline
from regrasp.view.timeline_entries import StepExecution, TimelineEntry

__all__ = ["branches"]


def branches(trace: Trace, run: RunTimeline) -> Html | None:
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
    except TraceError:  # its text is of a file that an untrusted trace names
        return _section(el("p", "The run that this one left cannot be read.", cls="quiet"))
    if not same:
        return _section(el("p", "The run that this one left has changed since.", cls="quiet"))
    return _section(
        el("p", f"One run up to {fork.stamp.sim_s:.1f} s of the robot's time.", cls="quiet"),
        el(
            "div",
            _branch(
                f"As it was ({fork.event.run})", build_timeline(recorded), fork.event.at, here=False
            ),
            _branch(f"From here: {changed or 'no change'}", run, fork.stamp.index, here=True),
            cls="branches",
        ),
    )


def _section(*children: Html) -> Html:
    return el("section", el("h2", "Two branches"), children)


def _branch(name: str, run: RunTimeline, at: int, *, here: bool) -> Html:
    """The plans and steps after event `at`, and the verdict."""
    end = summarise_run(run)
    rows = [
        _line(number, entry, here)
        for number, entry in enumerate(run.entries)
        if entry.began.index >= at and isinstance(entry.what, PlanMade | StepExecution)
    ]
    return el(
        "div",
        el("h3", name),
        el("ol", rows) if rows else el("p", "Nothing more was tried.", cls="quiet"),
        el("p", el("strong", end.word, cls="word"), cls=f"outcome {end.tone}"),
        el("p", " ".join(end.sentences), cls="quiet"),
    )


def _line(number: int, entry: TimelineEntry, here: bool) -> Html:
    """A plan or a step; on this page's own branch it links to the entry."""
    text = headline(entry)
    link = el("a", text, href=f"#entry{number}", data_go=number) if here else text
    if isinstance(entry.what, PlanMade):
        return el("li", el("b", "Plan: "), link, cls="plan")
    failed = isinstance(entry.what, StepExecution) and entry.what.failed
    return el("li", link, el("span", "failed", cls="why") if failed else None)
