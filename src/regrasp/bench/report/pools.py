"""Success over tasks that a paper's table pools, such as table V of CoPAL."""

from __future__ import annotations

from regrasp.bench.report.document import Cell, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, success_cell
from regrasp.bench.report.numbers import DASH, percent
from regrasp.bench.suite import PaperPool, SuiteMethod

__all__ = ["pools_section"]


def pools_section(grid: Grid) -> ReportSection | None:
    """Methods down, pools across, ours above the paper's; for a suite with `pools`."""
    names = {task.name for task in grid.tasks}
    pools = [pool for pool in grid.suite.pools if names & set(pool.tasks)]
    if not pools:
        return None
    rows = []
    for method in grid.methods:
        ours = [_ours(grid, pool, method) for pool in pools]
        rows.append((Cell(method_label(method), strong=True), Cell("ours"), *ours))
        rates = [pool.rates.get(method.name) for pool in pools]
        if any(rate is not None for rate in rates):
            theirs = (Cell(DASH if rate is None else percent(rate)) for rate in rates)
            rows.append((Cell(""), Cell("paper"), *theirs))
    caption = (
        f"Success over the episodes of several tasks ({grid.suite.source}), with Wilson's 95% "
        "interval. The paper does not give the number of its episodes. "
        + " ".join(
            f"{pool.name}: {', '.join(task for task in pool.tasks if task in names)}."
            for pool in pools
        )
    )
    head = ("", "", *(pool.name for pool in pools))
    return ReportSection("Success, pooled as in the paper", [Table(caption, head, tuple(rows), 2)])


def _ours(grid: Grid, pool: PaperPool, method: SuiteMethod) -> Cell:
    tasks = [task for task in grid.tasks if task.name in pool.tasks]
    return success_cell([r for task in tasks for r in grid.ended(task, method)])
