"""Figures 3 and 4 of CoPAL: changes of the plan by level, and executable plans against time."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from regrasp.bench.report.grid import Grid, method_label
from regrasp.bench.report.plans import executable
from regrasp.bench.statistics import bootstrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["executability_figure", "replans_figure"]

_SPREAD = 0.5  # of the dots of a bar, in bars


def replans_figure(grid: Grid, generator: np.random.Generator) -> Figure | None:
    """Two panels, high and mid level: a bar for each method, a dot for each episode."""
    if grid.suite.plans is None:
        return None
    figure = new_figure(2.4)
    panels = panel_axes(figure, 2, 2)
    _bars(grid, panels[0], [[r.high_replans for r in grid.of_method(m)] for m in grid.methods],
          generator)  # fmt: skip
    _bars(grid, panels[1], [[r.mid_replans for r in grid.of_method(m)] for m in grid.methods],
          generator)  # fmt: skip
    panels[0].set_title("high level: new plans of the language model")
    panels[1].set_title("mid level: repairs by rules")
    panels[0].set_ylabel("changes of the plan in an episode")
    return figure


def _bars(
    grid: Grid, axes: Axes, values: Sequence[Sequence[int]], generator: np.random.Generator
) -> None:
    for i, counts in enumerate(values):
        if not counts:
            continue
        mean = fmean(counts)
        axes.bar(i, mean, 0.7, color=INKS[i % 8], hatch=HATCHES[i % 8], edgecolor="black",
                 linewidth=0.5)  # fmt: skip
        aside = np.linspace(-_SPREAD / 2, _SPREAD / 2, len(counts)) if len(counts) > 1 else [0.0]
        axes.plot([i + float(by) for by in aside], counts, linestyle="", marker="o", markersize=2,
                  color=GREY, alpha=0.6, clip_on=False)  # fmt: skip
        low, high = bootstrap(counts, generator)
        if math.isfinite(low):
            axes.errorbar(i, mean, [[mean - low], [high - mean]], fmt="none", ecolor="black",
                          elinewidth=0.8, capsize=1.8)  # fmt: skip
    labels = [method_label(method) for method in grid.methods]
    slanted = max(map(len, labels)) > 4
    axes.set_xticks(range(len(labels)), labels, rotation=30 if slanted else 0,
                    ha="right" if slanted else "center")  # fmt: skip
    most = max((count for counts in values for count in counts), default=0)
    axes.set_ylim(0.0, 1.06 * max(most, 1))
    bare(axes, "y")


def executability_figure(grid: Grid) -> Figure | None:
    """Two panels, seconds of the language model and of the robot: a mark for each method."""
    plans = grid.suite.plans
    if plans is None:
        return None
    figure = new_figure(2.7)
    panels = panel_axes(figure, 2, 2, sharey=True)
    times = (
        ("wall seconds in the language model", _language_s),
        ("robot's seconds (simulated)", _robot_s),
    )
    for axes, (label, seconds) in zip(panels, times, strict=True):
        for i, method in enumerate(grid.methods):
            records = grid.of_method(method)
            rate = executable(records)
            if rate.value is None:
                continue
            x, (low, high) = seconds(records), rate.interval
            axes.vlines(x, low, high, color=INKS[i % 8], linewidth=0.8)
            axes.plot(x, rate.value, linestyle="", marker=MARKERS[i % 9], markersize=5,
                      color=INKS[i % 8], markeredgecolor="black", markeredgewidth=0.4,
                      label=method_label(method), clip_on=False)  # fmt: skip
            if method.name in plans.executable:
                axes.plot(x, plans.executable[method.name], linestyle="", marker="D",
                          markersize=3.2, color="white", markeredgecolor=INKS[i % 8],
                          clip_on=False)  # fmt: skip
        axes.set_xlabel(label)
        axes.set_xlim(left=0.0)
        bare(axes, "y")
    panels[0].set_ylim(-0.02, 1.02)
    panels[0].set_yticks([0.0, 0.5, 1.0], ["0", "50", "100%"])
    panels[0].set_ylabel("executable plans")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(8, len(labels)),
                  frameon=False)  # fmt: skip
    return figure


def _language_s(records: Sequence[EpisodeRecord]) -> float:
    return fmean(r.language_s for r in records)


def _robot_s(records: Sequence[EpisodeRecord]) -> float:
    return fmean(r.sim_s for r in records)
