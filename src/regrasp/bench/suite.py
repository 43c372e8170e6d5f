"""A suite as data: tasks in worlds, methods, seeds, limits, and the paper's figures.

A suite of your own is a Python file that holds a `SUITE`; `regrasp bench FILE.py` runs it.

A knob is the amount of disturbance in a task, as a number: `TASK:NAME=VALUE,…`. A world reads the
number after the name of its task. A suite describes it by a `Knob`, so that its tasks can be run at
several values and a report can plot the results against it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from regrasp.bench.answer_scores import Counts
from regrasp.bench.record import EpisodeJob, Limits
from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from regrasp.methods.method import Method

# ruff: noqa: PLC0415  -- a world is opened only when needed

__all__ = [
    "JobRunner",
    "Knob",
    "Paper",
    "PaperActions",
    "PaperPlans",
    "PaperPool",
    "Suite",
    "SuiteMethod",
    "SuiteTask",
    "read_values",
    "refused",
    "settings",
    "vary",
]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

_Figure = TypeVar("_Figure")

JobRunner: TypeAlias = "Callable[[EpisodeJob, SuiteTask, SuiteMethod, Path], None]"
"""A function that runs one episode and writes a complete trace into the given folder."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A rate that a paper reports, the number of episodes, and their mean time if given."""

    rate: float
    episodes: int
    seconds: float | None = None

    def __str__(self) -> str:
        return f"{self.rate:.0%} of {self.episodes}"


@dataclass(frozen=True, slots=True)
class PaperActions:
    """The motion and vision actions that a paper counts for a method, over a number of episodes."""

    method: str
    tasks: tuple[str, ...]
    motions: int
    looks: int
    episodes: int


@dataclass(frozen=True, slots=True)
class PaperPool:
    """A column of a paper's table that pools `tasks`: the rate that it reports for each method."""

    name: str
    tasks: tuple[str, ...]
    rates: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PaperPlans:
    """What CoPAL reports of plans, over all tasks (section IV-A of the paper).

    `executable` is the share of plans that could be carried out, by method; `correct` the share of
    those with the right result, over all methods; `distances` the share of results at a distance
    d > 0 of equation (1). `compared` are pairs of methods (a, b) whose difference is shown, `order`
    pairs (a, b) of which a has fewer executable plans in the paper.
    """

    executable: Mapping[str, float] = field(default_factory=dict)
    correct: float | None = None
    distances: Mapping[float, float] = field(default_factory=dict)
    compared: tuple[tuple[str, str], ...] = ()
    order: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Knob:
    """A number from `least` to `most`; `label` names it, `usual` is its default in a task."""

    name: str
    label: str
    usual: float
    least: float
    most: float

    def of(self, task: str | None) -> float:
        """The value in a world's task, read from the task's name."""
        return float(settings(task).get(self.name, self.usual))

    def set(self, task: str | None, value: float) -> str:
        """The name of a world's task with this knob at `value`."""
        plain, _, _ = (task or "").partition(":")
        given = {**settings(task), self.name: f"{value:g}"}
        return f"{plain}:{','.join(f'{name}={text}' for name, text in given.items())}"

    def check(self, value: float) -> None:
        """Raise if `value` is out of range."""
        if not self.least <= value <= self.most:
            raise RegraspError(
                f"{self.name} goes from {self.least:g} to {self.most:g} ({self.label}), "
                f"not {value:g}."
            )


def settings(task: str | None) -> dict[str, str]:
    """The settings after the colon of a task's name, by name."""
    pairs = (part.partition("=") for part in (task or "").partition(":")[2].split(","))
    return {name.strip(): value for name, sign, value in pairs if sign}


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """A task of a world, under its name in tables; `paper` is the paper's name for it.

    An empty `instruction` or `goal` (facts as for `--goal`) means the world's own; `limit_s` is
    the robot's time after which it has failed, None for the suite's limit. `table` is the heading
    of its table in a report with several; `of` is the original task if a knob was varied. `needs`
    is an environment variable with the path of data; without it the task runs only by its name.
    """

    name: str
    world: str
    task: str | None = None
    paper: str = ""
    instruction: str = ""
    goal: tuple[str, ...] = ()
    limit_s: float | None = None
    table: str = ""
    of: str = ""
    needs: str = ""

    def limits(self, suite: Limits) -> Limits:
        """The limits of an episode of this task, given the limits of its suite."""
        return suite if self.limit_s is None else replace(suite, sim_s=self.limit_s)

    def __str__(self) -> str:
        asked = [self.instruction] if self.instruction else []
        limit = [f"{self.limit_s:g} s"] if self.limit_s is not None else []
        return "; ".join([f"{self.world}/{self.task or 'first task'}", *asked, *self.goal, *limit])


@dataclass(frozen=True, slots=True)
class SuiteMethod:
    """A method under its name in tables: a name of `regrasp.methods`, or a function.

    A method that is `on_request` runs only if it is selected by name. With `read_first` the
    instruction is read as a goal before the method gets it (`methods.instructions`).
    """

    name: str
    method: str | Method
    paper: str = ""
    on_request: bool = False
    read_first: bool = False

    @property
    def address(self) -> str:
        """The name of the method, or of its function."""
        if isinstance(self.method, str):
            return self.method
        return str(getattr(self.method, "__qualname__", type(self.method).__qualname__))

    def __str__(self) -> str:
        return f"{self.address}, instruction read first" if self.read_first else self.address


@dataclass(frozen=True, slots=True)
class Suite:
    """A table of tasks and methods. `figures` holds the paper's figures, by method and task.

    `detections` holds the counts of the paper's monitor in the same way; “positive” means that
    nothing was wrong. `knobs` are numeric options of the tasks; `varied` names those that the suite
    varies. With `methods_across` the tables of the report have a row for each task and a column for
    each method. With `by_world` the first table has a column for each world, and a method is not
    run on a robot that it does not support (`refused`). `senses` says that the robot of every task
    knows nothing but what it senses. An empty `llm` is `embedded` if it is
    installed, else `scripted`. `plans` and `pools` add the tables of CoPAL to the report. `reads`
    are environment variables with paths of data that decide results; the configuration of a run has
    the hashes of these files. `run_job` replaces `run_method` for a suite whose episodes are not
    runs of a method in a world.
    """

    name: str
    summary: str
    tasks: tuple[SuiteTask, ...]
    methods: tuple[SuiteMethod, ...]
    source: str = ""
    figures: Mapping[str, Mapping[str, Paper]] = field(default_factory=dict)
    actions: PaperActions | None = None
    detections: Mapping[str, Mapping[str, Counts]] = field(default_factory=dict)
    knobs: tuple[Knob, ...] = ()
    varied: str = ""
    methods_across: bool = False
    by_world: bool = False
    senses: bool = False
    plans: PaperPlans | None = None
    pools: tuple[PaperPool, ...] = ()
    reads: tuple[str, ...] = ()
    episodes: int = 10
    llm: str = ""
    vlm: str = "embedded"
    limits: Limits = field(default_factory=Limits)
    run_job: JobRunner | None = None

    def __post_init__(self) -> None:
        tasks, methods = ([x.name for x in group] for group in (self.tasks, self.methods))
        for what, names in (("task", tasks), ("method", methods)):
            wrong = [name for name in names if not _NAME.fullmatch(name)]
            if wrong or not names or len(set(names)) < len(names):
                raise RegraspError(
                    f"suite {self.name!r} needs {what}s, each with a name of its own of letters, "
                    f"digits, dots and hyphens (it names folders): {wrong or names or 'none'}."
                )
        rows: list[tuple[str, Iterable[str]]] = [*self.figures.items(), *self.detections.items()]
        for method, row in rows:
            _chosen("method", methods, [method])
            _chosen("task", tasks, list(row))
        for pool in self.pools:
            _chosen("task", tasks, pool.tasks)
            _chosen("method", methods, pool.rates)
        if self.plans is not None:
            pairs = [name for pair in self.plans.compared for name in pair]
            _chosen("method", methods, [*self.plans.executable, *pairs])

    def chosen_tasks(self, names: Iterable[str] | None = None) -> tuple[SuiteTask, ...]:
        """The tasks of these names, in the suite's order; all whose data are there if None.

        The name of a task with versions selects all of them.
        """
        if names is None:
            return tuple(t for t in self.tasks if not t.needs or os.environ.get(t.needs))
        known = [name for task in self.tasks for name in (task.name, task.of) if name]
        wanted = _chosen("task", list(dict.fromkeys(known)), names)
        return tuple(task for task in self.tasks if wanted & {task.name, task.of})

    def chosen_methods(self, names: Iterable[str] | None = None) -> tuple[SuiteMethod, ...]:
        """The methods of these names, in the suite's order; all but those on request if None."""
        if names is None:
            return tuple(method for method in self.methods if not method.on_request)
        wanted = _chosen("method", [method.name for method in self.methods], names)
        return tuple(method for method in self.methods if method.name in wanted)


def _chosen(what: str, known: list[str], names: Iterable[str] | None) -> set[str]:
    chosen = set(known if names is None else names)
    for name in sorted(chosen - set(known)):
        raise UnknownNameError(what, name, known)
    return chosen


def refused(task: SuiteTask, method: SuiteMethod) -> str:
    """Why a method cannot work on the robot of a task; empty if it can, or is a function."""
    return _refused(task.world, task.task, method.method) if isinstance(method.method, str) else ""


@cache
def _refused(world: str, task: str | None, method: str) -> str:
    from regrasp.episodes.setting import world_setting
    from regrasp.methods.registry import refusal
    from regrasp.worlds.registry import open_world

    with world_setting(open_world(world, task), size=(32, 24)) as setting:
        return refusal(method, setting.robot, setting.domain)


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
