"""The trace of one run: a folder with `trace.jsonl` and `images/<sha256>.png`.

`trace.jsonl` is append-only JSON Lines. The first line is a header with the schema version; each
line after it holds one event:

    {"trace": "regrasp", "schema": 5, "regrasp": "0.1.0", "wall_started_s": 1763200000.0}
    {"index": 0, "sim_s": 0.0, "wall_s": 1763200000.1, "event": {"kind": "noted", "text": "hello"}}

A line is one `write` to a descriptor opened for appending, so a killed process loses at most the
line it was writing. `sim_s` is the robot's clock; what depends on the wall clock stands only in
fields named `wall_*`, so that `digest` is the same for two runs of the same seed. Images are named
by the hash of their pixels, stored once (image_store.py), and whole before a line names them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NoReturn, Self

from regrasp._version import __version__
from regrasp.core.arrays import Picture
from regrasp.core.codec import CodecError, JsonValue, from_json
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, ImageTaken, event_from_json, event_to_json
from regrasp.core.file_reading import MAX_FILE_BYTES, MAX_LINE_BYTES, MAX_LINES
from regrasp.core.image_store import save_image
from regrasp.core.json_text import parse_json
from regrasp.core.redact import redact_json
from regrasp.core.robot import CameraImage
from regrasp.core.run_folder import LinkedFileError, inside
from regrasp.core.trace_file import HEADER, SCHEMA, TRACE_FILE, TraceError, TraceFile, corrupt

__all__ = [
    "IMAGE_FOLDER",
    "SCHEMA",
    "TRACE_FILE",
    "Clock",
    "Stamp",
    "Trace",
    "TraceEntry",
    "TraceError",
    "TraceWriter",
    "digest",
    "read_trace",
]

IMAGE_FOLDER = "images"
"""The folder of pictures in a run's folder."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Both clocks, in seconds: `sim` since the robot's start, `wall` since the epoch."""

    sim: Callable[[], float]
    wall: Callable[[], float] = time.time


@dataclass(frozen=True, slots=True)
class Stamp:
    """The index of an event in the run, from 0, and its time on both clocks."""

    index: int
    sim_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One line of a trace: an event and its stamp."""

    stamp: Stamp
    event: Event

    def __str__(self) -> str:
        return f"{self.stamp.index:4d} {self.stamp.sim_s:8.2f} s  {self.event}"


@dataclass(frozen=True, slots=True)
class Trace:
    """A run as read from its folder. `truncated`: the last line was cut off and is left out."""

    folder: Path
    entries: tuple[TraceEntry, ...]
    truncated: bool

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone, in order."""
        return tuple(entry.event for entry in self.entries)


class TraceWriter:
    """Writes one run's trace, event by event; a context manager. For one thread of one process.

    No event is written with a key of the environment in it (redact.py).
    """

    def __init__(self, folder: Path | str, clock: Clock, *, append: bool = False) -> None:
        """Start a trace in `folder`; with `append`, continue the existing one."""
        self.folder = Path(folder)
        self.path = _path(self.folder)
        self._clock = clock
        self._fd = -1
        self._next = 0
        exists = self.path.exists()
        if exists and not append:
            raise TraceError(
                f"{self.path} already exists and a trace is never overwritten. Choose another "
                "folder, remove this one, or ask to append to it (append=True)."
            )
        found = TraceFile(self.path) if exists else None
        if found is not None and found.header["schema"] != SCHEMA:
            raise TraceError(
                f"{self.path} is of schema {found.header['schema']}, and {SCHEMA} is written now: "
                "it can be read, not appended to. Choose another folder."
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            once = 0 if found else os.O_CREAT | os.O_EXCL
            flags = os.O_WRONLY | os.O_APPEND | once | getattr(os, "O_BINARY", 0)
            self._fd = os.open(self.path, flags, 0o644)
            if found:
                self._next = sum(1 for _ in found.lines())
                os.ftruncate(self._fd, found.whole_bytes)  # a cut last line would spoil the next
        except OSError as error:
            self.close()
            _explain(error, self.path)
        if not found:
            self._start()

    def write(self, event: Event) -> TraceEntry:
        """Append one event, stamped now. When this returns, killing the process cannot lose it."""
        if self._fd < 0:
            raise TraceError(f"{self.path} is closed. Open it again with append=True.")
        line: dict[str, JsonValue] = {
            "index": self._next,
            "sim_s": float(self._clock.sim()),
            "wall_s": float(self._clock.wall()),
        }
        entry = TraceEntry(from_json(Stamp, dict(line)), _whole_text(_redacted(event)))
        self._append({**line, "event": event_to_json(entry.event)})
        self._next += 1
        return entry

    def write_image(self, image: CameraImage) -> TraceEntry:
        """Store a picture, then append the `ImageTaken` event that names it."""
        height, width = image.rgb.shape[:2]
        return self.write(ImageTaken(image.camera, self.store(image.rgb), width, height))

    def store(self, rgb: Picture) -> str:
        """Store a picture (height, width, 3) beside the trace; the name that events refer to."""
        try:
            return save_image(inside(self.folder, IMAGE_FOLDER), rgb)
        except OSError as error:
            _explain(error, self.folder / IMAGE_FOLDER)

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self) -> None:
        started = float(self._clock.wall())
        try:
            self._append({**HEADER, "regrasp": __version__, "wall_started_s": started})
        except TraceError:
            self.close()
            self.path.unlink()  # an empty trace would block the next attempt
            raise

    def _append(self, line: dict[str, JsonValue]) -> None:
        data = json.dumps(line, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        before = os.fstat(self._fd).st_size
        self._check_size(before, len(data))
        try:
            rest = memoryview(data)
            while rest:  # a file takes a line in one go unless the disk fills up
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            os.ftruncate(self._fd, before)  # leave whole lines only, so that writing can go on
            _explain(error, self.path)

    def _check_size(self, before: int, more: int) -> None:
        """Raise for a line that `read_trace` would refuse."""
        if more > MAX_LINE_BYTES:
            raise TraceError(
                f"{self.path}: an event of {more / 1e6:.0f} MB is not written; a line has at most "
                f"{MAX_LINE_BYTES / 1e6:.0f} MB."
            )
        if before + more > MAX_FILE_BYTES or self._next + 2 > MAX_LINES:
            raise TraceError(
                f"{self.path} is full: a trace has at most {MAX_LINES} lines and "
                f"{MAX_FILE_BYTES / 1e6:.0f} MB. What was written before is whole."
            )


def _whole_text(event: Event) -> Event:
    """The event as it is read back: half a surrogate pair, which no file takes, is replaced."""
    text = json.dumps(event_to_json(event))
    return event_from_json(parse_json(text)) if "\\ud" in text else event


def _redacted(event: Event) -> Event:
    data = event_to_json(event)
    clean = redact_json(data)
    if clean == data:
        return event
    try:
        return event_from_json(clean)
    except RegraspError as error:
        raise TraceError(
            f"what must not be written is a word of the trace itself ({error}). Is a KEY, "
            "TOKEN, SECRET or PASSWORD in the environment an ordinary word? Change it."
        ) from error


def read_trace(folder: Path | str) -> Trace:
    """Read the trace in `folder`; TraceError says what is wrong with it and what to do."""
    path = _path(folder)
    found = TraceFile(path)
    entries: list[TraceEntry] = []
    for line in found.lines():
        try:
            event = event_from_json(line.get("event"))
            stamp = from_json(Stamp, {k: v for k, v in line.items() if k != "event"})
            if stamp.index != len(entries):
                raise CodecError("Stamp.index", f"expected {len(entries)}, got {stamp.index}.")
        except RegraspError as error:
            corrupt(path, len(entries) + 2, str(error))
        entries.append(TraceEntry(stamp, event))
    return Trace(Path(folder), tuple(entries), found.torn)


def digest(folder: Path | str) -> str:
    """SHA-256 of all whole lines without their `wall_*` fields: the same seed, the same digest."""
    found = TraceFile(_path(folder))
    total = hashlib.sha256()
    for line in chain([found.header], found.lines()):
        text = json.dumps(_timeless(line), sort_keys=True, separators=(",", ":"))
        total.update(text.encode() + b"\n")
    return total.hexdigest()


def _path(folder: Path | str) -> Path:
    try:
        return inside(folder, TRACE_FILE)
    except LinkedFileError as error:
        raise TraceError(str(error)) from error


def _timeless(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if not k.startswith("wall_")}
    return [_timeless(entry) for entry in value] if isinstance(value, list) else value


def _explain(error: OSError, path: Path) -> NoReturn:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        raise TraceError(
            f"the disk is full while writing {path}. What was written before is whole. Free some "
            "space, or choose a folder on another disk."
        ) from error
    raise TraceError(f"cannot write {path}: {error.strerror}. Choose another folder.") from error
