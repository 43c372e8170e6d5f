"""The cost of episodes: actions as in figure C.1 of the REPLAN paper, times, calls and tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

import numpy as np

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH, mean_cell

__all__ = ["actions_section", "costs_section"]


def actions_section(grid: Grid) -> ReportSection:
    """Motion and vision actions of an episode, and the paper's sums if it has them."""
    head = ("", *(task_label(task) for task in grid.tasks))
    rows = [
        (Cell(method_label(m)), *(_actions(grid.ended(task, m)) for task in grid.tasks))
        for m in grid.methods
    ]
    caption = (
        "Motion + vision actions of an episode on average; below, all actions together: standard "
        "deviation, least–most. A motion action is a skill that was begun, a vision action a step "
        "of the plan that the vision model did. Over all episodes that ended, failed ones included."
    )
    blocks: list[Block] = [Table(caption, head, tuple(rows))]
    if (sums := _sums(grid)) is not None:
        blocks.append(sums)
    blocks.append(
        Picture(
            "actions",
            "Actions in each task, averaged over episodes: motions below, looks above. Bars: "
            "standard deviation of all actions together; dots: least and most.",
        )
    )
    return ReportSection("Actions", blocks)


def _actions(records: Sequence[EpisodeRecord]) -> Cell:
    if not records:
        return Cell(DASH)
    both = [r.motions + r.looks for r in records]
    motions, looks = (fmean(r.motions for r in records), fmean(r.looks for r in records))
    return Cell(f"{motions:.1f} + {looks:.1f}", f"sd {pstdev(both):.1f}, {min(both)}–{max(both)}")


def _sums(grid: Grid) -> Table | None:
    """The paper's total of actions beside ours over the same tasks; it has no figure per task."""
    paper = grid.suite.actions
    if paper is None:
        return None
    method = next((m for m in grid.methods if m.name == paper.method), None)
    if method is None:
        return None
    ours = [r for t in grid.tasks if t.name in paper.tasks for r in grid.ended(t, method)]
    if not ours:
        return None
    rows = [
        _sum_row("ours", sum(r.motions for r in ours), sum(r.looks for r in ours), len(ours)),
        _sum_row("paper", paper.motions, paper.looks, paper.episodes),
    ]
    tasks = sum(t.name in paper.tasks for t in grid.tasks)
    caption = (
        f"All actions of {method_label(method)} over the {len(paper.tasks)} tasks that the paper "
        f"counts, of which {tasks} are in this run. The paper gives its figures by task as a "
        "drawing only."
    )
    head = ("", "episodes", "motions", "looks", "motions an episode", "looks an episode")
    return Table(caption, head, tuple(rows))


def _sum_row(who: str, motions: int, looks: int, episodes: int) -> tuple[Cell, ...]:
    counts = (Cell(str(n)) for n in (episodes, motions, looks))
    means = (Cell(f"{n / episodes:.2f}") for n in (motions, looks))
    return (Cell(who), *counts, *means)


_COSTS: tuple[tuple[str, Callable[[EpisodeRecord], float]], ...] = (
    ("simulated s", lambda r: r.sim_s),
    ("wall s", lambda r: r.wall_s),
    ("CPU s", lambda r: r.cpu_s),
    ("model calls", lambda r: r.calls),
    ("tokens", lambda r: r.tokens),
    ("replans", lambda r: r.replans),
)


def costs_section(grid: Grid, generator: np.random.Generator) -> ReportSection:
    """Times and calls of each method in each task."""
    rows = []
    for method in grid.methods:
        for task in grid.tasks:
            records = grid.ended(task, method)
            if records:
                means = (mean_cell([of(r) for r in records], generator) for _, of in _COSTS)
                rows.append((Cell(method_label(method)), Cell(task_label(task)), *means))
    caption = (
        "Means over the episodes that ended, the failed included, with 95% bootstrap intervals "
        "(BCa). Wall and CPU seconds are of the machine that ran them; simulated seconds are the "
        "robot's."
    )
    head = ("", "", *(name for name, _ in _COSTS))
    picture = Picture(
        "times", "Simulated seconds of an episode that succeeded: mean and 95% interval."
    )
    return ReportSection("Times and costs", [Table(caption, head, tuple(rows), labels=2), picture])
