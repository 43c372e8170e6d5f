"""Read a file that anyone may have written, with limits on its kind, its size and its lines.

A name in a run's folder may lead to a pipe, which waits for ever, to a device, which never ends, or
to a file of a terabyte. Every reader of a trace, of states, of a manifest, of a cache or of a
cassette reads through here, so each gives the same clear error instead.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from regrasp.core.errors import RegraspError

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_LINES",
    "MAX_LINE_BYTES",
    "LineReader",
    "UnreadableFileError",
    "open_regular",
    "read_limited",
]

MAX_FILE_BYTES = 256_000_000
"""The largest file that is read line by line."""

MAX_LINE_BYTES = 16_000_000
"""The longest line, and the largest file that is one document."""

MAX_LINES = 1_000_000
"""The largest number of lines in a file."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class UnreadableFileError(RegraspError):
    """A file that cannot be read: what it is, or why; the message names the file."""


def open_regular(path: Path, most_bytes: int = MAX_FILE_BYTES) -> BufferedReader:
    """Open a regular file of at most `most_bytes` for reading; never waits for a pipe.

    FileNotFoundError where there is none, UnreadableFileError for anything else.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        found = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnreadableFileError(f"cannot read {path}: {_why(error)}.") from error
    about = os.fstat(found)
    what = next((name for is_kind, name in _KINDS if is_kind(about.st_mode)), "")
    if what or about.st_size > most_bytes:
        os.close(found)
        size = f"{about.st_size / 1e6:.0f} MB large, and at most {most_bytes / 1e6:.0f} MB are read"
        raise UnreadableFileError(
            f"{path} is {f'{what} and no ordinary file' if what else size}. Put back the file that "
            "was there, or make it again."
        )
    return os.fdopen(found, "rb")


def read_limited(path: Path, most_bytes: int = MAX_LINE_BYTES) -> bytes:
    """The bytes of a regular file of at most `most_bytes`; errors as for `open_regular`."""
    with open_regular(path, most_bytes) as file:
        try:
            return file.read(most_bytes)
        except OSError as error:
            raise UnreadableFileError(f"cannot read {path}: {_why(error)}.") from error


class LineReader:
    """The complete lines of a file to which lines are only added; iterate once.

    A last line without a newline was cut off by a kill, or is still being written. It is left out:
    afterwards it is in `rest`, and `whole_bytes` is the size of the lines before it.
    """

    def __init__(self, path: Path, what: str) -> None:
        """`what` names the file's kind in errors, e.g. `trace`."""
        self.path, self._what = path, what
        self.rest, self.whole_bytes = b"", 0
        self._file = open_regular(path)

    def __iter__(self) -> Iterator[bytes]:
        number = 0
        with self._file as file:
            while line := self._read(file):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    self._refuse(number, f"is longer than {MAX_LINE_BYTES / 1e6:.0f} MB")
                if number > MAX_LINES:
                    self._refuse(number, f"is one too many: at most {MAX_LINES} are read")
                if not line.endswith(b"\n"):
                    self.rest = line
                    return
                self.whole_bytes += len(line)
                yield line[:-1]

    def _read(self, file: BufferedReader) -> bytes:
        try:
            return file.readline(MAX_LINE_BYTES + 1)
        except OSError as error:
            raise UnreadableFileError(f"cannot read {self.path}: {_why(error)}.") from error

    def _refuse(self, number: int, why: str) -> None:
        raise UnreadableFileError(
            f"{self.path}, line {number} {why}. That is no {self._what} that Regrasp wrote: "
            "get the file again, or make the run again."
        )


def _why(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
