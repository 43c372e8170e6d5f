"""Tables in the shape of the paper's: our rows above the paper's, one table per suite heading.

Most papers have methods down and tasks across, some the reverse (`Suite.methods_across`). There
the tasks are degrees of one disturbance, and an average over them would be meaningless.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regrasp.bench.report.document import Block, Cell, Table, Text
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["Filling", "paper_tables"]


@dataclass(frozen=True, slots=True)
class Filling:
    """The contents of a cell and of a row's average: ours, and the paper's or None."""

    ours: Callable[[SuiteTask, SuiteMethod], Cell]
    paper: Callable[[SuiteTask, SuiteMethod], Cell | None]
    average: Callable[[Sequence[SuiteTask], SuiteMethod], tuple[Cell, Cell]] | None = None


def paper_tables(
    grid: Grid, tasks: Sequence[SuiteTask], filling: Filling, caption: str
) -> list[Block]:
    """One table with `caption`; or several under their headings, after `caption` as a paragraph."""
    groups = grid.tables(tasks)
    lay = _methods_across if grid.suite.methods_across else _tasks_across
    if len(groups) == 1:
        return [lay(grid, tasks, filling, caption)]
    return [Text(caption), *(lay(grid, group, filling, head) for head, group in groups.items())]


def _tasks_across(grid: Grid, tasks: Sequence[SuiteTask], filling: Filling, caption: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for method in grid.methods:
        ours = [filling.ours(task, method) for task in tasks]
        paper = [filling.paper(task, method) for task in tasks]
        ends = filling.average(tasks, method) if filling.average else None
        end = [[cell] for cell in ends] if ends else [[], []]
        rows.append((Cell(method_label(method), strong=True), Cell("ours"), *ours, *end[0]))
        if any(paper):
            rows.append((Cell(""), Cell("paper"), *(c or Cell(DASH) for c in paper), *end[1]))
    head = ("", "", *map(task_label, tasks), *(["average"] if filling.average else []))
    return Table(caption, head, tuple(rows), labels=2)


def _methods_across(
    grid: Grid, tasks: Sequence[SuiteTask], filling: Filling, caption: str
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for task in tasks:
        paper = [filling.paper(task, method) for method in grid.methods]
        ours = (filling.ours(task, method) for method in grid.methods)
        rows.append((Cell(task_label(task), strong=True), Cell("ours"), *ours))
        if any(paper):
            rows.append((Cell(""), Cell("paper"), *(cell or Cell(DASH) for cell in paper)))
    return Table(caption, ("", "", *map(method_label, grid.methods)), tuple(rows), labels=2)
