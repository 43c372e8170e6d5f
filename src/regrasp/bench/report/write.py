"""Writing a report: `report.md`, `report.html` and `figures/`, from the records of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regrasp.bench.report.against import against_section
from regrasp.bench.report.blamed import blame_section
from regrasp.bench.report.costs import actions_section, costs_section
from regrasp.bench.report.document import Document, Text
from regrasp.bench.report.execution import execution_section, saved_section
from regrasp.bench.report.failures import failures_section
from regrasp.bench.report.figures import draw_figures, installed
from regrasp.bench.report.grid import Grid, success
from regrasp.bench.report.html import to_html
from regrasp.bench.report.judgement import judgement_section
from regrasp.bench.report.markdown import to_markdown
from regrasp.bench.report.matrix import matrix_section
from regrasp.bench.report.monitors import at_work_section, monitors_section, rules_section
from regrasp.bench.report.paired import paired_section
from regrasp.bench.report.plans import plans_section
from regrasp.bench.report.pools import pools_section
from regrasp.bench.report.provenance import episodes_section, lead, left_out_blocks, made_section
from regrasp.bench.report.success import success_section
from regrasp.bench.report.theorem import CarryWaste, measured, theorem_section
from regrasp.bench.store import Results
from regrasp.bench.suite import Suite
from regrasp.core.errors import RegraspError
from regrasp.core.files import refuse_to_overwrite, write_text
from regrasp.core.run_folder import inside
from regrasp.core.trace import TRACE_FILE
from regrasp.view.html import PAGE_MARKS
from regrasp.view.page import PAGE_FILE, write_page

__all__ = ["NO_FIGURES", "Report", "write_pages", "write_report"]

NO_FIGURES = (
    "The figures are not drawn: matplotlib is not installed; pip install 'regrasp[report]'."
)
_MARKDOWN_MARK, _OLD_TITLE = b"# regrasp bench", b"<title>regrasp bench"
_SEED = 0  # of the bootstrap and the permutations, so that a run has one report


@dataclass(frozen=True, slots=True)
class Report:
    """The written files; `figures` is empty without matplotlib."""

    markdown: Path
    html: Path
    figures: tuple[Path, ...]


def write_report(
    results: Results, suite: Suite, out: Path, against: tuple[str, Results] | None = None
) -> Report:
    """Write the report of a run into `out`; an older report is overwritten, nothing else.

    `against` is the name of another table on the same seeds, and its run.
    """
    if not results.records:
        raise RegraspError(f"{results.root} holds no episode yet: there is nothing to report.")
    grid = Grid.of(suite, results.records)
    markdown, html = inside(out, "report.md"), inside(out, "report.html")
    refuse_to_overwrite(markdown, (_MARKDOWN_MARK,), "a report")
    refuse_to_overwrite(html, (*PAGE_MARKS, _OLD_TITLE), "a report")
    waste = measured(grid, results.root)
    try:
        drawn: dict[str, bytes] = {}
        if installed():
            generator = np.random.default_rng(_SEED)
            drawn = draw_figures(grid, waste, inside(out, "figures"), generator)
        document = _document(grid, results, out, waste, against)
        write_text(markdown, to_markdown(document, drawn))
        write_text(html, to_html(document, drawn))
    except OSError as error:
        raise RegraspError(f"cannot write the report to {out}: {error.strerror}.") from error
    files = tuple(out / "figures" / f"{name}.{kind}" for name in drawn for kind in ("png", "svg"))
    return Report(markdown, html, files)


def write_pages(results: Results) -> int:
    """Write the page of every episode that has a trace and no page. Returns their number."""
    written = 0
    for record in results.records:
        folder = results.root / record.trace
        if (folder / TRACE_FILE).exists() and not (folder / PAGE_FILE).exists():
            write_page(folder)
            written += 1
    return written


def _document(
    grid: Grid,
    results: Results,
    out: Path,
    waste: tuple[CarryWaste, ...],
    against: tuple[str, Results] | None,
) -> Document:
    generator = np.random.default_rng(_SEED)
    opening = [*lead(grid, results.manifest), *left_out_blocks(results.left_out)]
    if not installed():
        opening.append(Text(NO_FIGURES))
    other = None
    if against is not None:
        name, run = against
        other = against_section(grid, Grid.of(grid.suite, run.records), name, generator)
    sections = (
        other,
        matrix_section(grid),
        pools_section(grid),
        success_section(grid),
        plans_section(grid, generator),
        execution_section(grid, generator),
        saved_section(grid, generator),
        paired_section(grid, generator),
        actions_section(grid),
        failures_section(grid),
        blame_section(grid, results),
        at_work_section(grid, generator),
        monitors_section(grid, generator),
        rules_section(grid, generator),
        theorem_section(waste, generator),
        judgement_section(grid, generator),
        costs_section(grid, generator),
        episodes_section(grid, results.root, out),
        made_section(results.manifest),
    )
    suite, rate = grid.suite, success([record for record in grid if record.ended])
    source = f" ({suite.source})" if suite.source else ""
    title = f"regrasp bench {suite.name}{source}: {rate.hits} of {rate.n} succeeded"
    return Document(title, opening, [section for section in sections if section is not None])
