"""How much goes wrong in a task, as a number that can be varied: `TASK:NAME=VALUE,…`.

A world reads that number behind the name of its task; a suite says by a `Knob` what it means, so
that its tasks can be run at several values and a report can draw what comes of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from regrasp.bench.suite import Suite, SuiteTask

__all__ = ["Knob", "read_values", "vary"]

_Figure = TypeVar("_Figure")


@dataclass(frozen=True, slots=True)
class Knob:
    """A number from `least` to `most`; `label` says what of, `usual` is that of a task without."""

    name: str
    label: str
    usual: float
    least: float
    most: float

    def of(self, task: str | None) -> float:
        """What it is in a world's task, by the name of that."""
        return float(settings(task).get(self.name, self.usual))

    def set(self, task: str | None, value: float) -> str:
        """The name of a world's task with this number at `value`."""
        plain, _, _ = (task or "").partition(":")
        given = {**settings(task), self.name: f"{value:g}"}
        return f"{plain}:{','.join(f'{name}={text}' for name, text in given.items())}"

    def check(self, value: float) -> None:
        """Raise unless it can be `value`."""
        if not self.least <= value <= self.most:
            raise RegraspError(
                f"{self.name} goes from {self.least:g} to {self.most:g} ({self.label}), "
                f"not {value:g}."
            )


def settings(task: str | None) -> dict[str, str]:
    """What stands behind the colon of a task's name, by name."""
    pairs = (part.partition("=") for part in (task or "").partition(":")[2].split(","))
    return {name.strip(): value for name, sign, value in pairs if sign}


def read_values(text: str) -> tuple[float, ...]:
    """Read `0,0.5,1`: each once, in order."""
    try:
        found = sorted({float(part) for part in text.split(",")})
    except ValueError:
        raise RegraspError(f"{text!r} are no numbers; give some with commas, 0,0.5,1.") from None
    return tuple(found)


def vary(suite: Suite, name: str, values: Iterable[float]) -> Suite:
    """`suite` with every task at each of `values` of its knob `name`, and a table for each value.

    The paper's figures stay with the tasks at the usual value.
    """
    knob = next((one for one in suite.knobs if one.name == name), None)
    if knob is None:
        raise UnknownNameError(f"knob of suite {suite.name}", name, [k.name for k in suite.knobs])
    if any(name in settings(task.task) for task in suite.tasks):
        raise RegraspError(
            f"the tasks of {suite.name} have a {name} each: choose among them with --tasks."
        )
    chosen = tuple(values)
    for value in chosen:
        knob.check(value)
    usual = {task.name: _version(task, knob, knob.usual).name for task in suite.tasks}
    return replace(
        suite,
        tasks=tuple(_version(task, knob, value) for task in suite.tasks for value in chosen),
        figures=_renamed(suite.figures, usual) if knob.usual in chosen else {},
        detections=_renamed(suite.detections, usual) if knob.usual in chosen else {},
        actions=None,
        varied=f"{name}={','.join(f'{value:g}' for value in chosen)}",
    )


def _version(task: SuiteTask, knob: Knob, value: float) -> SuiteTask:
    return replace(
        task,
        name=f"{task.name}-{knob.name}{value:g}",
        task=knob.set(task.task, value),
        table=f"{knob.name} = {value:g} ({knob.label})",
        of=task.name,
    )


def _renamed(
    figures: Mapping[str, Mapping[str, _Figure]], names: Mapping[str, str]
) -> dict[str, dict[str, _Figure]]:
    return {m: {names[task]: figure for task, figure in row.items()} for m, row in figures.items()}
