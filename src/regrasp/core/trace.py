"""The trace of one run: a folder with `trace.jsonl` and `images/<sha256>.png`.

`trace.jsonl` is append-only JSON Lines. The first line is a header with the schema version; each
line after it holds one event:

    {"trace": "regrasp", "schema": 3, "regrasp": "0.1.0", "wall_started_s": 1763200000.0}
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
from pathlib import Path
from typing import NoReturn, Self

from regrasp._version import __version__
from regrasp.core.arrays import Picture
from regrasp.core.codec import CodecError, JsonValue, from_json
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, ImageTaken, event_from_json, event_to_json
from regrasp.core.image_store import save_image
from regrasp.core.redact import redact_json
from regrasp.core.robot import CameraImage

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

SCHEMA = 3
"""The version of the file format that this code writes, and the newest it reads."""

TRACE_FILE = "trace.jsonl"
"""The name of the file in a run's folder."""

IMAGE_FOLDER = "images"
"""The folder of pictures in a run's folder."""

HEADER: dict[str, JsonValue] = {"trace": "regrasp", "schema": SCHEMA}


class TraceError(RegraspError):
    """A trace that cannot be written or read: the message gives file, line and what to do."""


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
        self.path = self.folder / TRACE_FILE
        self._clock = clock
        self._fd = -1
        self._next = 0
        exists = self.path.exists()
        if exists and not append:
            raise TraceError(
                f"{self.path} already exists and a trace is never overwritten. Choose another "
                "folder, remove this one, or ask to append to it (append=True)."
            )
        found = _parse(self.path) if exists else None
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
                self._next = len(found.lines)
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
        entry = TraceEntry(from_json(Stamp, dict(line)), _redacted(event))
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
            return save_image(self.folder / IMAGE_FOLDER, rgb)
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
        try:
            rest = memoryview(data)
            while rest:  # a file takes a line in one go unless the disk fills up
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            os.ftruncate(self._fd, before)  # leave whole lines only, so that writing can go on
            _explain(error, self.path)


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
    path = Path(folder) / TRACE_FILE
    found = _parse(path)
    entries: list[TraceEntry] = []
    for line in found.lines:
        try:
            event = event_from_json(line.get("event"))
            stamp = from_json(Stamp, {k: v for k, v in line.items() if k != "event"})
            if stamp.index != len(entries):
                raise CodecError("Stamp.index", f"expected {len(entries)}, got {stamp.index}.")
        except RegraspError as error:
            _corrupt(path, len(entries) + 2, str(error))
        entries.append(TraceEntry(stamp, event))
    return Trace(Path(folder), tuple(entries), found.torn)


def digest(folder: Path | str) -> str:
    """SHA-256 of all whole lines without their `wall_*` fields: the same seed, the same digest."""
    found = _parse(Path(folder) / TRACE_FILE)
    total = hashlib.sha256()
    for line in (found.header, *found.lines):
        text = json.dumps(_timeless(line), sort_keys=True, separators=(",", ":"))
        total.update(text.encode() + b"\n")
    return total.hexdigest()


def _timeless(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if not k.startswith("wall_")}
    return [_timeless(entry) for entry in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class _Parsed:
    """The file as JSON: its header, its other whole lines, and whether a cut line follows them."""

    header: dict[str, JsonValue]
    lines: tuple[dict[str, JsonValue], ...]
    whole_bytes: int
    torn: bool


def _parse(path: Path) -> _Parsed:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise TraceError(
            f"there is no {path}. Name the folder of a run, the one that holds {TRACE_FILE}."
        ) from None
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}.") from error
    whole, _, rest = data.rpartition(b"\n")
    if not whole:
        raise TraceError(
            f"{path} has no whole line: the run was stopped before it wrote anything. "
            "Remove the folder and run again."
        )
    first, *others = whole.split(b"\n")
    header = _parse_header(path, first)
    lines = tuple(_parse_line(path, number, line) for number, line in enumerate(others, start=2))
    return _Parsed(header, lines, len(data) - len(rest), torn=bool(rest))


def _parse_header(path: Path, line: bytes) -> dict[str, JsonValue]:
    header = _parse_line(path, 1, line)
    schema = header.get("schema")
    if header.get("trace") != HEADER["trace"] or type(schema) is not int or schema < 1:
        raise TraceError(f"{path} is not a Regrasp trace: its first line is not a trace header.")
    if schema > SCHEMA:
        raise TraceError(
            f"{path} has schema {schema}, written by Regrasp {header.get('regrasp', '?')}; this is "
            f"Regrasp {__version__}, which reads up to schema {SCHEMA}. Upgrade Regrasp to open it."
        )
    return header


def _parse_line(path: Path, number: int, line: bytes) -> dict[str, JsonValue]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        _corrupt(path, number, f"not JSON ({error}).")
    if not isinstance(found, dict):
        _corrupt(path, number, f"expected an object, got {type(found).__name__}.")
    return found


def _corrupt(path: Path, number: int, problem: str) -> NoReturn:
    if number > 2:
        advice = (
            f"To keep the lines before it, copy them: head -n {number - 1} {path} > OTHER_FOLDER/"
        )
        advice += path.name
    else:
        advice = "Nothing stands before it: make the run again."
    raise TraceError(f"{path}, line {number} is corrupt: {problem} {advice}")


def _explain(error: OSError, path: Path) -> NoReturn:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        raise TraceError(
            f"the disk is full while writing {path}. What was written before is whole. Free some "
            "space, or choose a folder on another disk."
        ) from error
    raise TraceError(f"cannot write {path}: {error.strerror}. Choose another folder.") from error
