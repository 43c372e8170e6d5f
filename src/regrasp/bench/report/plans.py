"""Plans as CoPAL reports them: executable, correct, changed by which level, and how quickly.

Joublin et al., "CoPAL: Corrective Planning of Robot Actions with Large Language Models", ICRA 2024,
section IV-A: figures 3 and 4, and the distance of equation (1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import numpy as np

from regrasp.bench.answer_scores import Rate
from regrasp.bench.clustered import seed_means
from regrasp.bench.record import MOST_HIGH_REPLANS, EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table
from regrasp.bench.report.grid import Grid, executable, method_label, task_label
from regrasp.bench.report.numbers import DASH, interval, mean_cell, p_value, percent, rate_cell
from regrasp.bench.report.paired import paired
from regrasp.bench.report.plan_order import order_table
from regrasp.bench.statistics import bootstrap, holm, paired_permutation
from regrasp.bench.suite import PaperPlans
from regrasp.worlds.recipes import RecipeDifference

__all__ = ["correct", "distance", "plans_section"]

_DISTANCES = (0.2, 0.4, 1.0, 1.2, 2.0)
_MEASURES: Mapping[str, Callable[[EpisodeRecord], float]] = {
    "executable": lambda r: float(r.executable),
    "high": lambda r: r.high_replans,
    "mid": lambda r: r.mid_replans,
    "language model calls": lambda r: r.language_calls,
    "language model s": lambda r: r.language_s,
    "robot s": lambda r: r.sim_s,
}
_COUNTED = ("high", "mid", "language model calls", "language model s", "robot s")


def correct(records: Sequence[EpisodeRecord]) -> Rate:
    """How many of the executable ones have the right result, by the judge."""
    return Rate.of((r.key.seed, r.succeeded) for r in records if r.executable)


def distance(record: EpisodeRecord) -> float:
    """One term of equation (1): 0.2 for each superfluous ingredient, 1 for each missing one."""
    return RecipeDifference(frozenset(record.missing), frozenset(record.superfluous)).distance


def plans_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """The tables and figures of plans, for a suite with `plans`."""
    paper = grid.suite.plans
    if paper is None:
        return None
    blocks: list[Block] = [_methods(grid, paper, generator)]
    if any(record.ordered for record in grid):
        blocks.append(_distances(grid, paper))
    blocks += [
        Picture(
            "replans",
            "Changes of the plan in an episode, by the level that changed it (figure 3 of the "
            "paper): mean, 95% bootstrap interval, and a dot for each episode.",
        ),
        Picture(
            "executability",
            "Executable plans against calls of the language model, and against the seconds of the "
            "robot and the language model together: means over all episodes that ended, 95% "
            "intervals. Figure 4 of the paper has the seconds of its language models alone."
            + (" Hollow diamonds: the paper's share, at our cost." if paper.executable else ""),
        ),
        _by_task(grid),
    ]
    order = order_table(grid, paper)
    blocks += [order] if order is not None else []
    compared = _compared(grid, paper, generator)
    blocks += [compared] if compared.rows else []
    blocks += [_obstacles(grid)] if any(record.obstacles for record in grid) else []
    return ReportSection("Plans", blocks)


def _methods(grid: Grid, paper: PaperPlans, generator: np.random.Generator) -> Table:
    head = [
        "", "executable", "correct of these", "distance d", "new plans (high)", "repairs (mid)",
        *_COUNTED[2:],
    ]  # fmt: skip
    rows = []
    for method in grid.methods:
        records = grid.of_method(method)
        ordered = [r for r in records if r.executable and r.ordered]
        distances = _mean(ordered, distance, generator)
        means = [_mean(records, _MEASURES[name], generator) for name in _COUNTED]
        rows.append(
            (
                Cell(method_label(method), strong=True),
                rate_cell(executable(records), strong=True),
                rate_cell(correct(records)),
                distances,
                *means,
            )
        )
        if method.name in paper.executable:
            theirs = Cell(percent(paper.executable[method.name]))
            rows.append((Cell("paper"), theirs, *[Cell(DASH)] * 7))
    if paper.correct is not None:
        every = Cell(percent(paper.correct))
        rows.append((Cell("paper, all"), Cell(DASH), every, *[Cell(DASH)] * 6))
    caption = (
        "Over all tasks, episodes that ended. A plan is executable if the agent carried it out to "
        f"its end, ignoring no failed skill, with at most {MOST_HIGH_REPLANS} new plans of the "
        "high level; it is correct if the judge finds the task done. d is equation (1) for one "
        "episode: 0.2 for each superfluous ingredient, 1 for each missing one, over executable "
        "plans. New plans and repairs are counted from the trace; seconds of the language model "
        "are wall time, and not recorded for rules. Every configuration was run. Intervals are "
        "clustered by seed."
    )
    return Table(caption, tuple(head), tuple(rows))


def _mean(
    records: Sequence[EpisodeRecord],
    measure: Callable[[EpisodeRecord], float],
    generator: np.random.Generator,
) -> Cell:
    return mean_cell([measure(r) for r in records], generator, [r.key.seed for r in records])


def _distances(grid: Grid, paper: PaperPlans) -> Table:
    """How far the results of executable plans are from their recipes."""
    head = ("", "correct", "another fault", *(f"d = {d:g}" for d in _DISTANCES), "more")
    rows = []
    for method in grid.methods:
        records = [r for r in grid.of_method(method) if r.executable and r.ordered]
        found = Counter(_fault(record) for record in records)
        cells = (_share(found[name], len(records)) for name in head[1:])
        rows.append((Cell(method_label(method)), *cells))
    if paper.distances:
        shares = (paper.distances.get(d) for d in _DISTANCES)
        known = [Cell(percent(one) if one is not None else DASH) for one in shares]
        right = Cell(percent(paper.correct)) if paper.correct is not None else Cell(DASH)
        rows.append((Cell("paper, all"), right, Cell(DASH), *known, Cell(DASH)))
    caption = (
        "Results of executable plans by their distance d from the recipe. Another fault: all "
        "ingredients are right, and the task is not done, e.g. two glasses are on the tray."
    )
    return Table(caption, head, tuple(rows))


def _fault(record: EpisodeRecord) -> str:
    if record.succeeded:
        return "correct"
    d = distance(record)
    names = {0.0: "another fault", **{one: f"d = {one:g}" for one in _DISTANCES}}
    return names.get(round(d, 3), "more")


def _share(count: int, n: int) -> Cell:
    return Cell(percent(count / n), f"{count}/{n}") if n else Cell(DASH)


def _by_task(grid: Grid) -> Table:
    rows = [
        (
            Cell(task_label(task)),
            *(rate_cell(executable(grid.ended(task, method))) for method in grid.methods),
        )
        for task in grid.tasks
    ]
    head = ("", *map(method_label, grid.methods))
    return Table("Executable plans in each task.", head, tuple(rows))


def _compared(grid: Grid, paper: PaperPlans, generator: np.random.Generator) -> Table:
    methods = {method.name: method for method in grid.methods}
    compared = [
        (methods[a], methods[b], paired(grid, grid.tasks, methods[a], methods[b]))
        for a, b in paper.compared
        if a in methods and b in methods
    ]
    found = [
        [seed_means((x.key.seed, of(x) - of(y)) for x, y in pairs) for of in _MEASURES.values()]
        for _, _, pairs in compared
    ]
    p_values = [paired_permutation(means, generator) for row in found for means in row]
    adjusted = iter(holm(p_values))
    rows = []
    for (a, b, pairs), row in zip(compared, found, strict=True):
        cells = [Cell(str(len(pairs))), Cell(str(len({x.key.seed for x, _ in pairs})))]
        cells += [_difference_cell(means, next(adjusted), generator) for means in row]
        rows.append((Cell(f"{method_label(a)} − {method_label(b)}"), *cells))
    caption = (
        "Differences of two configurations on the same tasks and seeds. The episodes of one seed "
        "are one cluster: their mean difference counts once. Below each mean: its bootstrap "
        "interval over seeds, and p by changing the signs of seeds at random, adjusted for all "
        "cells of the table (Holm)."
    )
    return Table(caption, ("", "pairs", "seeds", *_MEASURES), tuple(rows))


def _difference_cell(by_seed: Sequence[float], p: float, generator: np.random.Generator) -> Cell:
    if not by_seed:
        return Cell(DASH)
    limits = interval(*bootstrap(by_seed, generator))
    text = f"{fmean(by_seed):+.2f}".replace("-", "−")
    return Cell(text, ", ".join(filter(None, (limits, f"p {p_value(p)}"))))


def _obstacles(grid: Grid) -> Table:
    rows = []
    for method in grid.methods:
        found = [(r.key.seed, one) for r in grid.of_method(method) for one in r.obstacles]
        wrong = [f"{one.command}: {one.named or 'nothing'}" for _, one in found if not one.true]
        rate = Rate.of((seed, one.true) for seed, one in found)
        shown = "; ".join(dict.fromkeys(wrong)) or DASH
        rows.append((Cell(method_label(method)), rate_cell(rate), Cell(shown)))
    caption = (
        "Things in the way: of the robot's first reports on an object that something stands "
        "before, how many name only what truly stands before it."
    )
    return Table(caption, ("", "true", "named wrongly"), tuple(rows))
