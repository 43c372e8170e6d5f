"""The success rate of each method in each task: the paper's table with our figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from regrasp.bench.answer_scores import Rate
from regrasp.bench.clustered import clustered_mean_rate
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection
from regrasp.bench.report.grid import Grid, success_by_seed, success_cell, trend_caption, varying
from regrasp.bench.report.numbers import DASH, percent, rate_cell
from regrasp.bench.report.tables import Filling, paper_tables
from regrasp.bench.statistics import mean_rate
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["success_section"]

_Counts = TypeVar("_Counts")

_INTERVALS = (
    "Each cell: the rate, episodes that succeeded of those that ended, and Wilson's 95% interval. "
    "An episode succeeds if the judge finds the task done and the agent claims so. “Reached, not "
    "claimed”: done by the judge, but the agent gave up or was stopped; no success. Broken "
    "episodes (a fault of Regrasp, not of the method) are in no rate. "
)


def success_section(grid: Grid) -> ReportSection:
    """The paper's tables with our figures, a bar for each cell, and a line for each knob."""
    caption = _INTERVALS
    if grid.suite.figures:
        caption += (
            f"The rows of the paper ({grid.suite.source}) rest on its own counts of episodes, and "
            "we computed their intervals from those. "
        )
    averaged = all(map(grid.in_paper, grid.tasks)) or not any(map(grid.in_paper, grid.tasks))
    if not grid.suite.methods_across:
        caption += "The average gives each task the same weight"
        caption += "" if averaged else " and is over the tasks that the paper has"
        caption += "; its interval is recovered from theirs (MOVER) and clustered by seed."
    filling = Filling(
        ours=lambda task, method: success_cell(grid.ended(task, method)),
        paper=lambda task, method: (
            rate_cell(rate) if (rate := _paper(grid, task, method)).n else None
        ),
        average=lambda tasks, method: _averages(grid, tasks, method),
    )
    picture = "Success in each task. Bars and whiskers: ours, with 95% intervals"
    picture += "; diamonds: the paper's rates." if grid.suite.figures else "."
    blocks: list[Block] = paper_tables(grid, grid.tasks, filling, caption)
    blocks.append(Picture("success", picture))
    for knob in varying(grid):
        blocks.append(Picture(f"success-{knob.name}", trend_caption(grid, knob, "Success")))
    return ReportSection("Success", blocks)


def _averages(grid: Grid, tasks: Sequence[SuiteTask], method: SuiteMethod) -> tuple[Cell, Cell]:
    over = [task for task in tasks if grid.in_paper(task)] or tasks
    ours = [success_by_seed(grid.ended(task, method)) for task in over]
    paper = [_paper(grid, task, method) for task in over]
    counts = [(rate.hits, rate.n) for rate in paper if rate.n]
    return (
        _average([task for task in ours if task], clustered_mean_rate),
        _average(counts, mean_rate),
    )


def _paper(grid: Grid, task: SuiteTask, method: SuiteMethod) -> Rate:
    figure = grid.paper(task, method)
    return Rate(round(figure.rate * figure.episodes), figure.episodes) if figure else Rate(0, 0)


def _average(
    rates: Sequence[_Counts], mean_of: Callable[[Sequence[_Counts]], tuple[float, float, float]]
) -> Cell:
    if not rates:
        return Cell(DASH)
    mean, low, high = mean_of(rates)
    tasks = "task" if len(rates) == 1 else "tasks"
    return Cell(percent(mean), f"{len(rates)} {tasks}, {100 * low:.0f}–{100 * high:.0f}%")
