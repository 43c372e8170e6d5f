"""The figures of a report, drawn by matplotlib from the same grid as its tables."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

import numpy as np

from regrasp.bench.answer_scores import Rate, score_checks
from regrasp.bench.report.failures import taxonomy
from regrasp.bench.report.figure_style import (
    GREY,
    HATCHES,
    INKS,
    bare,
    draw,
    new_figure,
    panel_axes,
)
from regrasp.bench.report.grid import Grid, method_label, success
from regrasp.bench.report.matrix import matrix_figure
from regrasp.bench.report.plan_figures import executability_figure, replans_figure
from regrasp.bench.report.theorem import CarryWaste, theorem_figure
from regrasp.bench.report.trends import trend_figures
from regrasp.bench.statistics import bootstrap
from regrasp.bench.suite import SuiteTask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_figures", "installed"]

_ACROSS = 4  # panels side by side
_TASK = "Task "  # before the number that a paper gives a task
_MOST_SLANTED = 8  # names of tasks under an axis; more of them are vertical
_MOST_LETTERS = 20  # of a panel's title; a longer one has two lines
_BAR = 0.2  # inches of height for one method
_EDGE: dict[str, Any] = {"edgecolor": "black", "linewidth": 0.5}
_WHISKER: dict[str, Any] = {"ecolor": GREY, "elinewidth": 0.8, "capsize": 1.8, "capthick": 0.8}
_DOT: dict[str, Any] = {
    "marker": "o", "markersize": 3, "color": GREY, "markeredgecolor": "white",
    "markeredgewidth": 0.6,
}  # fmt: skip
_ON_HATCH = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9}
_PAPER: dict[str, Any] = {
    "marker": "D", "markersize": 3.2, "color": "white", "markeredgecolor": "black",
}  # fmt: skip


def installed() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def draw_figures(
    grid: Grid, waste: Sequence[CarryWaste], folder: Path, generator: np.random.Generator
) -> dict[str, bytes]:
    """Draw every figure with data into `folder`. Returns the SVGs by name."""
    figures: Mapping[str, Callable[[], Figure | None]] = {
        "matrix": lambda: matrix_figure(grid),
        "success": lambda: _success(grid),
        "actions": lambda: _actions(grid),
        "times": lambda: _times(grid, generator),
        "failures": lambda: _failures(grid),
        "checkers": lambda: _checkers(grid),
        **trend_figures(grid, generator),
        "replans": lambda: replans_figure(grid, generator),
        "executability": lambda: executability_figure(grid),
        "theorem": lambda: theorem_figure(waste, generator),
    }
    return draw(figures, folder)


def _success(grid: Grid) -> Figure:
    """A panel for each task, a bar for each method: rate, interval, count, the paper's rate."""
    figure, panels = _task_panels(grid)
    for task, axes in zip(grid.tasks, panels, strict=True):
        for i, method in enumerate(grid.methods):
            rate = success(grid.ended(task, method))
            paper = grid.paper(task, method)
            if rate.value is not None:
                axes.barh(i, rate.value, 0.7, color=INKS[i % 8], hatch=HATCHES[i % 8], **_EDGE)
                _whisker(axes, rate, i)
                axes.text(1.06, i, f"{rate.hits}/{rate.n}", va="center", fontsize=6.5)
            if paper is not None:
                axes.plot(paper.rate, i, zorder=5, clip_on=False, **_PAPER)
        axes.set_xlim(0.0, 1.0)
        axes.set_xticks([0.0, 0.5, 1.0], ["0", "50", "100%"])
        bare(axes, "x")
    if grid.suite.figures:
        figure.legend(
            handles=[
                _patch("ours", "white", ""), _mark("95% interval", color=GREY, linewidth=0.8),
                _mark("the paper's rate", linestyle="", **_PAPER),
            ],
            loc="outside lower center", ncols=3, frameon=False,
        )  # fmt: skip
    return figure


def _times(grid: Grid, generator: np.random.Generator) -> Figure | None:
    """A panel for each task, a dot for each method: simulated seconds of successes."""
    if not any(r.succeeded for r in grid):
        return None
    figure, panels = _task_panels(grid)
    for task, axes in zip(grid.tasks, panels, strict=True):
        for i, method in enumerate(grid.methods):
            records = grid.ended(task, method)
            seconds = [r.sim_s for r in records if r.succeeded]
            if not seconds:
                axes.text(0.02, i, "none", transform=axes.get_yaxis_transform(), va="center",
                          fontsize=6.5, color=GREY)  # fmt: skip
                continue
            mean = fmean(seconds)
            low, high = bootstrap(seconds, generator)
            if math.isfinite(low):
                _reach(axes, mean, i, xerr=[[mean - low], [high - mean]])
            axes.plot(mean, i, marker="o", markersize=4, color=INKS[i % 8],
                      markeredgecolor="black", markeredgewidth=0.5)  # fmt: skip
            axes.annotate(f"{mean:.0f}", (mean, i), (0, 3.5), textcoords="offset points",
                          ha="center", fontsize=6)  # fmt: skip
        axes.margins(x=0.12)
        axes.set_xlim(left=0.0)
        bare(axes, "x")
    figure.supxlabel("simulated seconds of an episode that succeeded", fontsize=7.5)
    return figure


def _actions(grid: Grid) -> Figure:
    """Figure C.1 for each method: motions and looks stacked, deviation, least and most."""
    across = min(3, len(grid.methods))
    down = -(-len(grid.methods) // across)
    numbered = all(task.paper.startswith(_TASK) for task in grid.tasks)
    figure = new_figure(0.35 + (1.55 if numbered else 2.2) * down)
    axes_of = panel_axes(figure, len(grid.methods), across, sharey=True)
    places = np.arange(len(grid.tasks))
    for i, (method, axes) in enumerate(zip(grid.methods, axes_of, strict=True)):
        for x, task in enumerate(grid.tasks):
            records = grid.ended(task, method)
            if not records:
                continue
            both = [r.motions + r.looks for r in records]
            motions, mean = fmean(r.motions for r in records), fmean(both)
            axes.bar(x, motions, 0.7, color=INKS[0], **_EDGE)
            axes.bar(x, mean - motions, 0.7, motions, color=INKS[3], hatch=HATCHES[1], **_EDGE)
            _reach(axes, x, mean, yerr=pstdev(both))
            axes.plot([x, x], [min(both), max(both)], linestyle="", **_DOT)
        axes.set_title(method_label(method))
        slant = 0 if numbered else 90 if len(places) > _MOST_SLANTED else 30
        names = [task.paper.removeprefix(_TASK) if numbered else task.name for task in grid.tasks]
        axes.set_xticks(places, names, ha="center" if numbered else "right", rotation=slant)
        if numbered and i + across >= len(grid.methods):
            axes.set_xlabel("task of the paper")
        axes.set_xlim(-0.6, len(grid.tasks) - 0.4)
        bare(axes, "y")
    most = max((r.motions + r.looks for r in grid), default=0)
    axes_of[0].set_ylim(0.0, 1.06 * max(most, 1))  # of all panels, which share it
    for axes in axes_of[::across]:
        axes.set_ylabel("actions an episode")
    figure.legend(
        handles=[
            _patch("motions", INKS[0], ""), _patch("looks", INKS[3], HATCHES[1]),
            _mark("standard deviation", color=GREY, linewidth=0.8),
            _mark("least, most", linestyle="", **_DOT),
        ],
        loc="outside lower center", ncols=4, frameon=False,
    )  # fmt: skip
    return figure


def _failures(grid: Grid) -> Figure | None:
    """A bar for each method: what share of its episodes failed, and how."""
    found = {method: taxonomy(grid.of_method(method)) for method in grid.methods}
    kinds = list(dict.fromkeys(kind for counts in found.values() for kind in counts))
    if not kinds:
        return None
    figure = new_figure(0.6 + 0.28 * len(grid.methods) + 0.16 * -(-len(kinds) // 3))
    axes = figure.subplots()
    for i, (method, counts) in enumerate(found.items()):
        n, left = len(grid.of_method(method)), 0.0
        for j, kind in enumerate(kinds):
            share = counts[kind] / n if n else 0.0
            if share == 0.0:
                continue
            axes.barh(i, share, 0.7, left, color=INKS[j % 8], hatch=HATCHES[j % 8], **_EDGE)
            if share > 0.025:
                axes.text(left + share / 2, i, str(counts[kind]), ha="center", va="center",
                          fontsize=6.5, bbox=_ON_HATCH)  # fmt: skip
            left += share
        axes.text(left + 0.01, i, f"{counts.total()}/{n} failed", va="center", fontsize=6.5)
    axes.set_yticks(range(len(found)), [method_label(method) for method in found])
    axes.invert_yaxis()
    most = max(counts.total() / max(1, len(grid.of_method(m))) for m, counts in found.items())
    axes.set_xlim(0.0, most + 0.12)
    ticks = [tick / 4 for tick in range(5) if tick / 4 <= most + 0.12]
    axes.set_xticks(ticks, [f"{tick:.0%}" for tick in ticks])
    axes.set_xlabel("share of the episodes that ended")
    bare(axes, "x")
    figure.legend(
        handles=[_patch(k, INKS[j % 8], HATCHES[j % 8]) for j, k in enumerate(kinds)],
        loc="outside lower center", ncols=3, frameon=False,
    )  # fmt: skip
    return figure


def _checkers(grid: Grid) -> Figure | None:
    """Four panels over the predicates: TPR, TNR, PPV, NPV."""
    scores = score_checks(grid)
    if not scores:
        return None
    figure = new_figure(0.75 + _BAR * len(scores))
    panels = panel_axes(figure, 4, 4, sharey=True)
    titles = ("TPR: of true facts", "TNR: of false facts", "PPV: of every yes", "NPV: of every no")
    for k, (title, axes) in enumerate(zip(titles, panels, strict=True)):
        for i, score in enumerate(scores):
            rate = score.rates[k]
            if rate.value is not None:
                _whisker(axes, rate, i)
                axes.plot(rate.value, i, marker="o", markersize=4, color=INKS[k], clip_on=False,
                          markeredgecolor="black", markeredgewidth=0.5)  # fmt: skip
            text = f"{rate.hits}/{rate.n}" if rate.n else "–"
            axes.text(1.06, i, text, va="center", fontsize=6)
        axes.set_title(title)
        axes.set_xlim(0.0, 1.0)
        axes.set_xticks([0.0, 0.5, 1.0], ["0", "50", "100%"])
        bare(axes, "x")
    panels[0].set_yticks(range(len(scores)), [score.name for score in scores])
    panels[0].set_ylim(len(scores) - 0.4, -0.6)
    return figure


def _task_panels(grid: Grid) -> tuple[Figure, list[Axes]]:
    """A panel for each task, rows of `_ACROSS`; methods down, the first at the top."""
    across = min(_ACROSS, len(grid.tasks))
    down = -(-len(grid.tasks) // across)
    titles = 0.13 * any("\n" in _title(task) for task in grid.tasks)
    figure = new_figure(0.3 + down * (0.45 + titles + _BAR * len(grid.methods)))
    panels = panel_axes(figure, len(grid.tasks), across, sharey=True)
    panels[0].set_yticks(range(len(grid.methods)), [method_label(m) for m in grid.methods])
    panels[0].set_ylim(len(grid.methods) - 0.4, -0.6)
    for task, axes in zip(grid.tasks, panels, strict=True):
        axes.set_title(_title(task))
    return figure, panels


def _title(task: SuiteTask) -> str:
    if not task.paper or task.of:
        return task.name
    wide = len(task.paper) + len(task.name) > _MOST_LETTERS
    return f"{task.paper}{chr(10) if wide else ' '}({task.name})"


def _whisker(axes: Axes, rate: Rate, at: float) -> None:
    low, high = rate.interval
    value = rate.value or 0.0
    _reach(axes, value, at, xerr=[[max(0.0, value - low)], [max(0.0, high - value)]])


def _reach(axes: Axes, x: float, y: float, **size: Any) -> None:
    """A whisker with a white rim, visible on any ink."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    _, caps, lines = axes.errorbar(x, y, fmt="none", **_WHISKER, **size)
    for line in (*caps, *lines):
        line.set_path_effects([withStroke(linewidth=2.0, foreground="white")])


def _patch(label: str, ink: str, hatch: str) -> Any:
    from matplotlib.patches import Patch  # noqa: PLC0415

    return Patch(facecolor=ink, hatch=hatch, label=label, **_EDGE)


def _mark(label: str, **style: Any) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Line2D([], [], label=label, **style)
