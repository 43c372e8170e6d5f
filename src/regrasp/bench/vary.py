"""A suite at several values of one of its knobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from regrasp.bench.knob import Knob, settings
from regrasp.bench.suite import Suite, SuiteTask
from regrasp.core.errors import RegraspError, UnknownNameError

__all__ = ["read_values", "vary"]

_Figure = TypeVar("_Figure")


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
