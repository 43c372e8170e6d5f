"""How episodes failed, which skills failed, and how many episodes recovered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid, method_label, success
from regrasp.bench.report.numbers import rate_cell
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome

__all__ = ["failures_section", "how_failed", "taxonomy"]

_MOST_REASONS = 20

_LAST_MOTION: Mapping[str, str] = {
    FailureCode.UNREACHED: "gave up after not reaching",
    FailureCode.NOT_GRASPED: "gave up after grasping nothing",
    FailureCode.RESISTED: "gave up on what did not give way",
    FailureCode.DROPPED: "gave up after dropping",
    FailureCode.TIMED_OUT: "gave up on a motion out of time",
    FailureCode.CANCELLED: "gave up after being stopped",
    FailureCode.REFUSED: "gave up on what cannot be done",
    FailureCode.GUARD: "gave up after the guard stopped it",
    FailureCode.OUT_OF_REACH: "gave up on what is out of reach",
    FailureCode.JOINT_LIMIT: "gave up at a joint limit",
    FailureCode.COLLISION: "gave up on what stood in the way",
    FailureCode.EMPTY: "gave up on an empty vessel",
    FailureCode.OVERFLOW: "gave up on a full vessel",
}
_CLAIMED = "claimed done, was not"
_UNCLAIMED = "reached the goal, did not claim it"
_TIME = "ran out of time"
_CALLS = "ran out of model calls"
_NOTHING = "gave up though no motion failed"


def how_failed(record: EpisodeRecord) -> str:
    """The kind of failure of a failed episode, by its end and its last failed skill."""
    if record.claimed:
        return _CLAIMED
    if record.reached_not_claimed:
        return _UNCLAIMED
    if record.reason.startswith("out of time"):
        return _TIME
    if record.reason.startswith("BudgetExceededError"):
        return _CALLS
    if not record.failures:
        return _NOTHING
    return _LAST_MOTION.get(record.failures[-1], f"gave up after: {record.failures[-1]}")


def taxonomy(records: Sequence[EpisodeRecord]) -> Counter[str]:
    """The number of failures of each kind, in a fixed order."""
    found = Counter(how_failed(r) for r in records if r.outcome is Outcome.FAILED)
    order = [_CLAIMED, _UNCLAIMED, *_LAST_MOTION.values(), _TIME, _CALLS, _NOTHING]
    return Counter({kind: found[kind] for kind in dict.fromkeys([*order, *found]) if found[kind]})


def failures_section(grid: Grid) -> ReportSection:
    """The kinds of failure by method, the failed skills, recoveries, and the agents' reasons."""
    by_method = {m: grid.of_method(m) for m in grid.methods}
    kinds = [*taxonomy([r for records in by_method.values() for r in records])]
    if not kinds:
        return ReportSection("Failures", [Text("No episode failed."), _recoveries(grid)])
    rows = []
    for method, records in by_method.items():
        found = taxonomy(records)
        counts = (Cell(str(found[kind])) for kind in kinds)
        rows.append((Cell(method_label(method)), Cell(str(found.total())), *counts))
    caption = (
        "Episodes that failed, each counted once: by a claim that was not true, by a limit, or by "
        "the code of the last skill that failed."
    )
    blocks: list[Block] = [
        Table(caption, ("", "failed", *kinds), tuple(rows)),
        Picture("failures", "How episodes failed, as a share of all that ended."),
        _recoveries(grid),
        _reasons(grid),
    ]
    return ReportSection("Failures", blocks)


def _recoveries(grid: Grid) -> Table:
    codes = sorted({code for r in grid if r.ended for code in r.failures})
    rows = []
    for method in grid.methods:
        records = grid.of_method(method)
        hurt = [r for r in records if r.failures]
        found = Counter(code for r in records for code in r.failures)
        counts = (Cell(str(found[code])) for code in codes)
        rows.append((Cell(method_label(method)), rate_cell(success(hurt)), *counts))
    caption = (
        "Recovered: of the episodes in which at least one skill failed, those that succeeded all "
        "the same. Then how many skills failed, by their codes, over all episodes that ended."
    )
    return Table(caption, ("", "recovered", *codes), tuple(rows))


def _reasons(grid: Grid) -> Table:
    found = Counter(
        (method_label(method), record.reason or "(nothing)")
        for method in grid.methods
        for record in grid.of_method(method)
        if record.outcome is Outcome.FAILED
    )
    shown = found.most_common(_MOST_REASONS)
    left = found.total() - sum(n for _, n in shown)
    caption = "The agents' reasons at the end of failed episodes, most frequent first."
    caption += f" Another {left} episodes had other reasons." if left else ""
    rows = tuple((Cell(method), Cell(reason), Cell(str(n))) for (method, reason), n in shown)
    return Table(caption, ("method", "its reason", "episodes"), rows, labels=2)
