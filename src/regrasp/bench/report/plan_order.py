"""Whether configurations come in the paper's order, and what ended the plans of the lower one.

Rules (M of CoPAL) mend what a command needs. They mend no wrong name, no missing ingredient and
nothing that the robot reports; a new plan (H) may. So M lags behind H by the plans that such errors
end: the table counts them.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from regrasp.bench.answer_scores import Rate
from regrasp.bench.record import MOST_HIGH_REPLANS, EpisodeRecord
from regrasp.bench.report.document import Cell, Table
from regrasp.bench.report.grid import Grid, executable, method_label
from regrasp.bench.report.numbers import rate_cell
from regrasp.bench.suite import PaperPlans

__all__ = ["PlanEnd", "order_table", "plan_end"]


class PlanEnd(StrEnum):
    """What ended a plan that was not carried out."""

    NO_PLAN = "no plan was made"
    CHECK = "a check before the robot moved"
    REPORT = "a report of the robot"
    LIMIT = f"{MOST_HIGH_REPLANS} new plans"
    IGNORED = "a failure that was ignored"


def plan_end(record: EpisodeRecord) -> PlanEnd | None:
    """What ended the plan; None if it was carried out to its end."""
    if record.executable:
        return None
    if not record.plans:
        return PlanEnd.NO_PLAN
    if record.claimed:
        return PlanEnd.LIMIT if record.high_replans > MOST_HIGH_REPLANS else PlanEnd.IGNORED
    if record.high_replans >= MOST_HIGH_REPLANS:
        return PlanEnd.LIMIT
    return PlanEnd.REPORT if record.ignored_failures else PlanEnd.CHECK


def order_table(grid: Grid, paper: PaperPlans) -> Table | None:
    """The pairs of the paper's order with what ended the plans of the lower configuration."""
    methods = {method.name: method for method in grid.methods}
    rows = []
    for low, high in paper.order:
        if low not in methods or high not in methods:
            continue
        lower, higher = (grid.of_method(methods[name]) for name in (low, high))
        ends = Counter(plan_end(record) for record in lower)
        name = f"{method_label(methods[low])} < {method_label(methods[high])}"
        first, second = executable(lower), executable(higher)
        counts = (Cell(str(ends[one])) for one in PlanEnd)
        holds = Cell(_verdict(first, second, ends))
        rows.append((Cell(name), rate_cell(first), rate_cell(second), holds, *counts))
    caption = (
        "The paper's order of executable plans, and what ended the plans of the lower "
        "configuration. Rules mend what a command needs in the believed state; they end at a "
        "wrong name, at an ingredient that is not there, and at what the robot reports. Where no "
        "plan of the lower configuration ended like that, the higher one has nothing to gain."
    )
    head = ("", "lower", "higher", "holds", *map(str, PlanEnd))
    return Table(caption, head, tuple(rows)) if rows else None


def _verdict(lower: Rate, higher: Rate, ends: Counter[PlanEnd | None]) -> str:
    if not lower.n or not higher.n:
        return "not run"
    if higher.hits * lower.n > lower.hits * higher.n:
        return "yes"
    if ends[None] == lower.n:
        return "no: every plan of the lower was carried out"
    return "no"
