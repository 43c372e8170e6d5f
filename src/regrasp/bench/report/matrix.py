"""Methods down, worlds across: success, time, number of questions; or why a method cannot run."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from regrasp.bench.record import NOT_CLAIMED, EpisodeRecord
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table, Text
from regrasp.bench.report.figure_style import new_figure
from regrasp.bench.report.grid import Grid, method_label, success
from regrasp.bench.report.numbers import DASH
from regrasp.bench.suite import SuiteMethod, refused

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["matrix_figure", "matrix_section"]

_CAPTION = (
    "Each cell: episodes that succeeded of those that ended, over the world's tasks, with Wilson's "
    "95% interval; below it the mean simulated time of an episode and its calls of models. All "
    "methods meet the same seeds. A dash: the method cannot work on that robot, for the reason "
    "below the table."
)


def matrix_section(grid: Grid) -> ReportSection | None:
    """The table, for a suite with `by_world`."""
    if not grid.suite.by_world:
        return None
    worlds, reasons = _worlds(grid), dict[str, None]()
    rows = []
    for method in grid.methods:
        cells = [_cell(grid, world, method, reasons) for world in worlds]
        every = [record for world in worlds for record in _ended(grid, world, method)]
        rows.append((Cell(method_label(method), strong=True), *cells, _rate(every)))
    table = Table(_CAPTION, ("", *worlds, "all"), tuple(rows))
    blocks: list[Block] = [table, *(Text(f"{reason}.") for reason in reasons)]
    return ReportSection(
        "Any method in any world", [*blocks, Picture("matrix", "The same as shades.")]
    )


def matrix_figure(grid: Grid) -> Figure | None:
    """The table as a shaded figure, for a suite with `by_world`."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415  -- an extra, slow to import

    if not grid.suite.by_world:
        return None
    worlds = _worlds(grid)
    figure = new_figure(0.32 * len(grid.methods) + 0.9)
    axes = figure.subplots()
    for row, method in enumerate(grid.methods):
        for column, world in enumerate(worlds):
            rate = success(_ended(grid, world, method))
            share = rate.value
            colour = (0.93, 0.93, 0.93) if share is None else (1 - share, 1 - 0.45 * share, 1.0)
            square = Rectangle(
                (column, row), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5
            )
            axes.add_patch(square)
            text = DASH if share is None else f"{rate.hits}/{rate.n}"
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center")
    axes.set_xlim(0, len(worlds))
    axes.set_ylim(len(grid.methods), 0)
    axes.set_xticks([i + 0.5 for i in range(len(worlds))], worlds)
    axes.set_yticks([i + 0.5 for i in range(len(grid.methods))], map(method_label, grid.methods))
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


def _worlds(grid: Grid) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task.world for task in grid.tasks))


def _ended(grid: Grid, world: str, method: SuiteMethod) -> tuple[EpisodeRecord, ...]:
    mine = [task for task in grid.tasks if task.world == world]
    return tuple(record for task in mine for record in grid.ended(task, method))


def _cell(grid: Grid, world: str, method: SuiteMethod, reasons: dict[str, None]) -> Cell:
    records = _ended(grid, world, method)
    if records:
        return _rate(records)
    tasks = [task for task in grid.tasks if task.world == world]
    broken = any(grid.all(task, method) for task in tasks)  # and none of them ended
    why = next((reason for task in tasks if (reason := refused(task, method))), "")
    if why:
        reasons[why] = None
    return Cell("broken" if broken else DASH)


def _rate(records: Sequence[EpisodeRecord]) -> Cell:
    rate = success(records)
    if rate.value is None:
        return Cell(DASH)
    low, high = rate.interval
    seconds, calls = fmean(r.sim_s for r in records), fmean(r.calls for r in records)
    small = f"{100 * low:.0f}–{100 * high:.0f}%; {seconds:.0f} s, {calls:.0f} calls"
    unclaimed = sum(r.reached_not_claimed for r in records)
    small += f"; {unclaimed} {NOT_CLAIMED}" if unclaimed else ""
    return Cell(f"{rate.hits} of {rate.n}", small)
