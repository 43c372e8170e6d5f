"""Success and time against a knob: a panel for each task, a line for each method."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from regrasp.bench.clustered import clustered_mean_rate
from regrasp.bench.report.execution import execution_seconds
from regrasp.bench.report.figure_style import GREY, INKS, MARKERS, bare, new_figure, panel_axes
from regrasp.bench.report.grid import Grid, Panel, method_label, panels, success_by_seed, varying
from regrasp.bench.report.numbers import mean_interval
from regrasp.bench.suite import Knob, Paper, SuiteMethod, SuiteTask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["trend_figures"]

_ACROSS = 5  # panels side by side, at most
_SPREAD, _APART = 0.35, 0.025  # how far marks at one value spread, of a step; each two, of all
_LINES = ("-", "--", "-.", ":")

_Point: TypeAlias = tuple[float, float, float]  # a value, and the ends of its interval
_Measure: TypeAlias = Callable[[Sequence[SuiteTask], SuiteMethod], _Point | None]


def trend_figures(
    grid: Grid, generator: np.random.Generator
) -> dict[str, Callable[[], Figure | None]]:
    """Success against each varied knob, and seconds if tasks have limits; by name."""
    drawn: dict[str, Callable[[], Figure | None]] = {}
    for knob in varying(grid):
        drawn[f"success-{knob.name}"] = partial(_success, grid, knob)
        drawn[f"time-{knob.name}"] = partial(_seconds, grid, knob, generator)
    return drawn


def _success(grid: Grid, knob: Knob) -> Figure:
    def rate(tasks: Sequence[SuiteTask], method: SuiteMethod) -> _Point | None:
        rates = [success_by_seed(grid.ended(task, method)) for task in tasks]
        return clustered_mean_rate(rates) if all(rates) else None

    shown = panels(grid, knob)
    figure, axes_of = _draw(grid, knob, [*shown, *_average(grid, shown)], rate, attrgetter("rate"))
    for axes in axes_of:
        axes.set_ylim(-0.02, 1.02)
        axes.set_yticks([0.0, 0.5, 1.0], ["0", "50", "100%"])
    figure.supylabel("success", fontsize=7.5)
    return figure


def _seconds(grid: Grid, knob: Knob, generator: np.random.Generator) -> Figure | None:
    def seconds(tasks: Sequence[SuiteTask], method: SuiteMethod) -> _Point | None:
        records = [(t, r) for t in tasks for r in grid.ended(t, method)]
        found = [execution_seconds(r, t) for t, r in records]
        seeds = [r.key.seed for _, r in records]
        return (fmean(found), *mean_interval(found, generator, seeds)) if found else None

    limited = [
        panel
        for panel in panels(grid, knob)
        if all(task.limit_s is not None for tasks in panel.tasks.values() for task in tasks)
    ]
    if not limited:
        return None
    figure, axes_of = _draw(grid, knob, limited, seconds, attrgetter("seconds"))
    for axes in axes_of:
        axes.set_ylim(bottom=0.0)
    figure.supylabel("seconds, a failure at the limit", fontsize=7.5)
    return figure


def _average(grid: Grid, shown: Sequence[Panel]) -> list[Panel]:
    """The average of all panels, or of the paper's if it has any; empty if their values differ."""
    papers = [p for p in shown if any(grid.in_paper(t) for ts in p.tasks.values() for t in ts)]
    over = papers or shown
    values = list(over[0].tasks)
    if len(over) < 2 or any(list(panel.tasks) != values for panel in over):
        return []
    tasks = {value: tuple(t for panel in over for t in panel.tasks[value]) for value in values}
    return [Panel(f"average of {len(over)}{' in the paper' if papers else ''}", tasks)]


def _draw(
    grid: Grid,
    knob: Knob,
    shown: Sequence[Panel],
    measure: _Measure,
    reported: Callable[[Paper], float | None],
) -> tuple[Figure, list[Axes]]:
    down = -(-len(shown) // _ACROSS)
    across = -(-len(shown) // down)
    figure = new_figure(0.8 + 1.55 * down)
    axes_of = panel_axes(figure, len(shown), across)
    in_paper = False
    for panel, axes in zip(shown, axes_of, strict=True):
        in_paper |= _lines(grid, panel, axes, measure, reported)
        axes.set_title(panel.title)
        axes.set_xticks(list(panel.tasks), [f"{value:g}" for value in panel.tasks])
        bare(axes, "y")
    for axes in axes_of[-across:]:
        axes.set_xlabel(knob.name)
    _legend(grid, knob, figure, in_paper)
    return figure, axes_of


def _lines(
    grid: Grid,
    panel: Panel,
    axes: Axes,
    measure: _Measure,
    reported: Callable[[Paper], float | None],
) -> bool:
    """A line for each method. Returns whether the paper has any figure here."""
    in_paper, wide = False, max(panel.tasks) - min(panel.tasks)
    step = min(b - a for a, b in pairwise(panel.tasks))
    spread = min(_SPREAD * step, _APART * wide * len(grid.methods))
    for i, method in enumerate(grid.methods):
        aside = spread * ((i + 0.5) / len(grid.methods) - 0.5)
        points = {value: measure(tasks, method) for value, tasks in panel.tasks.items()}
        known = {value + aside: point for value, point in points.items() if point is not None}
        style = _style(i)
        axes.plot(list(known), [mean for mean, _, _ in known.values()], clip_on=False, **style)
        for x, (_, low, high) in known.items():
            if math.isfinite(low):
                axes.vlines(x, low, high, color=style["color"], linewidth=0.8, alpha=0.7)
        for value, tasks in panel.tasks.items():
            figure = grid.paper(tasks[0], method) if len(tasks) == 1 else None
            theirs = reported(figure) if figure else None
            if theirs is not None:
                in_paper = True
                axes.plot(value + aside, theirs, clip_on=False, **_hollow(style))
    return in_paper


def _style(i: int) -> dict[str, Any]:
    return {
        "color": INKS[i % len(INKS)], "marker": MARKERS[i % len(MARKERS)], "markersize": 4,
        "markeredgecolor": "black", "markeredgewidth": 0.4, "linewidth": 1.0,
        "linestyle": _LINES[i % len(_LINES)],
    }  # fmt: skip


def _hollow(style: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **style, "linestyle": "", "markerfacecolor": "none", "markeredgecolor": style["color"],
        "markeredgewidth": 0.7, "markersize": 5.5,
    }  # fmt: skip


def _legend(grid: Grid, knob: Knob, figure: Figure, in_paper: bool) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415

    marks = [Line2D([], [], label=method_label(m), **_style(i)) for i, m in enumerate(grid.methods)]
    if in_paper:
        marks.append(
            Line2D([], [], label="hollow: the paper's", **_hollow(_style(0) | {"color": GREY}))
        )
    figure.legend(
        handles=marks, title=f"{knob.name}: {knob.label}", title_fontsize=7,
        loc="outside lower center", ncols=min(4, len(marks)), frameon=False,
    )  # fmt: skip
