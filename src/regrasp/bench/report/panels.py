"""The tasks of a run that differ only in a knob, to be plotted against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from regrasp.bench.knob import Knob
from regrasp.bench.report.grid import Grid
from regrasp.bench.suite import SuiteTask

__all__ = ["Panel", "panels", "trend_caption", "varying"]


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
    said = f"{what} against {knob.label}: a line for each method, with 95% intervals."
    return f"{said} Hollow marks: the paper's." if grid.suite.figures else said
