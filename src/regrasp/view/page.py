"""A run on one page: `report.html`, made from the trace alone, to be opened from disk, offline.

Everything a trace says is data and is escaped. Pictures are part of the page; the video, where
there is one, is the file beside it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import TypeVar

from regrasp.core.event import Judged, Looked, RunEnded, RunStarted, SkillEnded, SkillStarted
from regrasp.core.robot import SkillReport
from regrasp.core.trace import IMAGE_FOLDER, Trace, TraceError, read_trace

__all__ = ["PAGE_FILE", "plain_words", "write_page"]

E = TypeVar("E", RunStarted, SkillEnded, RunEnded)

PAGE_FILE = "report.html"
"""The name of the page in a run's folder."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid #8886; border-radius: 6px; }
figure { display: inline-block; margin: 0 1rem 1rem 0; }
figcaption, .quiet { color: #888; font-size: .85rem; }
img, video { max-width: 100%; border-radius: 6px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
th, td { border-bottom: 1px solid #8884; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.text { white-space: pre-wrap; overflow-wrap: anywhere; }
"""


_ENDINGS = {
    "succeeded": "did what was asked",
    "failed": "failed",
    "timed_out": "ran out of time",
    "aborted": "was stopped",
    "broken": "broke, by a fault of ours,",
}


def plain_words(report: SkillReport) -> list[str]:
    """A report for people: how it ended, what was wrong and why, then each thing measured."""
    lines = [f"The motion {_ENDINGS[report.outcome]} after {report.seconds:.1f} s."]
    if report.feedback:
        said = report.feedback
        lines += [text for text in (said.error, said.reason, said.suggestion) if text]
        lines += [f"Measured: {evidence}." for evidence in said.evidence]
    return lines


def write_page(folder: Path | str, title: str = "", video: str = "run.mp4") -> Path:
    """Write `report.html` into a run's folder; the video is shown if `folder` has that file."""
    trace = read_trace(folder)
    path = trace.folder / PAGE_FILE
    try:
        path.write_text(_page(trace, title, video), encoding="utf-8")
    except OSError as error:
        raise TraceError(f"cannot write {path}: {error.strerror or error}.") from error
    return path


def _page(trace: Trace, title: str, video: str) -> str:
    started = _first(trace, RunStarted)
    name = title or (
        f"{started.world}, {started.task}, seed {started.seed}" if started else "a run"
    )
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(name)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{escape(name)}</h1>",
            *_asked(started),
            *_video(trace, video),
            *_ending(trace),
            *_pictures(trace),
            *_events(trace),
            "</body></html>\n",
        ]
    )


def _asked(started: RunStarted | None) -> Iterable[str]:
    if started is None:
        return
    yield _paragraph(
        f"World {started.world}, task {started.task}, seed {started.seed}. "
        f"The task as a person would put it: “{started.instruction}”."
    )
    made_with = ", ".join(f"{name} {version}" for name, version in started.versions.items())
    yield f'<p class="quiet">{escape(made_with)}</p>'


def _video(trace: Trace, video: str) -> Iterable[str]:
    if (trace.folder / video).exists():
        name = escape(video, quote=True)
        yield f'<video controls loop muted src="{name}"></video>'
        yield f'<p class="quiet">The video is the file <a href="{name}">{name}</a>.</p>'


def _ending(trace: Trace) -> Iterable[str]:
    for event in trace.events:
        match event:
            case SkillStarted(action=action):
                yield f"<h2>Asked: {escape(action.name)}</h2>"
                yield from (f"<pre>{escape(argument)}</pre>" for argument in action.args)
            case SkillEnded(report=report):
                yield "<h2>How it ended</h2>"
                yield from map(_paragraph, plain_words(report))
            case Judged(done=done, truths=truths):
                yield _paragraph(
                    f"The judge, who knows the truth and tells no robot: the whole task is "
                    f"{'done' if done else 'not done'}. True now: {', '.join(truths) or 'nothing'}."
                )
            case RunEnded(outcome=outcome, reason=reason) if _first(trace, SkillEnded) is None:
                yield _paragraph(f"The run ended: {outcome}. {reason}")
    if trace.torn or _first(trace, RunEnded) is None:
        yield _paragraph("The trace stops here: the run was killed before it ended.")


def _pictures(trace: Trace) -> Iterable[str]:
    looks = [entry for entry in trace.entries if isinstance(entry.event, Looked)]
    if not looks:
        return
    yield "<h2>Seen</h2>"
    for entry in dict.fromkeys((looks[0], looks[-1])):
        look = entry.event
        assert isinstance(look, Looked)
        said = escape(f"{look.camera} camera at {entry.stamp.sim_s:.2f} s", quote=True)
        source = _inlined(trace.folder, look.image)
        image = (
            f'<img src="{source}" width="{look.width}" height="{look.height}" alt="{said}">'
            if source
            else "(the picture is missing)"
        )
        yield f"<figure>{image}<figcaption>{said}</figcaption></figure>"


def _inlined(folder: Path, name: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", name):  # a trace from elsewhere may name anything
        return ""
    try:
        data = (folder / IMAGE_FOLDER / f"{name}.png").read_bytes()
    except OSError:
        return ""
    return "data:image/png;base64," + base64.b64encode(data).decode("ascii")


def _events(trace: Trace) -> Iterable[str]:
    if not trace.entries:
        return
    begun = trace.entries[0].stamp.wall_s
    yield "<h2>Everything that happened</h2>"
    yield _paragraph(
        "Two clocks: the robot's own, and the wall's, counted from "
        f"{datetime.fromtimestamp(begun, UTC):%Y-%m-%d %H:%M:%S} UTC."
    )
    yield '<div class="scroll"><table><tr><th class="number">#</th><th class="number">robot, s</th>'
    yield '<th class="number">wall, s</th><th>event</th></tr>'
    for entry in trace.entries:
        stamp = entry.stamp
        yield (
            f'<tr><td class="number">{stamp.index}</td><td class="number">{stamp.sim_s:.2f}</td>'
            f'<td class="number">{stamp.wall_s - begun:.2f}</td>'
            f'<td class="text">{escape(str(entry.event))}</td></tr>'
        )
    yield "</table></div>"


def _first(trace: Trace, kind: type[E]) -> E | None:
    return next((event for event in trace.events if isinstance(event, kind)), None)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
