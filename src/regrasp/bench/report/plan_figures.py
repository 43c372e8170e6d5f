"""Figures 3 and 4 of CoPAL: changes of the plan by level, and executable plans against time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.figure_style import (
    GREY,
    HATCHES,
    INKS,
    MARKERS,
    bare,
    new_figure,
    panel_axes,
)
from regrasp.bench.report.grid import Grid, executable, method_label
from regrasp.bench.report.numbers import mean_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["executability_figure", "replans_figure"]

_SPREAD = 0.5  # of the dots of a bar, in bars


def replans_figure(grid: Grid, generator: np.random.Generator) -> Figure | None:
    """Two panels, high and mid level: a bar for each method, a dot for each episode."""
    if grid.suite.plans is None:
        return None
    figure = new_figure(0.7 + 0.22 * len(grid.methods))
    panels = panel_axes(figure, 2, 2, sharey=True)
    counts: Mapping[str, Callable[[EpisodeRecord], int]] = {
        "high level: new plans of the language model": lambda r: r.high_replans,
        "mid level: repairs by rules": lambda r: r.mid_replans,
    }
    for axes, (title, count) in zip(panels, counts.items(), strict=True):
        records = [grid.of_method(m) for m in grid.methods]
        _bars(axes, [[(r.key.seed, count(r)) for r in some] for some in records], generator)
        axes.set_title(title)
        axes.set_xlabel("changes of the plan in an episode")
    panels[0].set_yticks(range(len(grid.methods)), map(method_label, grid.methods))
    panels[0].set_ylim(len(grid.methods) - 0.4, -0.6)
    return figure


def _bars(
    axes: Axes, values: Sequence[Sequence[tuple[int, int]]], generator: np.random.Generator
) -> None:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  -- an extra, slow to import

    for i, some in enumerate(values):
        if not some:
            continue
        seeds, counts = [seed for seed, _ in some], [count for _, count in some]
        mean = fmean(counts)
        axes.barh(i, mean, 0.7, color=INKS[i % 8], hatch=HATCHES[i % 8], edgecolor="black",
                  linewidth=0.5)  # fmt: skip
        aside = np.linspace(-_SPREAD / 2, _SPREAD / 2, len(counts)) if len(counts) > 1 else [0.0]
        axes.plot(counts, [i + float(by) for by in aside], linestyle="", marker="o", markersize=2,
                  color=GREY, alpha=0.6, clip_on=False)  # fmt: skip
        low, high = mean_interval(counts, generator, seeds)
        if math.isfinite(low):
            axes.errorbar(mean, i, xerr=[[mean - low], [high - mean]], fmt="none", ecolor="black",
                          elinewidth=0.8, capsize=1.8)  # fmt: skip
    most = max((count for some in values for _, count in some), default=0)
    axes.set_xlim(0.0, 1.06 * max(most, 1))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    bare(axes, "x")


def executability_figure(grid: Grid) -> Figure | None:
    """Two panels, calls of the language model and seconds: a mark for each method."""
    plans = grid.suite.plans
    if plans is None:
        return None
    figure = new_figure(2.7)
    panels = panel_axes(figure, 2, 2, sharey=True)
    costs: Mapping[str, Callable[[EpisodeRecord], float]] = {
        "calls of the language model": lambda r: r.language_calls,
        "seconds of the robot and the language model": lambda r: r.sim_s + r.language_s,
    }
    for axes, (label, cost) in zip(panels, costs.items(), strict=True):
        for i, method in enumerate(grid.methods):
            records = grid.of_method(method)
            rate = executable(records)
            if rate.value is None:
                continue
            x, (low, high) = fmean(map(cost, records)), rate.interval
            axes.vlines(x, low, high, color=INKS[i % 8], linewidth=0.8)
            axes.plot(x, rate.value, linestyle="", marker=MARKERS[i % 9], markersize=5,
                      color=INKS[i % 8], markeredgecolor="black", markeredgewidth=0.4,
                      label=method_label(method), clip_on=False)  # fmt: skip
            if method.name in plans.executable:
                axes.plot(x, plans.executable[method.name], linestyle="", marker="D",
                          markersize=3.2, color="white", markeredgecolor=INKS[i % 8],
                          clip_on=False)  # fmt: skip
        axes.set_xlabel(label)
        axes.margins(x=0.08)
        axes.set_xlim(left=0.0)
        bare(axes, "y")
    panels[0].set_ylim(-0.02, 1.02)
    panels[0].set_yticks([0.0, 0.5, 1.0], ["0", "50", "100%"])
    panels[0].set_ylabel("executable plans")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(8, len(labels)),
                  frameon=False)  # fmt: skip
    return figure
