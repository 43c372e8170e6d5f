"""Two time bars for the page of a run: one for the robot's time and one for wall time.

The robot's time stands still during a model call and wall time does not, so the two bars show
where the time was spent. A `RunTimeline` is the run as read from its trace (view/run_timeline.py).
"""

from __future__ import annotations

from collections.abc import Callable

from regrasp.core.trace import Stamp
from regrasp.view.descriptions import span
from regrasp.view.html import Html, el
from regrasp.view.run_timeline import RunTimeline
from regrasp.view.timeline import headline
from regrasp.view.timeline_entries import StepExecution

__all__ = ["clocks"]

_WIDTH, _HEIGHT = 1000, 14
_MIN_WIDTH = 3.0  # of a segment, so that a short one is visible


def clocks(run: RunTimeline) -> Html | None:
    """Two rows of coloured segments; a click on one jumps to its entry in the timeline."""
    if run.last is None or run.first is None:
        return None
    robot = _row("robot", run, lambda stamp: stamp.sim_s, run.last.sim_s)
    wall = _row("wall", run, run.wall, run.wall(run.last))
    kinds = {"moved": "moved", "failed": "failed", "thought": "looked or planned"}
    legend = [el("span", meaning, cls=kind) for kind, meaning in kinds.items()]
    return el("div", robot, wall, el("p", legend, cls="legend"), id="clocks")


def _row(name: str, run: RunTimeline, when: Callable[[Stamp], float], total: float) -> Html:
    scale = _WIDTH / total if total > 0 else 0.0
    bars = []
    for i, entry in enumerate(run.entries):
        begin, end = when(entry.began) * scale, when(entry.ended) * scale
        step = entry.what if isinstance(entry.what, StepExecution) else None
        kind = "thought" if step is None else "failed" if step.failed else "moved"
        bars.append(
            el(
                "rect",
                el("title", headline(entry)),
                x=f"{min(begin, _WIDTH - _MIN_WIDTH):.1f}",
                width=f"{max(end - begin, _MIN_WIDTH):.1f}",
                y=0,
                height=_HEIGHT,
                cls=kind,
                data_go=i,
            )
        )
    cursor = el("line", x1=0, x2=0, y1=0, y2=_HEIGHT, cls="cursor") if name == "robot" else None
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    drawn = el(
        "svg", bars, cursor, viewBox=box, preserveAspectRatio="none", data_total=f"{total:.3f}"
    )
    return el("div", el("span", name), drawn, el("span", span(total)), cls=f"clock {name}")
