"""Which method is better: the first against each other one, on the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Cell, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH, interval, p_value, percentage_points
from regrasp.bench.statistics import bootstrap, holm, mcnemar, paired_difference, paired_permutation
from regrasp.bench.suite import SuiteMethod, SuiteTask

__all__ = ["differences_table", "paired", "paired_section"]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The first method against another, on the episodes that both finished."""

    method: SuiteMethod
    task: str
    pairs: tuple[tuple[EpisodeRecord, EpisodeRecord], ...]

    def count(self, a: bool, b: bool) -> int:
        """The number of pairs with these outcomes."""
        return sum((x.succeeded, y.succeeded) == (a, b) for x, y in self.pairs)

    @property
    def p(self) -> float:
        return mcnemar(self.count(True, False), self.count(False, True))

    @property
    def seconds(self) -> list[float]:
        """The difference in simulated time of the pairs that both succeeded."""
        return [a.sim_s - b.sim_s for a, b in self.pairs if a.succeeded and b.succeeded]


def paired_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """The first method against each other one, over all tasks and in each; None if it is alone."""
    if len(grid.methods) < 2:
        return None
    first, *others = grid.methods
    whole = [
        _Pairs(m, where, paired(grid, tasks, first, m))
        for m in others
        for where, tasks in _pooled(grid).items()
    ]
    parts = [
        _Pairs(m, task_label(task), pairs)
        for m in others
        for task in grid.tasks
        if (pairs := paired(grid, (task,), first, m))
    ]
    name = method_label(first)
    text = (
        f"{name} is compared with each other method on the same seeds. A pair counts if both "
        "episodes ended. p is McNemar's, exact and two-sided, over the pairs on which the two "
        "differ; the difference is in percentage points, with Newcombe's interval for pairs."
    )
    many = (
        "On many comparisons: with 20 tests of nothing at all, one is expected to fall below 0.05. "
        "The column “Holm” is p adjusted for all rows of its table: claim a difference if that is "
        "small, and the chance of any false claim in the table is no larger. The rows of single "
        f"tasks are a family of their own, of {len(parts)}; with few pairs each they find only "
        "large differences, and finding none shows no equality."
    )
    times = (
        "Simulated seconds, the first method minus the other, where both succeeded: the mean, its "
        "bootstrap interval, and p by changing signs at random, adjusted likewise. The pairs are "
        "chosen by their outcome: they give no evidence on scenes that only one of the two can do."
    )
    return ReportSection(
        f"{name} against the others",
        [
            Text(text),
            Text(many),
            _outcomes("Pooled over tasks.", whole),
            _outcomes("In each task.", parts),
            differences_table(times, [(w.method, w.task, w.seconds) for w in whole], generator),
        ],
    )


def paired(
    grid: Grid, tasks: Sequence[SuiteTask], a: SuiteMethod, b: SuiteMethod
) -> tuple[tuple[EpisodeRecord, EpisodeRecord], ...]:
    """The episodes of two methods on the same tasks and seeds that both ended."""
    found = []
    for task in tasks:
        of_b = {record.key.seed: record for record in grid.ended(task, b)}
        of_a = grid.ended(task, a)
        found += [(r, of_b[r.key.seed]) for r in of_a if r.key.seed in of_b]
    return tuple(found)


def _pooled(grid: Grid) -> dict[str, tuple[SuiteTask, ...]]:
    """The pools of tasks: all tasks, each table if there are several, the paper's own tasks."""
    in_paper = tuple(task for task in grid.tasks if grid.in_paper(task))
    found = {"all tasks": grid.tasks, **grid.tables(grid.tasks), "the paper's tasks": in_paper}
    once = {tasks: where for where, tasks in reversed(found.items()) if tasks}
    return {where: tasks for where, tasks in found.items() if once.get(tasks) == where}


def _outcomes(caption: str, rows: Sequence[_Pairs]) -> Table:
    head = (
        "against", "where", "pairs", "both", "only the first", "only the other", "neither",
        "difference", "p", "Holm",
    )  # fmt: skip
    adjusted = holm([row.p for row in rows])
    cells = []
    for row, p in zip(rows, adjusted, strict=True):
        counts = [row.count(a, b) for a in (True, False) for b in (True, False)]
        difference, low, high = paired_difference(*counts)
        change = (
            Cell(DASH)
            if not row.pairs
            else Cell(percentage_points(difference), interval(low, high, 100))
        )
        cells.append(
            (
                Cell(method_label(row.method)), Cell(row.task), Cell(str(len(row.pairs))),
                *(Cell(str(n)) for n in counts), change, Cell(p_value(row.p)),
                Cell(p_value(p), strong=p <= 0.05),
            )
        )  # fmt: skip
    return Table(caption, head, tuple(cells), labels=2)


def differences_table(
    caption: str,
    rows: Sequence[tuple[SuiteMethod, str, Sequence[float]]],
    generator: np.random.Generator,
) -> Table:
    """Seconds of the first method minus another's, of pairs: (other method, where, differences)."""
    p_values = [paired_permutation(seconds, generator) for _, _, seconds in rows]
    cells = []
    for (method, where, seconds), p, adjusted in zip(rows, p_values, holm(p_values), strict=True):
        mean = f"{np.mean(seconds):+.1f}".replace("-", "−") if seconds else DASH
        cells.append(
            (
                Cell(method_label(method)), Cell(where), Cell(str(len(seconds))),
                Cell(mean, interval(*bootstrap(seconds, generator))),
                Cell(p_value(p)), Cell(p_value(adjusted), strong=adjusted <= 0.05),
            )
        )  # fmt: skip
    head = ("against", "where", "pairs", "difference, s", "p", "Holm")
    return Table(caption, head, tuple(cells), labels=2)
