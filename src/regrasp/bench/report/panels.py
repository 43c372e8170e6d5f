"""Which tasks of a run differ only in how much goes wrong, to be drawn against that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from regrasp.bench.knob import Knob
from regrasp.bench.report.grid import Grid
from regrasp.bench.suite import SuiteTask

__all__ = ["Panel", "panels", "trend_caption", "varying"]


@dataclass(frozen=True, slots=True)
class Panel:
    """Tasks that differ in one knob only, by its value, in order; of several, the average."""

    title: str
    tasks: Mapping[float, tuple[SuiteTask, ...]]


def varying(grid: Grid) -> tuple[Knob, ...]:
    """The knobs that stand at several values in a run, all else alike."""
    return tuple(knob for knob in grid.suite.knobs if panels(grid, knob))


def panels(grid: Grid, knob: Knob) -> list[Panel]:
    """A panel for all that is alike but for `knob` and has at least two values of it."""
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
    """What stands under a figure of `what` against a knob."""
    said = f"{what} against {knob.label}: a line for each method, with 95% intervals."
    return f"{said} Hollow marks: the paper's." if grid.suite.figures else said
