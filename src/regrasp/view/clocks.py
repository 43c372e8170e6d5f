"""Both clocks of a run, drawn: one bar for the robot's time and one for wall time.

The robot's clock stops while a model thinks and the wall clock does not, so the two bars of one
run show where the time was spent.
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
_SLIVER = 3.0  # the smallest visible width


def clocks(story: Story) -> Html | None:
    """Two rows of coloured stretches; a click on one goes to its moment."""
    if story.last is None or story.first is None:
        return None
    robot = _row("robot", story, lambda stamp: stamp.sim_s, story.last.sim_s)
    wall = _row("wall", story, story.wall, story.wall(story.last))
    kinds = {"moved": "moved", "failed": "failed", "thought": "looked and thought"}
    legend = [el("span", meaning, cls=kind) for kind, meaning in kinds.items()]
    return el("div", robot, wall, el("p", legend, cls="legend"), id="clocks")


def _row(name: str, story: Story, when: Callable[[Stamp], float], total: float) -> Html:
    scale = _WIDTH / total if total > 0 else 0.0
    bars = []
    for i, moment in enumerate(story.moments):
        begin, end = when(moment.began) * scale, when(moment.ended) * scale
        trial = moment.what if isinstance(moment.what, StepExecution) else None
        kind = "thought" if trial is None else "failed" if trial.failed else "moved"
        bars.append(
            el(
                "rect",
                el("title", headline(moment)),
                x=f"{min(begin, _WIDTH - _SLIVER):.1f}",
                width=f"{max(end - begin, _SLIVER):.1f}",
                y=0,
                height=_HEIGHT,
                cls=kind,
                data_go=i,
            )
        )
    hand = el("line", x1=0, x2=0, y1=0, y2=_HEIGHT, cls="hand") if name == "robot" else None
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    drawn = el(
        "svg", bars, hand, viewBox=box, preserveAspectRatio="none", data_total=f"{total:.3f}"
    )
    return el("div", el("span", name), drawn, el("span", span(total)), cls=f"clock {name}")
