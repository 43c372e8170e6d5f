"""How often each method did each task: the paper's table with ours in it."""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.bench.checkers import Rate
from regrasp.bench.report.document import Cell, Picture, Section, Table
from regrasp.bench.report.grid import Grid, method_label, success, task_label
from regrasp.bench.report.numbers import DASH, percent, rate_cell
from regrasp.bench.statistics import mean_rate
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["success_section"]

_INTERVALS = (
    "Each cell: the rate, episodes that succeeded of those that ended, and Wilson's 95% interval. "
    "Broken episodes (a fault of ours, not of the method) are in no rate. "
)


def success_section(grid: Grid) -> Section:
    """Methods down, tasks across, the average last; the paper's row under ours."""
    averaged = tuple(t for t in grid.tasks if _in_paper(grid, t)) or grid.tasks
    head = ("", "", *(task_label(task) for task in grid.tasks), "average")
    rows: list[tuple[Cell, ...]] = []
    for method in grid.methods:
        ours = {task.name: success(grid.ended(task, method)) for task in grid.tasks}
        cells = (rate_cell(rate, strong=True) for rate in ours.values())
        average = _average([ours[task.name] for task in averaged])
        rows.append((Cell(method_label(method), strong=True), Cell("ours"), *cells, average))
        theirs = {task.name: _paper(grid, task, method) for task in grid.tasks}
        if any(rate.n for rate in theirs.values()):
            cells = (rate_cell(rate) for rate in theirs.values())
            average = _average([theirs[task.name] for task in averaged])
            rows.append((Cell(""), Cell("paper"), *cells, average))
    caption = _INTERVALS
    if grid.suite.figures:
        caption += (
            f"The rows of the paper ({grid.suite.source}) rest on its own counts of episodes, and "
            "we computed their intervals from those. "
        )
    caption += "The average gives each task the same weight"
    caption += " and is over the tasks that the paper has" if averaged != grid.tasks else ""
    caption += "; its interval is recovered from theirs (MOVER)."
    picture = "Success in each task. Bars and whiskers: ours, with 95% intervals"
    picture += "; diamonds: the paper's rates." if grid.suite.figures else "."
    table = Table(caption, head, tuple(rows), labels=2)
    return Section("Success", [table, Picture("success", picture)])


def _in_paper(grid: Grid, task: SuiteTask) -> bool:
    return any(grid.paper(task, method) for method in grid.methods)


def _paper(grid: Grid, task: SuiteTask, method: SuiteMethod) -> Rate:
    figure = grid.paper(task, method)
    return Rate(round(figure.rate * figure.episodes), figure.episodes) if figure else Rate(0, 0)


def _average(rates: Sequence[Rate]) -> Cell:
    counts = [(rate.hits, rate.n) for rate in rates if rate.n]
    if not counts:
        return Cell(DASH)
    mean, low, high = mean_rate(counts)
    tasks = "task" if len(counts) == 1 else "tasks"
    return Cell(percent(mean), f"{len(counts)} {tasks}, {100 * low:.0f}–{100 * high:.0f}%")
