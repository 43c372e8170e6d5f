"""Two time bars for the page of a run: one for the robot's time and one for wall time.

The robot's time stands still during a model call and wall time does not, so the two bars show
where the time was spent. A `Story` is the run as read from its trace (view/story.py).
"""

from __future__ import annotations

from collections.abc import Callable

from regrasp.core.trace import Stamp
from regrasp.view.descriptions import span
from regrasp.view.html import Html, el
from regrasp.view.moments import StepExecution
from regrasp.view.story import Story
from regrasp.view.timeline import headline

__all__ = ["clocks"]

_WIDTH, _HEIGHT = 1000, 14
_MIN_WIDTH = 3.0  # of a segment, so that a short one is visible


def clocks(story: Story) -> Html | None:
    """Two rows of coloured segments; a click on one jumps to its entry in the timeline."""
    if story.last is None or story.first is None:
        return None
    robot = _row("robot", story, lambda stamp: stamp.sim_s, story.last.sim_s)
    wall = _row("wall", story, story.wall, story.wall(story.last))
    kinds = {"moved": "moved", "failed": "failed", "thought": "looked or planned"}
    legend = [el("span", meaning, cls=kind) for kind, meaning in kinds.items()]
    return el("div", robot, wall, el("p", legend, cls="legend"), id="clocks")


def _row(name: str, story: Story, when: Callable[[Stamp], float], total: float) -> Html:
    scale = _WIDTH / total if total > 0 else 0.0
    bars = []
    for i, moment in enumerate(story.moments):
        begin, end = when(moment.began) * scale, when(moment.ended) * scale
        step = moment.what if isinstance(moment.what, StepExecution) else None
        kind = "thought" if step is None else "failed" if step.failed else "moved"
        bars.append(
            el(
                "rect",
                el("title", headline(moment)),
                x=f"{min(begin, _WIDTH - _MIN_WIDTH):.1f}",
                width=f"{max(end - begin, _MIN_WIDTH):.1f}",
                y=0,
                height=_HEIGHT,
                cls=kind,
                data_go=i,
            )
        )
    cursor = el("line", x1=0, x2=0, y1=0, y2=_HEIGHT, cls="hand") if name == "robot" else None
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    drawn = el(
        "svg", bars, cursor, viewBox=box, preserveAspectRatio="none", data_total=f"{total:.3f}"
    )
    return el("div", el("span", name), drawn, el("span", span(total)), cls=f"clock {name}")
