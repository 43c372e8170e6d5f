"""`regrasp report`: write the tables and figures of a run of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import NamedSuite, SuiteRun

__all__ = ["report"]


def report(
    folder: SuiteRun,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to write it; DIR/report if not given.")
    ] = None,
    pages: Annotated[
        bool, typer.Option("--pages", help="Also write the page of each episode that has none.")
    ] = False,
    suite: NamedSuite = "",
) -> None:
    """Write a run's tables and figures: report.md, report.html, and figures as PNG and SVG.

    The table has the shape of the paper's table, with our rates beside the paper's. Every rate has
    its count and its interval. Broken episodes are not counted. Every episode is linked.
    """
    from regrasp.bench.report.write import NO_FIGURES, write_pages, write_report
    from regrasp.bench.run_names import trusted_suite
    from regrasp.bench.store import load_results
    from regrasp.cli.bench_folder import print_left_out
    from regrasp.cli.output import print_note, print_text
    from regrasp.core.run_folder import inside

    results = load_results(folder)
    plan = trusted_suite(folder, results.manifest, suite)
    print_left_out(results)
    if pages:
        print_note(f"wrote {write_pages(results)} pages of episodes")
    written = write_report(results, plan, out or inside(folder, "report"))
    if not written.figures:
        print_note(NO_FIGURES)
    print_text(f"report: {written.html}\nMarkdown: {written.markdown}")
    if written.figures:
        print_text(f"figures: {written.figures[0].parent}")
