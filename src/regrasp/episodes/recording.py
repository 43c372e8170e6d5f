"""The shared parts of recorded runs: a trace with an observer, a film, versions, an ending."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from regrasp._version import __version__
from regrasp.core.event import Event, Remark, RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot
from regrasp.core.trace import Clock, TraceEntry, TraceError, TraceWriter
from regrasp.episodes.film import Film
from regrasp.models.redact import redact_json
from regrasp.worlds.world import World

__all__ = ["WatchedTrace", "end", "open_film", "versions"]


class WatchedTrace(TraceWriter):
    """A trace without keys; an observer gets each entry as it is written."""

    def __init__(
        self, folder: Path | str, clock: Clock, watch: Callable[[TraceEntry], None]
    ) -> None:
        super().__init__(folder, clock, scrub=redact_json)
        self._watch = watch

    def write(self, event: Event) -> TraceEntry:
        """See `TraceWriter.write`."""
        entry = super().write(event)
        self._watch(entry)
        return entry


def versions() -> dict[str, str]:
    """The versions that a run depends on, by name."""
    packages = {name: metadata.version(name) for name in ("mujoco", "numpy")}
    return {"regrasp": __version__, "python": platform.python_version(), **packages}


def open_film(
    trace: TraceWriter, world: World | None, robot: Robot, fps: float, size: tuple[int, int]
) -> Film:
    """A film in the trace's folder; if it has no pictures, the trace gives the reason."""
    film = Film(trace.folder, world, robot, fps, size)
    if film.problem:
        trace.write(Remark(film.problem))
    return film


def end(robot: Robot, trace: TraceWriter, outcome: Outcome, reason: str) -> None:
    """Close a run after an exception; a trace that cannot be written to is left unchanged."""
    with contextlib.suppress(Exception):  # writing may fail again; the first error is reported
        robot.stop()
    with contextlib.suppress(TraceError):
        trace.write(RunEnded(outcome, reason))
