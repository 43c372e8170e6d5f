"""A suite as data: tasks in worlds, methods, seeds, limits, and the paper's figures.

A suite of your own is a Python file that holds a `SUITE`; `regrasp bench FILE.py` runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from regrasp.bench.knob import Knob
from regrasp.bench.limits import Limits
from regrasp.bench.paper import Paper, PaperActions, PaperDetection
from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from regrasp.bench.job import EpisodeJob
    from regrasp.methods.method import Method

__all__ = ["Play", "Suite", "SuiteMethod", "SuiteTask"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Play: TypeAlias = "Callable[[EpisodeJob, SuiteTask, SuiteMethod, Path], None]"
"""A function that runs one episode and writes a complete trace into the given folder."""


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """A task of a world, under its name in tables; `paper` is the paper's name for it.

    An empty `instruction` or `goal` (facts as for `--goal`) means the world's own; `limit_s` is
    the robot's time after which it has failed, None for the suite's limit. `table` is the heading
    of its table in a report with several; `of` is the original task if a knob was varied (knob.py).
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

    A method that is `on_request` runs only if it is selected by name.
    """

    name: str
    method: str | Method
    paper: str = ""
    on_request: bool = False

    def __str__(self) -> str:
        if isinstance(self.method, str):
            return self.method
        return str(getattr(self.method, "__qualname__", type(self.method).__qualname__))


@dataclass(frozen=True, slots=True)
class Suite:
    """A table of tasks and methods. `figures` holds the paper's figures, by method and task.

    `detections` holds the paper's counts of its monitor, likewise. `knobs` are numbers that its
    worlds' tasks take; `varied` names those that were varied (knob.py). With `methods_across` the
    report's tables have tasks down and methods across; with `by_world` its first table has worlds
    across, and methods are not run on robots that they cannot work on (support.py).
    An empty `llm` is `embedded` if it is installed, else `scripted`.
    `play` is for a suite whose episodes are not a method in a world.
    """

    name: str
    summary: str
    tasks: tuple[SuiteTask, ...]
    methods: tuple[SuiteMethod, ...]
    source: str = ""
    figures: Mapping[str, Mapping[str, Paper]] = field(default_factory=dict)
    actions: PaperActions | None = None
    detections: Mapping[str, Mapping[str, PaperDetection]] = field(default_factory=dict)
    knobs: tuple[Knob, ...] = ()
    varied: str = ""
    methods_across: bool = False
    by_world: bool = False
    episodes: int = 10
    llm: str = ""
    vlm: str = "embedded"
    limits: Limits = field(default_factory=Limits)
    play: Play | None = None

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

    def chosen_tasks(self, names: Iterable[str] | None = None) -> tuple[SuiteTask, ...]:
        """The tasks of these names, in the suite's order; all if None.

        The name of a task with versions selects all of them.
        """
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
