"""Recorded replies in a text file, one JSON object a line, that can be read, diffed and committed.

A line holds the `model`, the `request` (images by their SHA-256), the `draw` (how often the same
request was made before) and the `reply`. Lines are only added; of two lines for the same draw the
later one counts. No secret is written.
"""

from __future__ import annotations

import difflib
import json
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regrasp.core.codec import JsonValue
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import LineReader
from regrasp.core.json_text import JsonError, parse_json
from regrasp.core.redact import redact_json
from regrasp.models.errors import ReplayMissError

__all__ = ["Cassette", "DrawCounter", "RecordingKey"]

_DIFF_LINES = 60  # of the diff of a miss; more does not help a reader
_LINE_START = b'{"model": "'
_DIFF_WIDTH = 300  # characters of each of them
_NEAR = 200  # recorded requests compared with a miss, the latest ones


@dataclass(frozen=True, slots=True)
class RecordingKey:
    """The key of a recording."""

    model: str
    request: Mapping[str, JsonValue]
    draw: int

    @property
    def key(self) -> str:
        """The same text for the same request."""
        return f"{self.draw} {self.model} {json.dumps(self.request, sort_keys=True)}"

    def lines(self) -> list[str]:
        """The request as readable text, one field a line, so that a diff shows the difference."""
        whole = {"model": self.model, "draw": self.draw, **self.request}
        pretty = json.dumps(whole, indent=1, ensure_ascii=False)
        return [line for row in pretty.splitlines() for line in row.split("\\n")]


class DrawCounter:
    """Counts, safely from several threads, how often each request has been made: 0, 1, 2, …"""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: Counter[str] = Counter()

    def next(self, request: str) -> int:
        """The index of this draw of `request`."""
        with self._lock:
            index = self._seen[request]
            self._seen[request] += 1
            return index


class Cassette:
    """The recordings of one file. Several models may share it; safe from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._entries: dict[str, tuple[RecordingKey, JsonValue]] = {}
        self._whole_bytes: int | None = None  # start of a last line that a kill cut off
        self._unended = False  # the last line is whole and lacks its line break
        if path.exists():
            self._read()

    def __len__(self) -> int:
        return len(self._entries)

    def models(self, kind: str) -> tuple[str, ...]:
        """Names of the models of this kind (`language` or `vision`) that have been recorded."""
        found = (q.model for q, _ in self._entries.values() if q.request.get("kind") == kind)
        return tuple(dict.fromkeys(found))

    def find(self, question: RecordingKey) -> JsonValue:
        """The recorded reply, or None."""
        with self._lock:
            return self._entries.get(question.key, (question, None))[1]

    def add(self, question: RecordingKey, reply: JsonValue) -> None:
        """Record a reply; it is in the file before this returns."""
        entry: JsonValue = {
            "model": question.model,
            "draw": question.draw,
            "request": dict(question.request),
            "reply": reply,
        }
        line = json.dumps(redact_json(entry), ensure_ascii=False)
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                if self._whole_bytes is not None:
                    file.truncate(self._whole_bytes)
                    self._whole_bytes = None
                file.write(b"\n" * self._unended + line.encode() + b"\n")
                self._unended = False
            self._entries[question.key] = (question, reply)

    def miss(self, question: RecordingKey) -> ReplayMissError:
        """The error for a request that has no recording, with the nearest recorded one."""
        asked = question.lines()
        near = self._nearest(question)
        if near is None:
            shown = "the cassette is empty"
        else:
            compared = difflib.unified_diff(near.lines(), asked, "recorded", "asked", lineterm="")
            diff = [line[:_DIFF_WIDTH] for line in compared]
            left = len(diff) - _DIFF_LINES
            diff = [*diff[:_DIFF_LINES], f"… and {left} more lines"] if left > 0 else diff
            shown = "the nearest recorded request differs so:\n" + "\n".join(diff)
        return ReplayMissError(
            f"{self.path} holds no reply of {question.model} to this request; {shown}\n"
            "Record it (`recorded:FILE#MODEL`), or restore what changed the request."
        )

    def _nearest(self, question: RecordingKey) -> RecordingKey | None:
        asked = "\n".join(question.lines())
        matcher = difflib.SequenceMatcher(autojunk=False)
        matcher.set_seq2(asked)
        best, best_score = None, -1.0
        for other, _ in list(self._entries.values())[-_NEAR:]:
            matcher.set_seq1("\n".join(other.lines()))
            score = matcher.quick_ratio() + (other.model == question.model)
            if score > best_score:
                best, best_score = other, score
        return best

    def _read(self) -> None:
        reader = LineReader(self.path, "cassette")
        number = 0
        for number, line in enumerate(reader, 1):
            if line.strip():
                self._take(number, line)
        if reader.rest.strip():
            self._take_last(number + 1, reader.rest, reader.whole_bytes)

    def _take(self, number: int, line: bytes) -> None:
        try:
            question, reply = _entry(parse_json(line))
        except RegraspError as error:
            if not self._entries:
                raise RegraspError(
                    f"{self.path} is no cassette: its line {number} is not a recording ({error}). "
                    "It is left as it is; name another file."
                ) from error
            raise RegraspError(
                f"{self.path}:{number} is not a recording ({error}); delete the line."
            ) from error
        self._entries[question.key] = (question, reply)

    def _take_last(self, number: int, line: bytes, start: int) -> None:
        """A last line without its line break: whole, or cut by a kill as it was written.

        That reply was never used, so the next recording replaces it.
        """
        try:
            self._take(number, line)
            self._unended = True
        except RegraspError:
            cut = line.startswith(_LINE_START) or _LINE_START.startswith(line)
            if not cut or _is_json(line):  # a line that was cut is no JSON
                raise
            self._whole_bytes = start


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line)
    except JsonError:
        return False
    return True


def _entry(data: JsonValue) -> tuple[RecordingKey, JsonValue]:
    if isinstance(data, dict):
        model, draw, request = data.get("model"), data.get("draw"), data.get("request")
        if (
            isinstance(model, str)
            and isinstance(draw, int)
            and isinstance(request, dict)
            and "reply" in data
        ):
            return RecordingKey(model, request, draw), data["reply"]
    raise RegraspError("it needs model, draw, request and reply")
