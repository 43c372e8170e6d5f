"""Risk against coverage: how many goals are wrong if only the surest are acted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from regrasp.bench.goal_answers import GoalAnswer, risk_coverage
from regrasp.bench.report.figure_style import GREY, INKS, bare, draw, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["risk_figure"]

_ALLOWED = 0.05


def risk_figure(answers: Mapping[str, Sequence[GoalAnswer]], folder: Path) -> None:
    """Draw `risk.png` and `risk.svg` into `folder`, a line for each set."""

    def make() -> Figure:
        figure = new_figure(2.6)
        axes = figure.subplots()
        for ink, (name, listed) in zip(INKS, answers.items(), strict=False):
            points = risk_coverage([(one.confidence, one.score.exact) for one in listed])
            axes.plot(*zip(*points, strict=True), color=ink, label=f"{name} (n = {len(listed)})")
        axes.axhline(_ALLOWED, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xlabel("share of instructions that are acted on, the surest first")
        axes.set_ylabel("share of those with a wrong goal")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.legend(frameon=False)
        bare(axes, "y")
        return figure

    draw({"risk": make}, folder)
