"""Reading a run's folder: the traces are the source, and rows read from them are cached.

Reading a trace takes milliseconds, and a run has thousands. So the rows are kept in
`records.jsonl`, their checks in `checks.jsonl`, each line under the size and time of the trace it
was read from. An outdated line is read again; both files can be removed at any time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from regrasp.bench.layout import EPISODE_FILE, episode_paths
from regrasp.bench.manifest import Manifest, read_manifest
from regrasp.bench.reading import read_record
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeKey, EpisodeRecord
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import LineReader, UnreadableFileError
from regrasp.core.json_text import JsonError, JsonValue, parse_json
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE

__all__ = ["CHECKS_FILE", "RECORDS_FILE", "Results", "load_results", "note", "rebuild"]

RECORDS_FILE = "records.jsonl"
CHECKS_FILE = "checks.jsonl"

_OUTCOMES = {str(outcome): outcome for outcome in Outcome}
_PLAIN: Mapping[str, type] = {
    "claimed": bool, "done": bool, "reason": str, "sim_s": float, "wall_s": float, "cpu_s": float,
    "calls": int, "tokens": int, "motions": int, "looks": int, "replans": int,
}  # fmt: skip
_KEY_TYPES = (str, str, str, str, str, int)
_ALARM_TYPES = (str, float)
_CHECK_TYPES = tuple((str, str, str, str, float, sure) for sure in (float, type(None)))
_Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """A run's folder, its manifest, and a row for each episode, by task, method and seed."""

    root: Path
    manifest: Manifest
    records: tuple[EpisodeRecord, ...]


def load_results(root: Path | str, *, checks: bool = True) -> Results:
    """All results in a run's folder; without `checks` the rows have no checks, which is faster.

    Only traces that are not in the cache, or have changed, are read.
    """
    root = Path(root)
    manifest = read_manifest(root)
    rows = _lines(root / RECORDS_FILE)
    kept = _lines(root / CHECKS_FILE) if checks else {}
    records, stale = [], False
    for where in episode_paths(root):
        stamp = _stamp(f"{root}/{where}")
        row, found = rows.get(where), kept.get(where)
        fresh = row is not None and row.get("stamp") == stamp
        if checks and (found is None or found.get("stamp") != stamp):
            fresh = False
        cached = _cached(row, where, found) if row is not None and fresh else None
        if cached is not None:
            records.append(cached)
            continue
        record = read_record(root / where, root)
        records.append(record if checks else replace(record, checks=()))
        note(root, record)
        stale = stale or row is not None or found is not None
    if stale or len(rows) > len(records):
        _rewrite(root)
    return Results(root, manifest, tuple(records))


def rebuild(root: Path | str) -> Results:
    """Read every trace again."""
    for name in (RECORDS_FILE, CHECKS_FILE):
        path = Path(root) / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RegraspError(f"cannot remove the cache {path}: {error.strerror}.") from error
    return load_results(root)


def note(root: Path, record: EpisodeRecord) -> None:
    """Add a row to the cache; if that fails, the trace is read again next time."""
    stamp = _stamp(f"{root}/{record.trace}")
    row: _Line = {
        "trace": record.trace,
        "stamp": stamp,
        "key": astuple(record.key),
        "outcome": str(record.outcome),
        **{name: getattr(record, name) for name in _PLAIN},
        "failures": record.failures,
        "watched": record.watched,
        "alarms": list(map(astuple, record.alarms)),
        "claim": record.claim,
    }
    checks = list(map(astuple, record.checks))
    _append(root / CHECKS_FILE, {"trace": record.trace, "stamp": stamp, "checks": checks})
    _append(root / RECORDS_FILE, row)


def _cached(row: _Line, where: str, found: _Line | None) -> EpisodeRecord | None:
    """The record of a line of the cache; None if this version would not write that line."""
    try:
        plain = {name: row[name] for name in _PLAIN}
        checks = found["checks"] if found else ()
        fits = (
            _types(row["key"]) == _KEY_TYPES
            and _types(plain.values()) == tuple(_PLAIN.values())
            and all(_types(alarm) == _ALARM_TYPES for alarm in row.get("alarms", ()))
            and all(_types(check) in _CHECK_TYPES for check in checks)
            and set(_types(row["failures"])) <= {str}
            and _types((row.get("watched", 0), row.get("claim", ""))) == (int, str)
        )
        return _record(row, where, checks, plain) if fits else None
    except (KeyError, TypeError):
        return None


def _types(values: Iterable[object]) -> tuple[type, ...]:
    return tuple(map(type, values))


def _record(
    row: _Line, where: str, checks: Iterable[Sequence[Any]], plain: dict[str, Any]
) -> EpisodeRecord:
    return EpisodeRecord(
        key=EpisodeKey(*row["key"]),
        outcome=_OUTCOMES[row["outcome"]],
        failures=tuple(row["failures"]),
        checks=tuple(CheckedAnswer(*check) for check in checks),
        trace=where,
        watched=row.get("watched", 0),
        alarms=tuple(Alarm(*alarm) for alarm in row.get("alarms", ())),
        claim=row.get("claim", ""),
        **plain,
    )


def _stamp(folder: str) -> list[int]:
    """Sizes (bytes) and times (ns) of the trace and its note, to detect changes."""
    found: list[int] = []
    for name in (TRACE_FILE, EPISODE_FILE):
        try:
            about = os.stat(f"{folder}/{name}")  # noqa: PTH116 - a Path is slower, and they are many
            found += [about.st_size, about.st_mtime_ns]
        except (FileNotFoundError, NotADirectoryError):
            found += [0, 0]
    return found


def _lines(path: Path) -> dict[str, _Line]:
    """The last line for each trace; lines that are cut or damaged are skipped."""
    try:
        lines = list(LineReader(path, "cache"))
    except FileNotFoundError:
        return {}
    except UnreadableFileError as error:
        raise RegraspError(f"{error} It is a cache: remove it.") from error
    try:
        rows = parse_json(b"[" + b",".join(lines) + b"]")  # all at once is faster
    except JsonError:
        rows = [_value(line) for line in lines]
    found = (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    return {where: row for row in found if isinstance(where := row.get("trace"), str)}


def _value(line: bytes) -> JsonValue:
    try:
        return parse_json(line)
    except JsonError:
        return None


def _append(path: Path, line: _Line) -> None:
    data = _dumped(line).encode()
    with suppress(OSError), path.open("ab") as file:
        if file.tell() and not _ends_with_newline(path):
            data = b"\n" + data
        file.write(data)


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _rewrite(root: Path) -> None:
    """Keep one line for each existing episode."""
    there = set(episode_paths(root))
    for name in (RECORDS_FILE, CHECKS_FILE):
        path = root / name
        draft = path.with_name(f".{name}.{os.getpid()}")
        kept = (row for where, row in _lines(path).items() if where in there)
        with suppress(OSError):
            with draft.open("w") as file:
                file.writelines(_dumped(row) for row in kept)
            draft.replace(path)
        draft.unlink(missing_ok=True)


def _dumped(line: _Line) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"
