"""The file of a trace as JSON: its header and its whole lines, checked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from regrasp._version import __version__
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import LineReader, UnreadableFileError
from regrasp.core.json_text import JsonError, parse_json
from regrasp.core.json_value import JsonValue

__all__ = ["HEADER", "SCHEMA", "TRACE_FILE", "TraceError", "TraceFile", "corrupt"]

SCHEMA = 5
"""The version of the file format that this code writes, and the newest it reads."""

TRACE_FILE = "trace.jsonl"
"""The name of the file in a run's folder."""

HEADER: dict[str, JsonValue] = {"trace": "regrasp", "schema": SCHEMA}


class TraceError(RegraspError):
    """A trace that cannot be written or read: the message gives file, line and what to do."""


class TraceFile:
    """The file as JSON: its header, and its other whole lines one by one, because it may be large.

    After the last line, `whole_bytes` and `torn` say where it ended and whether a cut line follows.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._reader = LineReader(path, "trace")
        except FileNotFoundError:
            raise TraceError(
                f"there is no {path}. Name the folder of a run, the one that holds {TRACE_FILE}."
            ) from None
        except UnreadableFileError as error:
            raise TraceError(str(error)) from error
        self._lines = self._bytes()
        first = next(self._lines, b"")
        if not first:
            raise TraceError(
                f"{path} has no whole line: the run was stopped before it wrote anything. "
                "Remove the folder and run again."
            )
        self.header = _parse_header(path, first)

    def lines(self) -> Iterator[dict[str, JsonValue]]:
        """The lines after the header; iterate once."""
        for number, line in enumerate(self._lines, start=2):
            yield _parse_line(self._path, number, line)

    def _bytes(self) -> Iterator[bytes]:
        try:
            yield from self._reader
        except UnreadableFileError as error:
            raise TraceError(str(error)) from error

    @property
    def whole_bytes(self) -> int:
        """The size of the whole lines."""
        return self._reader.whole_bytes

    @property
    def torn(self) -> bool:
        """Whether a line that was cut off follows them."""
        return bool(self._reader.rest)


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
        found = parse_json(line)
    except JsonError as error:
        corrupt(path, number, f"{error}.")
    if not isinstance(found, dict):
        corrupt(path, number, f"expected an object, got {type(found).__name__}.")
    return found


def corrupt(path: Path, number: int, problem: str) -> NoReturn:
    """Raise the error for a line of a trace, with what can be done."""
    if number > 2:
        advice = (
            f"To keep the lines before it, copy them: head -n {number - 1} {path} > OTHER_FOLDER/"
        )
        advice += path.name
    else:
        advice = "Nothing stands before it: make the run again."
    raise TraceError(f"{path}, line {number} is corrupt: {problem} {advice}")
