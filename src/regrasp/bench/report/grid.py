"""The records of a run in the layout of its tables: tasks across, methods down; and as panels,
whose tasks differ only in a knob, to be plotted against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from regrasp.bench.answer_scores import Rate
from regrasp.bench.record import NOT_CLAIMED, EpisodeRecord
from regrasp.bench.report.document import Cell
from regrasp.bench.report.numbers import rate_cell
from regrasp.bench.suite import Knob, Paper, Suite, SuiteMethod, SuiteTask

__all__ = [
    "Grid",
    "Panel",
    "executable",
    "method_label",
    "panels",
    "success",
    "success_by_seed",
    "success_cell",
    "task_label",
    "trend_caption",
    "varying",
]


@dataclass(frozen=True, slots=True)
class Grid:
    """The tasks and methods of a suite that have episodes in a run, in the suite's order."""

    suite: Suite
    tasks: tuple[SuiteTask, ...]
    methods: tuple[SuiteMethod, ...]
    cells: dict[tuple[str, str], tuple[EpisodeRecord, ...]]

    @classmethod
    def of(cls, suite: Suite, records: Sequence[EpisodeRecord]) -> Grid:
        """Lay out `records`, all of `suite`."""
        cells: dict[tuple[str, str], list[EpisodeRecord]] = {}
        for record in records:
            cells.setdefault((record.key.task, record.key.method), []).append(record)
        tasks, methods = ({key[i] for key in cells} for i in (0, 1))
        return cls(
            suite,
            suite.chosen_tasks(tasks),
            suite.chosen_methods(methods),
            {k: tuple(sorted(found, key=lambda r: r.key.seed)) for k, found in cells.items()},
        )

    def all(self, task: SuiteTask, method: SuiteMethod) -> tuple[EpisodeRecord, ...]:
        """Every episode of a cell, by seed."""
        return self.cells.get((task.name, method.name), ())

    def ended(self, task: SuiteTask, method: SuiteMethod) -> tuple[EpisodeRecord, ...]:
        """Those that are not broken: the basis of rates and means."""
        return tuple(r for r in self.all(task, method) if r.ended)

    def of_method(self, method: SuiteMethod) -> tuple[EpisodeRecord, ...]:
        """The ended episodes of a method, over all tasks."""
        return tuple(r for task in self.tasks for r in self.ended(task, method))

    def paper(self, task: SuiteTask, method: SuiteMethod) -> Paper | None:
        """The paper's figures for a cell."""
        return self.suite.figures.get(method.name, {}).get(task.name)

    def tables(self, tasks: Sequence[SuiteTask]) -> dict[str, tuple[SuiteTask, ...]]:
        """`tasks` by the heading of their table, in order."""
        heads = dict.fromkeys(task.table for task in tasks)
        return {head: tuple(task for task in tasks if task.table == head) for head in heads}

    def in_paper(self, task: SuiteTask) -> bool:
        """Whether the paper reports a figure for a task."""
        return any(self.paper(task, method) for method in self.methods)

    def __iter__(self) -> Iterator[EpisodeRecord]:
        return (record for found in self.cells.values() for record in found)


def executable(records: Sequence[EpisodeRecord]) -> Rate:
    """How many of these ended episodes carried a plan out to its end."""
    return Rate.of((r.key.seed, r.executable) for r in records)


def success(records: Sequence[EpisodeRecord]) -> Rate:
    """How many of these ended episodes succeeded."""
    return Rate.of((r.key.seed, r.succeeded) for r in records)


def success_by_seed(records: Sequence[EpisodeRecord]) -> dict[int, tuple[int, int]]:
    """Successes and episodes (0 or 1 of 1) of one task by seed, for clustered intervals."""
    return {record.key.seed: (int(record.succeeded), 1) for record in records}


def success_cell(records: Sequence[EpisodeRecord]) -> Cell:
    """The success of these ended episodes, and how many reached the goal without claiming it."""
    cell = rate_cell(success(records), strong=True)
    unclaimed = sum(r.reached_not_claimed for r in records)
    return replace(cell, small=f"{cell.small}; {unclaimed} {NOT_CLAIMED}") if unclaimed else cell


def task_label(task: SuiteTask) -> str:
    """The name of a task in tables: the paper's name and ours."""
    return f"{task.paper}: {task.name}" if task.paper else task.name


def method_label(method: SuiteMethod) -> str:
    """The name of a method in tables."""
    return method.paper or method.name


@dataclass(frozen=True, slots=True)
class Panel:
    """Tasks that differ in one knob only, by its value, in order; several are averaged."""

    title: str
    tasks: Mapping[float, tuple[SuiteTask, ...]]


def varying(grid: Grid) -> tuple[Knob, ...]:
    """The knobs with several values in a run, all else equal."""
    return tuple(knob for knob in grid.suite.knobs if panels(grid, knob))


def panels(grid: Grid, knob: Knob) -> list[Panel]:
    """A panel for each set of tasks that differ only in `knob` and have at least two values."""
    others = [one for one in grid.suite.knobs if one != knob]
    groups: dict[tuple[str, ...], dict[float, tuple[SuiteTask, ...]]] = {}
    for task in grid.tasks:
        plain = task.of or (task.task or "").partition(":")[0]
        rest = (f"{one.name} = {one.of(task.task):g}" for one in others)
        groups.setdefault((plain, *rest), {})[knob.of(task.task)] = (task,)
    found = {key: by_value for key, by_value in groups.items() if len(by_value) > 1}
    plains = [key[0] for key in found]
    return [
        Panel("\n".join(key if plains.count(key[0]) > 1 else key[:1]), dict(sorted(tasks.items())))
        for key, tasks in found.items()
    ]


def trend_caption(grid: Grid, knob: Knob, what: str) -> str:
    """The caption of a figure of `what` against a knob."""
    hollow = " Hollow marks: the paper's." if grid.suite.figures else ""
    return f"{what} against {knob.label}: a line for each method, with 95% intervals.{hollow}"
