"""Execution times as in DoReMi's tables: a failure counts with the task's time limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, task_label, trend_caption, varying
from regrasp.bench.report.numbers import mean_cell
from regrasp.bench.report.paired import differences_table, paired
from regrasp.bench.report.tables import Filling, paper_tables
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["execution_seconds", "execution_section", "saved_section"]


def execution_seconds(record: EpisodeRecord, task: SuiteTask) -> float:
    """The robot's seconds of an episode that succeeded, else the task's limit."""
    if record.succeeded or task.limit_s is None:
        return record.sim_s
    return task.limit_s


def execution_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """The paper's tables with our figures; None if no task has a limit of its own."""
    tasks = _limited(grid)
    if not tasks:
        return None
    caption = (
        "Simulated seconds of an episode, the limit of the task where it failed: mean, 95% "
        "bootstrap interval (BCa), episodes."
    )
    filling = Filling(
        ours=lambda task, method: mean_cell(_times(grid, task, method), generator),
        paper=lambda task, method: _paper(grid, task, method),
    )
    blocks: list[Block] = paper_tables(grid, tasks, filling, caption)
    for knob in varying(grid):
        blocks.append(Picture(f"time-{knob.name}", trend_caption(grid, knob, "Seconds")))
    return ReportSection("Execution time", blocks)


def saved_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """The seconds of the first method against the others; None without limits or others."""
    tasks = _limited(grid)
    if not tasks or len(grid.methods) < 2:
        return None
    return ReportSection("Difference in time", [_against(grid, tasks, generator)])


def _limited(grid: Grid) -> tuple[SuiteTask, ...]:
    """The tasks with a limit of their own."""
    return tuple(task for task in grid.tasks if task.limit_s is not None)


def _paper(grid: Grid, task: SuiteTask, method: SuiteMethod) -> Cell | None:
    figure = grid.paper(task, method)
    if figure is None or figure.seconds is None:
        return None
    return Cell(f"{figure.seconds:g}", f"n = {figure.episodes}")


def _times(grid: Grid, task: SuiteTask, method: SuiteMethod) -> list[float]:
    return [execution_seconds(record, task) for record in grid.ended(task, method)]


def _against(grid: Grid, tasks: Sequence[SuiteTask], generator: np.random.Generator) -> Table:
    """The first method minus each other one, on the same seeds: by table, then by task."""
    first, *others = grid.methods
    several = {name: group for name, group in grid.tables(tasks).items() if len(group) > 1}
    where = [*several.items(), *((task_label(task), (task,)) for task in tasks)]
    found = [
        (method, name, pairs)
        for method in others
        for name, group in where
        if name and (pairs := _differences(grid, group, first, method))
    ]
    caption = (
        f"{method_label(first)} minus each other method in those seconds, on the same seeds, "
        "failures included at the limit: mean, bootstrap interval, p by changing signs at random, "
        "and p adjusted for all rows (Holm). A seed counts once, with the mean of its pairs. Below "
        "zero the first is quicker."
    )
    return differences_table(caption, found, generator)


def _differences(
    grid: Grid, tasks: Sequence[SuiteTask], first: SuiteMethod, other: SuiteMethod
) -> list[tuple[int, float]]:
    """Seed, and seconds of the first minus the other's, where both finished."""
    return [
        (a.key.seed, execution_seconds(a, task) - execution_seconds(b, task))
        for task in tasks
        for a, b in paired(grid, (task,), first, other)
    ]
