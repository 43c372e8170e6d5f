"""The section on causes of failures, if `regrasp blame` has been run."""

from __future__ import annotations

from collections.abc import Sequence

from regrasp.bench.answer_scores import Rate
from regrasp.bench.blame import Blamed, failed, read_blame, swap_rows
from regrasp.bench.report.document import Cell, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid, method_label
from regrasp.bench.report.numbers import rate_cell
from regrasp.bench.store import Results

__all__ = ["blame_section"]


def blame_section(grid: Grid, results: Results) -> ReportSection | None:
    """Failed episodes that a swap rescues, by method; None without a blame run."""
    records = failed(results)
    found = [b for b in read_blame(results.root, records) if b.swapped]
    if not found:
        return None
    rows: list[tuple[Cell, ...]] = []
    for method in grid.methods:
        rows += _rows(
            method_label(method), [b for b in found if b.record.key.method == method.name]
        )
    if len(grid.methods) > 1:
        rows += _rows("all", found)
    nobody = sum(not b.rescued_by for b in found)
    text = (
        f"{len(found)} of {len(records)} failed episodes were run again from the start, on the "
        "same seed, with one part of the agent replaced by its oracle at a time (“regrasp blame”). "
        "If replacing one part alone makes an episode succeed, that part caused the failure; there "
        f"can be several. {nobody} were rescued by no single replacement."
    )
    caption = (
        "Rescued: failed episodes that succeed with this part replaced, of those that were tried "
        "and ended. Only this: rescued by this replacement and no other."
    )
    head = ("", "replaced", "by", "rescued", "only this", "broken")
    return ReportSection("Blame", [Text(text), Table(caption, head, tuple(rows), labels=3)])


def _rows(label: str, blamed: Sequence[Blamed]) -> list[tuple[Cell, ...]]:
    return [
        (
            Cell(label),
            Cell(row["swap"]),
            Cell(row["oracle"]),
            rate_cell(Rate(row["rescued"], row["failed"] - row["broken"])),
            Cell(str(row["only_this"])),
            Cell(str(row["broken"])),
        )
        for row in swap_rows(blamed)
    ]
