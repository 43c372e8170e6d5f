"""The shared parts of recorded runs: a trace with an observer, a film, Ctrl-C, an ending.

A film is `run.mp4`, and beside it the states that it shows. It runs on the robot's clock: second s
of the film shows second s of the run, however long a model took in between. Film and trace are
therefore in step without further data.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import platform
import signal
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Self

from regrasp._version import __version__
from regrasp.core.event import Event, Remark, RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CLOCK_TOLERANCE_S, Robot
from regrasp.core.run_folder import inside
from regrasp.core.trace import Clock, TraceEntry, TraceError, TraceWriter
from regrasp.episodes.state_log import StateLog
from regrasp.view.video import VIDEO_FILE, VideoWriter
from regrasp.worlds.world import World

__all__ = ["Film", "Interrupt", "WatchedTrace", "end", "open_film", "versions"]


class WatchedTrace(TraceWriter):
    """A trace without keys; an observer gets each entry as it is written."""

    def __init__(
        self, folder: Path | str, clock: Clock, watch: Callable[[TraceEntry], None]
    ) -> None:
        super().__init__(folder, clock)
        self._watch = watch

    def write(self, event: Event) -> TraceEntry:
        """See `TraceWriter.write`."""
        entry = super().write(event)
        self._watch(entry)
        return entry


class Film:
    """Films `robot` into `folder`, `fps` pictures of `size` per second; a context manager.

    `problem` is why there are states and no pictures, where PyAV is not installed.
    """

    def __init__(
        self, folder: Path, world: World | None, robot: Robot, fps: float, size: tuple[int, int]
    ) -> None:
        self._robot, self._fps, self._count = robot, fps, 0
        self._stack = contextlib.ExitStack()
        self._states = self._stack.enter_context(StateLog(folder, world)) if world else None
        self._video: VideoWriter | None = None
        self.problem = ""
        if importlib.util.find_spec("av") is None:
            self.problem = "no video: PyAV is not installed; pip install 'regrasp[video]'"
        else:
            inside(folder, f"{VIDEO_FILE}.part")
            path = inside(folder, VIDEO_FILE)
            self._video = self._stack.enter_context(VideoWriter(path, fps, *size))

    def shoot(self, caption: str, still_s: float = 0.0) -> None:
        """Add the present picture if one is due, and hold it for `still_s` more seconds."""
        seconds = self._robot.seconds
        due = math.floor(seconds * self._fps + CLOCK_TOLERANCE_S) + 1 + round(still_s * self._fps)
        if due <= self._count:
            return
        if self._states is not None:
            self._states.add()
        if self._video is not None:
            rgb = self._robot.look(self._robot.cameras()[0]).rgb
            for _ in range(due - self._count):
                self._video.add(rgb, f"{seconds:.1f} s: {caption}")
        self._count = due

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()


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


class Interrupt:
    """Ctrl-C as a flag that the loop reads, so that it never interrupts a write.

    While it is open, the first Ctrl-C only sets `pressed`; the second one interrupts as usual.

    It does nothing outside the main thread, or where another handler of Ctrl-C is installed.
    """

    def __init__(self) -> None:
        self.pressed = False
        self._ours = False

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._press)
            self._ours = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._ours = False

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
