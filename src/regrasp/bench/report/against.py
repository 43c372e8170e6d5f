"""A run against another run of the same tasks, methods and seeds: what differs between the two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regrasp.bench.clustered import by_seed, clustered_difference, seed_means, sign_change_test
from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Cell, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, success, task_label
from regrasp.bench.report.numbers import DASH, interval, p_value, percentage_points, rate_cell
from regrasp.bench.statistics import bootstrap
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["AGAINST", "against_section"]

AGAINST = "Against the table "
"""How the heading of the section begins; the name of the other table follows."""


def against_section(
    grid: Grid, other: Grid, name: str, generator: np.random.Generator
) -> ReportSection:
    """Pairs of episodes with the same task, method and seed; `name` is the other run's table."""
    rows = []
    for method in grid.methods:
        pools = [("all tasks", grid.tasks)] if len(grid.tasks) > 1 else []
        pools += [(task_label(task), (task,)) for task in grid.tasks]
        for where, tasks in pools:
            pairs = [pair for task in tasks for pair in _pairs(grid, other, task, method)]
            if pairs:
                rows.append(_row(method_label(method), where, pairs, generator))
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


def _pairs(
    grid: Grid, other: Grid, task: SuiteTask, method: SuiteMethod
) -> list[tuple[EpisodeRecord, EpisodeRecord]]:
    """The episodes of a cell that ended in both runs."""
    theirs = {record.key.seed: record for record in other.ended(task, method)}
    return [(r, theirs[r.key.seed]) for r in grid.ended(task, method) if r.key.seed in theirs]


def _row(
    method: str,
    where: str,
    pairs: Sequence[tuple[EpisodeRecord, EpisodeRecord]],
    generator: np.random.Generator,
) -> tuple[Cell, ...]:
    clusters = by_seed((a.key.seed, (a.succeeded, b.succeeded)) for a, b in pairs)
    difference, low, high = clustered_difference(clusters)
    p = sign_change_test([sum(a - b for a, b in some) for some in clusters])
    seconds = seed_means(
        (a.key.seed, a.sim_s - b.sim_s) for a, b in pairs if a.succeeded and b.succeeded
    )
    mean = f"{np.mean(seconds):+.1f}".replace("-", "−") if seconds else DASH
    return (
        Cell(method), Cell(where), Cell(str(len(pairs))), Cell(str(len(clusters))),
        rate_cell(success([a for a, _ in pairs])), rate_cell(success([b for _, b in pairs])),
        Cell(percentage_points(difference), interval(low, high, 100)), Cell(p_value(p)),
        Cell(mean, interval(*bootstrap(seconds, generator))),
    )  # fmt: skip
