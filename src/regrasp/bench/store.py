"""Reading a run's folder: the traces are the source, and rows read from them are cached.

Reading a trace takes milliseconds, and a run has thousands. So the rows are kept in
`records.jsonl`, their checks in `checks.jsonl`, each line under the size and time of the trace it
was read from. An outdated line is read again; both files can be removed at any time.

A line that this user's Regrasp did not write is not believed (sealed_lines.py), and its trace is
read again. What is no episode of the run is left out and listed (belonging.py).
"""

from __future__ import annotations

import os
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from regrasp.bench.belonging import why_left_out
from regrasp.bench.layout import (
    EPISODE_FILE,
    LeftOut,
    episode_path,
    read_note,
    scan_episodes,
    trace_digest,
)
from regrasp.bench.manifest import Manifest, read_manifest
from regrasp.bench.reading import read_record
from regrasp.bench.record import (
    Alarm,
    CheckedAnswer,
    EpisodeKey,
    EpisodeRecord,
    NamedObstacle,
    episode_outcome,
)
from regrasp.bench.sealed_lines import Line, SealedLines
from regrasp.core.outcome import Outcome
from regrasp.core.run_folder import LinkedFileError, inside
from regrasp.core.trace import TRACE_FILE

__all__ = ["CHECKS_FILE", "RECORDS_FILE", "Results", "load_results", "note", "rebuild"]

RECORDS_FILE = "records.jsonl"
CHECKS_FILE = "checks.jsonl"

_PLAIN = (
    "claimed", "done", "reason", "sim_s", "wall_s", "cpu_s", "calls", "tokens", "motions", "looks",
    "replans",
)  # fmt: skip
_COUNTS = (
    "plans", "high_replans", "mid_replans", "ignored_failures", "language_calls", "language_s",
    "ordered",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Results:
    """A run's folder, its manifest, and a row for each episode, by task, method and seed.

    `left_out` lists what is in the folder and is no episode of this run.
    """

    root: Path
    manifest: Manifest
    records: tuple[EpisodeRecord, ...]
    left_out: tuple[LeftOut, ...] = ()


def load_results(root: Path | str, *, checks: bool = True) -> Results:
    """All results in a run's folder; without `checks` the rows have no checks, which is faster.

    Only traces that are not in the cache, or have changed, are read.
    """
    root = Path(root)
    manifest = read_manifest(root)
    caches = [SealedLines(root, name) for name in (RECORDS_FILE, CHECKS_FILE)]
    rows = caches[0].read()
    kept = caches[1].read() if checks else {}
    records, stale = [], any(cache.skipped for cache in caches)
    paths, left_out = scan_episodes(root)
    for where in paths:
        row, found = rows.get(where), kept.get(where)
        stamp = _stamp(f"{root}/{where}")
        if row is not None and _is_fresh(row, found, stamp, manifest, checks):
            answers = tuple(CheckedAnswer(*check) for check in found["checks"]) if found else ()
            records.append(_record(row, where, answers))
            continue
        stale = stale or row is not None or found is not None
        try:
            folder = inside(root, where)
            episode = read_note(folder)
            why = why_left_out(manifest, episode, where, trace_digest(folder))
        except LinkedFileError as error:
            why = str(error)
        if why:
            left_out.append(LeftOut(where, why))
            continue
        record = read_record(folder, root)
        records.append(record if checks else replace(record, checks=()))
        note(root, record, episode.job)
    if stale or len(rows) > len(records):
        for cache in caches:
            cache.keep({record.trace for record in records})
    return Results(root, manifest, tuple(records), tuple(left_out))


def _is_fresh(
    row: Line, found: Line | None, stamp: list[int], manifest: Manifest, checks: bool
) -> bool:
    """Whether what is kept of an episode is of this trace, and the episode of this run."""
    known = all(name in row for name in _COUNTS)  # an earlier version kept fewer
    if row["stamp"] != stamp or row.get("job") is None or not known:
        return False
    if checks and (found is None or found["stamp"] != stamp or not _complete(found)):
        return False
    key = EpisodeKey(*row["key"])
    if episode_path(key) != row["trace"]:
        return False
    return bool(row["job"] == manifest.job_digest(key)) if row["job"] else manifest.schema < 2


def _complete(found: Line) -> bool:
    """Whether its checks have all present fields: an earlier version kept fewer."""
    width = len(fields(CheckedAnswer))
    return all(len(check) == width for check in found["checks"][:1])


def rebuild(root: Path | str) -> Results:
    """Read every trace again."""
    for name in (RECORDS_FILE, CHECKS_FILE):
        SealedLines(Path(root), name).remove()
    return load_results(root)


def note(root: Path, record: EpisodeRecord, job: str) -> None:
    """Add a row to the cache, with the digest of its job.

    If that fails, the trace is read again next time.
    """
    stamp = _stamp(f"{root}/{record.trace}")
    row: Line = {
        "trace": record.trace,
        "stamp": stamp,
        "job": job,
        "key": astuple(record.key),
        "outcome": str(record.outcome),
        **{name: getattr(record, name) for name in _PLAIN},
        "failures": record.failures,
        "watched": record.watched,
        "alarms": list(map(astuple, record.alarms)),
        "claim": record.claim,
        **{name: getattr(record, name) for name in _COUNTS},
        "missing": record.missing,
        "superfluous": record.superfluous,
        "obstacles": list(map(astuple, record.obstacles)),
    }
    checks = list(map(astuple, record.checks))
    line: Line = {"trace": record.trace, "stamp": stamp, "checks": checks}
    SealedLines(root, CHECKS_FILE).append(line)
    SealedLines(root, RECORDS_FILE).append(row)


def _record(row: Line, where: str, checks: tuple[CheckedAnswer, ...]) -> EpisodeRecord:
    return EpisodeRecord(
        key=EpisodeKey(*row["key"]),
        outcome=_outcome(row),
        failures=tuple(row["failures"]),
        checks=checks,
        trace=where,
        watched=row.get("watched", 0),
        alarms=tuple(Alarm(*alarm) for alarm in row.get("alarms", ())),
        claim=row.get("claim", ""),
        missing=tuple(row["missing"]),
        superfluous=tuple(row["superfluous"]),
        obstacles=tuple(NamedObstacle(*one) for one in row["obstacles"]),
        **{name: row[name] for name in (*_PLAIN, *_COUNTS)},
    )


def _outcome(row: Line) -> Outcome:
    """The outcome by today's rule; an earlier version kept the judge's verdict alone."""
    if row["outcome"] == Outcome.BROKEN:
        return Outcome.BROKEN
    return episode_outcome(row["done"], row["claimed"])


def _stamp(folder: str) -> list[int]:
    """Sizes (bytes) and times (ns) of the trace and its note, to detect changes."""
    found: list[int] = []
    for name in (TRACE_FILE, EPISODE_FILE):
        try:
            about = os.lstat(f"{folder}/{name}")  # a Path is slower, and they are many
            found += [about.st_size, about.st_mtime_ns]
        except FileNotFoundError:
            found += [0, 0]
    return found
