"""Execution times as DoReMi's tables have them: a failure takes as long as the task allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Section, Table
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH, mean_cell, p_value, span
from regrasp.bench.resampling import bootstrap, paired_permutation
from regrasp.bench.statistics import holm
from regrasp.bench.suite import SuiteMethod, SuiteTask
from regrasp.core.outcome import Outcome

__all__ = ["execution_seconds", "execution_section"]


def execution_seconds(record: EpisodeRecord, task: SuiteTask) -> float:
    """The robot's seconds of an episode that succeeded, else the task's limit."""
    if record.outcome is Outcome.SUCCEEDED or task.limit_s is None:
        return record.sim_s
    return task.limit_s


def execution_section(grid: Grid, generator: np.random.Generator) -> Section | None:
    """Methods down, tasks across, the paper's row under ours; then the first against the others.

    None for a suite whose tasks have no limits of their own.
    """
    tasks = tuple(task for task in grid.tasks if task.limit_s is not None)
    if not tasks:
        return None
    head = ("", "", *(task_label(task) for task in tasks))
    rows: list[tuple[Cell, ...]] = []
    for method in grid.methods:
        ours = (mean_cell(_times(grid, task, method), generator) for task in tasks)
        rows.append((Cell(method_label(method), strong=True), Cell("ours"), *ours))
        theirs = [grid.paper(task, method) for task in tasks]
        if any(paper and paper.seconds is not None for paper in theirs):
            cells = (Cell(f"{p.seconds:g}") if p and p.seconds else Cell(DASH) for p in theirs)
            rows.append((Cell(""), Cell("paper"), *cells))
    caption = (
        "Simulated seconds of an episode, the limit of the task where it failed: mean, 95% "
        "bootstrap interval (BCa), episodes."
    )
    blocks: list[Block] = [Table(caption, head, tuple(rows), labels=2)]
    if len(grid.methods) > 1:
        blocks.append(_against(grid, tasks, generator))
    return Section("Execution time", blocks)


def _times(grid: Grid, task: SuiteTask, method: SuiteMethod) -> list[float]:
    return [execution_seconds(record, task) for record in grid.ended(task, method)]


def _against(grid: Grid, tasks: Sequence[SuiteTask], generator: np.random.Generator) -> Table:
    """The first method minus each other one, on the same seeds."""
    first, *others = grid.methods
    found: list[tuple[SuiteMethod, SuiteTask, list[float]]] = []
    for method in others:
        for task in tasks:
            theirs = {r.key.seed: execution_seconds(r, task) for r in grid.ended(task, method)}
            pairs = [
                execution_seconds(r, task) - theirs[r.key.seed]
                for r in grid.ended(task, first)
                if r.key.seed in theirs
            ]
            if pairs:
                found.append((method, task, pairs))
    chances = [paired_permutation(pairs, generator) for _, _, pairs in found]
    rows = [
        (
            Cell(method_label(method)), Cell(task_label(task)), Cell(str(len(pairs))),
            Cell(f"{np.mean(pairs):+.1f}".replace("-", "−"), span(*bootstrap(pairs, generator))),
            Cell(p_value(p)), Cell(p_value(adjusted), strong=adjusted <= 0.05),
        )
        for (method, task, pairs), p, adjusted in zip(found, chances, holm(chances), strict=True)
    ]  # fmt: skip
    caption = (
        f"{method_label(first)} minus each other method in those seconds, on the same seeds, "
        "failures included at the limit: mean, bootstrap interval, p by changing signs at random, "
        "and p adjusted for all rows (Holm). Below zero the first is quicker."
    )
    head = ("against", "where", "pairs", "difference, s", "p", "Holm")
    return Table(caption, head, tuple(rows), labels=2)
