"""Reading a run's folder: the traces are the source, and rows read from them are cached.

Reading a trace takes milliseconds, and a run has thousands. So the rows are kept in
`records.jsonl`, their checks in `checks.jsonl`, each line under the size and time of the trace it
was read from. An outdated line is read again; both files can be removed at any time.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

from regrasp.bench.layout import EPISODE_FILE, episode_paths
from regrasp.bench.manifest import Manifest, read_manifest
from regrasp.bench.reading import read_record
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeKey, EpisodeRecord
from regrasp.core.files import write_text
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE

__all__ = ["CHECKS_FILE", "RECORDS_FILE", "Results", "load_results", "note", "rebuild"]

RECORDS_FILE = "records.jsonl"
CHECKS_FILE = "checks.jsonl"

_OUTCOMES = {str(outcome): outcome for outcome in Outcome}
_PLAIN = (
    "claimed", "done", "reason", "sim_s", "wall_s", "cpu_s", "calls", "tokens", "motions", "looks",
    "replans",
)  # fmt: skip
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
        fresh = row is not None and row["stamp"] == stamp
        if checks and (found is None or found["stamp"] != stamp or not _complete(found)):
            fresh = False
        if row is not None and fresh:
            answers = tuple(CheckedAnswer(*check) for check in found["checks"]) if found else ()
            records.append(_record(row, where, answers))
            continue
        record = read_record(root / where, root)
        records.append(record if checks else replace(record, checks=()))
        note(root, record)
        stale = stale or row is not None or found is not None
    if stale or len(rows) > len(records):
        _rewrite(root)
    return Results(root, manifest, tuple(records))


def _complete(found: _Line) -> bool:
    """Whether its checks have all present fields: an earlier version kept fewer."""
    width = len(fields(CheckedAnswer))
    return all(len(check) == width for check in found["checks"][:1])


def rebuild(root: Path | str) -> Results:
    """Read every trace again."""
    for name in (RECORDS_FILE, CHECKS_FILE):
        (Path(root) / name).unlink(missing_ok=True)
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


def _record(row: _Line, where: str, checks: tuple[CheckedAnswer, ...]) -> EpisodeRecord:
    return EpisodeRecord(
        key=EpisodeKey(*row["key"]),
        outcome=_OUTCOMES[row["outcome"]],
        failures=tuple(row["failures"]),
        checks=checks,
        trace=where,
        watched=row.get("watched", 0),
        alarms=tuple(Alarm(*alarm) for alarm in row.get("alarms", ())),
        claim=row.get("claim", ""),
        **{name: row[name] for name in _PLAIN},
    )


def _stamp(folder: str) -> list[int]:
    """Sizes (bytes) and times (ns) of the trace and its note, to detect changes."""
    found: list[int] = []
    for name in (TRACE_FILE, EPISODE_FILE):
        try:
            about = os.stat(f"{folder}/{name}")  # noqa: PTH116 - a Path is slower, and they are many
            found += [about.st_size, about.st_mtime_ns]
        except FileNotFoundError:
            found += [0, 0]
    return found


def _lines(path: Path) -> dict[str, _Line]:
    """The last line for each trace; incomplete lines of a killed process are skipped."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    lines = data.decode(errors="replace").splitlines()
    try:
        rows = json.loads(f"[{','.join(lines)}]")  # all at once is faster
    except ValueError:
        rows = [row for line in lines if (row := _whole(line)) is not None]
    return {row["trace"]: row for row in rows}


def _whole(line: str) -> _Line | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and "trace" in row else None


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
        kept = (row for where, row in _lines(path).items() if where in there)
        with suppress(OSError):
            write_text(path, "".join(_dumped(row) for row in kept))


def _dumped(line: _Line) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"
