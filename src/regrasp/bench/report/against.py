"""A run against another run of the same tasks, methods and seeds: what differs between the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from regrasp.bench.clustered import by_seed, clustered_difference, seed_means, sign_change_test
from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Cell, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, success, task_label
from regrasp.bench.report.numbers import DASH, interval, p_value, percentage_points, rate_cell
from regrasp.bench.statistics import bootstrap
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["AGAINST", "against_section"]

_Pair: TypeAlias = tuple[EpisodeRecord, EpisodeRecord]

AGAINST = "Against the table "
"""How the heading of the section begins; the name of the other table follows."""


def against_section(
    grid: Grid, other: Grid, name: str, generator: np.random.Generator
) -> ReportSection:
    """Pairs of episodes with the same task, method and seed; `name` is the other run's table."""
    every: list[_Pair] = []
    rows = []
    for method in grid.methods:
        pairs = {task: _pairs(grid, other, task, method) for task in grid.tasks}
        of_method = [pair for some in pairs.values() for pair in some]
        every += of_method
        if len(pairs) > 1 and of_method:
            rows.append(_row(method_label(method), "all tasks", of_method, generator))
        rows += [
            _row(method_label(method), task_label(task), some, generator)
            for task, some in pairs.items()
            if some
        ]
    if len(grid.methods) > 1 and every:
        rows.insert(0, _row("all", "all tasks", every, generator))
    caption = (
        f"Each episode with the episode of the table {name} that has the same task, method and "
        "seed. Success of each run, and this run minus the other, in percentage points, with "
        "Newcombe's interval for pairs; p by all changes of signs. Seconds, where both succeeded: "
        "the mean and its bootstrap interval. All are clustered by seed."
    )
    head = (
        "", "where", "pairs", "seeds", "this run", name, "difference", "p", "difference, s",
    )  # fmt: skip
    return ReportSection(f"{AGAINST}{name}", [Table(caption, head, tuple(rows), labels=2)])


def _pairs(grid: Grid, other: Grid, task: SuiteTask, method: SuiteMethod) -> list[_Pair]:
    """The episodes of a cell that ended in both runs."""
    theirs = {record.key.seed: record for record in other.ended(task, method)}
    return [(r, theirs[r.key.seed]) for r in grid.ended(task, method) if r.key.seed in theirs]


def _row(
    method: str,
    where: str,
    pairs: Sequence[_Pair],
    generator: np.random.Generator,
) -> tuple[Cell, ...]:
    clusters = by_seed((a.key.seed, (a.succeeded, b.succeeded)) for a, b in pairs)
    difference, low, high = clustered_difference(clusters)
    p = sign_change_test([sum(a - b for a, b in some) for some in clusters])
    seconds = seed_means(
        (a.key.seed, a.sim_s - b.sim_s) for a, b in pairs if a.succeeded and b.succeeded
    )
    mean = f"{_near_zero(np.mean(seconds)):+.1f}".replace("-", "−") if seconds else DASH
    return (
        Cell(method), Cell(where), Cell(str(len(pairs))), Cell(str(len(clusters))),
        rate_cell(success([a for a, _ in pairs])), rate_cell(success([b for _, b in pairs])),
        Cell(percentage_points(difference), interval(low, high, 100)), Cell(p_value(p)),
        Cell(mean, interval(*map(_near_zero, bootstrap(seconds, generator)))),
    )  # fmt: skip


def _near_zero(seconds: float | np.floating) -> float:
    """Seconds to a tenth, so that none is shown as −0.0."""
    return round(float(seconds), 1) + 0.0
