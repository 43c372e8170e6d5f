"""A run on one page: `report.html`, made from the trace, to be opened from disk, offline.

The page is one file that includes images, video, style and script. All text of a trace is data and
is escaped (`html.py`). In addition, the page's content security policy allows only its own script
and style and no network address, so nothing in a trace can be executed or fetched.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from pathlib import Path

from regrasp.core.dates import date_text
from regrasp.core.event import PersonAsked
from regrasp.core.files import refuse_to_overwrite, write_text
from regrasp.core.run_folder import inside
from regrasp.core.trace import Trace, TraceError, read_trace
from regrasp.view.attempts import PlanAttempt, StepAttempt, StepStatus, attempts
from regrasp.view.branches import branches
from regrasp.view.calls import Cost, by_model, by_purpose, total
from regrasp.view.clocks import clocks
from regrasp.view.descriptions import span, summarise_run
from regrasp.view.html import PAGE_MARKS, Html, el, page_mark
from regrasp.view.pictures import Pictures, film
from regrasp.view.run_timeline import RunTimeline, build_timeline
from regrasp.view.timeline import timeline
from regrasp.view.timeline_entries import QuestionRound, StepExecution, WatchPeriod

__all__ = ["PAGE_FILE", "write_page"]

PAGE_FILE = "report.html"
"""The name of the page in a run's folder."""


def write_page(folder: Path | str, out: Path | str | None = None) -> Path:
    """Write the page of the run in `folder` to that folder or to `out`. Returns the path.

    An older page is replaced; any other file at that path is left alone, with an error.
    """
    trace = read_trace(folder)
    path = Path(out) if out is not None else inside(trace.folder, PAGE_FILE)
    refuse_to_overwrite(path, PAGE_MARKS, "a page")
    try:
        write_text(path, _page(trace, path.parent))
    except OSError as error:
        raise TraceError(f"cannot write {path}: {error.strerror or error}.") from error
    return path


def _page(trace: Trace, beside: Path) -> str:
    run, pictures = build_timeline(trace), Pictures(trace.folder)
    head = _head(run)
    side = el("aside", _stage(trace, run, beside), _attempts(run))
    events = el("section", el("h2", "What happened"), timeline(run, pictures))
    body = el(
        "body",
        _heading(run),
        branches(trace, run),
        el("main", side, events, cls="run"),
        _costs(run),
        _log(trace, run),
        _foot(run),
        el("dialog", el("form", el("button", "Close"), method="dialog"), id="large"),
        Html(f"<script>{_asset('page.js')}</script>"),
    )
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"


# ---- header -----------------------------------------------------------------------------------


def _head(run: RunTimeline) -> Html:
    style, script = _asset("page.css"), _asset("page.js")
    allowed = (
        f"default-src 'none'; img-src data:; media-src data: file: 'self'; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    )
    return el(
        "head",
        el("meta", charset="utf-8"),
        page_mark(),
        el("meta", http_equiv="Content-Security-Policy", content=allowed),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", _title(run)),
        Html(f"<style>{style}</style>"),
    )


def _title(run: RunTimeline) -> str:
    if run.started is None:
        return "A run that had not begun"
    if run.of_reward:
        return f"A reward, followed in the world {run.started.world}"
    return run.started.instruction or f"{run.started.world}, {run.started.task}"


def _heading(run: RunTimeline) -> Html:
    summary, started = summarise_run(run), run.started
    where = (
        f"{started.method} in {started.world}, task {started.task}, seed {started.seed}"
        if started
        else ""
    )
    asked = f"The task of this world: “{started.instruction}”." if started else ""
    return el(
        "header",
        el("p", where, cls="where"),
        el("h1", _title(run)),
        el(
            "div",
            el("strong", summary.word, cls="word"),
            el("p", " ".join(summary.sentences)),
            cls=f"outcome {summary.tone}",
        ),
        el("p", asked, cls="quiet") if run.of_reward else None,
        _facts(run),
    )


def _facts(run: RunTimeline) -> Html:
    steps = [m.what for m in run.entries if isinstance(m.what, StepExecution)]
    motions = [motion for step in steps for motion in step.motions]
    failed = sum(step.failed for step in steps)
    asked = sum(len(m.what.questions) for m in run.entries if isinstance(m.what, QuestionRound))
    asked += sum(m.what.asked for m in run.entries if isinstance(m.what, WatchPeriod))
    asked_back = sum(isinstance(entry.what, PersonAsked) for entry in run.entries)
    cost, last = total(run.calls), run.last
    plans = sum(attempt.plan is not None for attempt in attempts(run))
    facts = [
        ("the robot's time", f"{last.sim_s:.1f} s" if last else "0 s"),
        ("wall time", span(run.wall(last)) if last else "0 s"),
        ("plans", str(plans)),
        ("motions", f"{len(motions)}, {failed} failed" if failed else str(len(motions))),
        ("questions to the vision model", str(asked)),
        *([("questions to the person", str(asked_back))] if asked_back else []),
        ("model calls", str(cost.calls)),
        ("tokens", f"{cost.prompt_tokens + cost.completion_tokens:,}"),
        ("money", f"${cost.usd:.4f}" if cost.usd else "none"),
    ]
    return el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts])


# ---- film and attempts ------------------------------------------------------------------------


def _stage(trace: Trace, run: RunTimeline, beside: Path) -> Html:
    video, note = film(trace.folder, beside)
    return el(
        "section",
        video or el("div", id="still"),
        clocks(run),
        el(
            "div",
            el("button", "←", id="back", title="the entry before", type="button"),
            el("span", "← → step through the entries", cls="quiet"),
            el("button", "→", id="on", title="the next entry", type="button"),
            cls="steer",
        ),
        el("p", note, cls="quiet") if note else None,
        id="stage",
    )


def _attempts(run: RunTimeline) -> Html | None:
    tree = attempts(run)
    if not tree:
        return None
    rows = [_attempt(number, attempt) for number, attempt in enumerate(tree, start=1)]
    return el("section", el("h2", "Attempts"), el("ol", rows, cls="attempts"))


def _attempt(number: int, attempt: PlanAttempt) -> Html:
    named = f"Plan {number}" if attempt.plan else "Without a plan"
    thought = attempt.plan.thought if attempt.plan else ""
    return el(
        "li",
        el("p", _go(attempt.entry, named), el("span", thought, cls="quiet"), cls="plan"),
        el("ol", [_step(step) for step in attempt.steps]),
        cls=attempt.status.replace(" ", "-"),
    )


_MARKS = {
    StepStatus.DONE: "✓",
    StepStatus.FAILED: "✗",
    StepStatus.UNDER_WAY: "…",
    StepStatus.NOT_TRIED: "·",
}


def _step(step: StepAttempt) -> Html:
    why = f"because {'; '.join(step.causes)}" if step.causes else ""
    return el(
        "li",
        el("span", _MARKS[step.status], cls="mark", title=str(step.status)),
        _go(step.entry, step.step),
        el("span", why, cls="why") if why else None,
        el("span", "not tried", cls="quiet") if step.status is StepStatus.NOT_TRIED else None,
        el("ol", [_step(then) for then in step.then]) if step.then else None,
        cls=step.status.replace(" ", "-"),
    )


def _go(entry: int | None, text: str) -> Html:
    if entry is None:
        return el("span", text)
    return el("a", text, href=f"#entry{entry}", data_go=entry)


# ---- costs, everything, versions --------------------------------------------------------------


def _costs(run: RunTimeline) -> Html | None:
    if not run.calls:
        return None
    rows = [_cost_row(cost, cost.model) for cost in by_model(run.calls)]
    if len(rows) > 1:
        rows.append(_cost_row(total(run.calls), "together"))
    purposes = [
        _cost_row(cost, f"{cost.model}: {cost.purpose or 'call'}") for cost in by_purpose(run.calls)
    ]
    return el(
        "section",
        el("h2", "What it cost"),
        _cost_table("model", rows),
        el("details", el("summary", "By what was asked"), _cost_table("asked for", purposes)),
    )


def _cost_table(first: str, rows: list[Html]) -> Html:
    names = ("calls", "failed", "tokens in", "tokens out", "money", "waited", "longest")
    head = el("tr", el("th", first), [el("th", name, cls="number") for name in names])
    return el("div", el("table", head, rows), cls="scroll")


def _cost_row(cost: Cost, name: str) -> Html:
    calls = (
        f"{cost.calls}" if cost.requests == cost.calls else f"{cost.calls} ({cost.requests} sent)"
    )
    cells = (
        calls,
        f"{cost.failed}",
        f"{cost.prompt_tokens:,}",
        f"{cost.completion_tokens:,}",
        f"${cost.usd:.4f}",
        f"{cost.seconds:.2f} s",
        f"{cost.longest_s:.2f} s",
    )
    return el("tr", el("td", name), [el("td", cell, cls="number") for cell in cells])


def _log(trace: Trace, run: RunTimeline) -> Html | None:
    if run.first is None:
        return None
    started = date_text(run.first.wall_s, "%Y-%m-%d %H:%M:%S UTC")
    rows = [
        el(
            "tr",
            el("td", str(entry.stamp.index), cls="number"),
            el("td", f"{entry.stamp.sim_s:.2f}", cls="number"),
            el("td", f"{run.wall(entry.stamp):.2f}", cls="number"),
            el("td", str(entry.event), cls="text"),
        )
        for entry in trace.entries
    ]
    head = [el("th", name, cls="number") for name in ("#", "robot, s", "wall, s")]
    return el(
        "section",
        el(
            "details",
            el("summary", f"Everything in the trace: {len(rows)} events"),
            el("p", f"The wall's clock counts from {started}.", cls="quiet"),
            el("div", el("table", el("tr", head, el("th", "event")), rows), cls="scroll"),
        ),
    )


def _foot(run: RunTimeline) -> Html:
    versions = run.started.versions if run.started else {}
    made_with = ", ".join(f"{name} {version}" for name, version in versions.items())
    return el("footer", el("p", f"Made with {made_with}." if made_with else ""))


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
