"""What all recorded runs share: a trace that somebody watches, a film, versions, an ending."""

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
    """A trace without keys that somebody watches as it is written."""

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
    """What a run depends on, by name."""
    packages = {name: metadata.version(name) for name in ("mujoco", "numpy")}
    return {"regrasp": __version__, "python": platform.python_version(), **packages}


def open_film(
    trace: TraceWriter, world: World | None, robot: Robot, fps: float, size: tuple[int, int]
) -> Film:
    """A film in the trace's folder; if it will have no pictures, the trace says why."""
    film = Film(trace.folder, world, robot, fps, size)
    if film.problem:
        trace.write(Remark(film.problem))
    return film


def end(robot: Robot, trace: TraceWriter, outcome: Outcome, reason: str) -> None:
    """Close a run that an exception has ended; a trace that takes nothing more is left so."""
    with contextlib.suppress(Exception):  # what broke may break again; the first time is told
        robot.stop()
    with contextlib.suppress(TraceError):
        trace.write(RunEnded(outcome, reason))
