"""Which method is better: the first against each other one, on the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regrasp.bench.clustered import by_seed, clustered_difference, seed_means, sign_change_test
from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Cell, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH, adjusted_p, interval, p_value, percentage_points
from regrasp.bench.statistics import bootstrap, holm, paired_permutation
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
    def by_seed(self) -> list[list[tuple[bool, bool]]]:
        """Whether each of the two succeeded, for the pairs of each seed."""
        return by_seed((a.key.seed, (a.succeeded, b.succeeded)) for a, b in self.pairs)

    @property
    def p(self) -> float:
        return sign_change_test([sum(a - b for a, b in some) for some in self.by_seed])

    @property
    def difference(self) -> tuple[float, float, float]:
        """The difference of the rates, and its interval."""
        return clustered_difference(self.by_seed)

    @property
    def seconds(self) -> list[tuple[int, float]]:
        """The difference in simulated time of the pairs that both succeeded, with their seeds."""
        both = ((a, b) for a, b in self.pairs if a.succeeded and b.succeeded)
        return [(a.key.seed, a.sim_s - b.sim_s) for a, b in both]


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
        "episodes ended. The pairs of one seed are one cluster, because they share their luck. p "
        "is exact and two-sided, over all changes of the signs of the seeds' differences (with one "
        "pair for each seed it is McNemar's). The difference is in percentage points, with "
        "Newcombe's interval for pairs, divided by the design effect of the seeds."
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
        "bootstrap interval, and p by changing signs at random, adjusted likewise; a seed counts "
        "once, with the mean of its pairs. The pairs are "
        "chosen by their outcome: they give no evidence on scenes that only one of the two can do."
    )
    return ReportSection(
        f"{name} against the others",
        [
            Text(text),
            Text(many),
            Text(_in_words(name, whole)),
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


def _in_words(first: str, rows: Sequence[_Pairs]) -> str:
    """The effect of each pooled comparison with its interval and adjusted p, as sentences."""
    words = []
    for row, p in zip(rows, holm([row.p for row in rows]), strict=True):
        if row.pairs:
            difference, low, high = row.difference
            words.append(
                f"{first} minus {method_label(row.method)}, {row.task}: "
                f"{percentage_points(difference)} points ({interval(low, high, 100)}), adjusted "
                f"p {adjusted_p(p)}, {len(row.by_seed)} seeds."
            )
    return " ".join(words) or "No pair of episodes ended."


def _outcomes(caption: str, rows: Sequence[_Pairs]) -> Table:
    head = (
        "against", "where", "pairs", "seeds", "both", "only the first", "only the other", "neither",
        "difference", "p", "Holm",
    )  # fmt: skip
    adjusted = holm([row.p for row in rows])
    cells = []
    for row, p in zip(rows, adjusted, strict=True):
        counts = [row.count(a, b) for a in (True, False) for b in (True, False)]
        difference, low, high = row.difference
        change = (
            Cell(DASH)
            if not row.pairs
            else Cell(percentage_points(difference), interval(low, high, 100))
        )
        cells.append(
            (
                Cell(method_label(row.method)), Cell(row.task), Cell(str(len(row.pairs))),
                Cell(str(len(row.by_seed))),
                *(Cell(str(n)) for n in counts), change, Cell(p_value(row.p)),
                Cell(p_value(p), strong=p <= 0.05),
            )
        )  # fmt: skip
    return Table(caption, head, tuple(cells), labels=2)


def differences_table(
    caption: str,
    rows: Sequence[tuple[SuiteMethod, str, Sequence[tuple[int, float]]]],
    generator: np.random.Generator,
) -> Table:
    """Seconds of the first method minus another's: (other method, where, (seed, difference)s)."""
    means = [seed_means(seconds) for _, _, seconds in rows]
    p_values = [paired_permutation(each, generator) for each in means]
    cells = []
    for (method, where, seconds), per_seed, p, adjusted in zip(
        rows, means, p_values, holm(p_values), strict=True
    ):
        mean = f"{np.mean(per_seed):+.1f}".replace("-", "−") if per_seed else DASH
        cells.append(
            (
                Cell(method_label(method)), Cell(where), Cell(str(len(seconds))),
                Cell(str(len(per_seed))),
                Cell(mean, interval(*bootstrap(per_seed, generator))),
                Cell(p_value(p)), Cell(p_value(adjusted), strong=adjusted <= 0.05),
            )
        )  # fmt: skip
    head = ("against", "where", "pairs", "seeds", "difference, s", "p", "Holm")
    return Table(caption, head, tuple(cells), labels=2)
