"""`regrasp blame`: find the part of the agent that, replaced by an oracle, removes a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.bench_measures import EXIT_INTERRUPTED, cores
from regrasp.cli.options import AsJson

__all__ = ["blame"]

Names = Annotated[str, typer.Option(help="Only these, with commas between.")]


def blame(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")],
    *,
    swaps: Annotated[
        str, typer.Option(help="Only these parts: planner, verifier, vision, controller.")
    ] = "",
    tasks: Names = "",
    methods: Names = "",
    most: Annotated[
        int, typer.Option(min=0, help="Failed episodes of each task and method; 0 is all.")
    ] = 0,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")] = 0,
    executor: Annotated[
        str, typer.Option(help="Where to run: local, ray, or ray://HOST:PORT.")
    ] = "local",
    as_json: AsJson = False,
) -> None:
    """Run each failed episode again with one part replaced by its oracle at a time.

    Seed, models and limits do not change. If replacing one part alone makes the episode succeed,
    that part caused the failure. The new runs are in DIR/blame; a second call resumes the first.
    """
    from regrasp.bench.blame import blame_rows, blame_runs, failed, read_blame, run_blame, swap_rows
    from regrasp.bench.executor import open_executor
    from regrasp.bench.runner import lock_run_folder
    from regrasp.bench.store import load_results
    from regrasp.cli.output import print_note, print_rows
    from regrasp.cli.tally import count_episodes

    results = load_results(folder, checks=False)
    records = failed(results, _names(tasks), _names(methods), most)
    where, whole = open_executor(executor, workers or cores()), True
    with lock_run_folder(folder):
        runs = blame_runs(results, records, _names(swaps) or None)
        try:
            with count_episodes("blame", sum(len(run.jobs) for run in runs)) as count:
                run_blame(runs, where, count)
        except KeyboardInterrupt:
            whole = False
    blamed = read_blame(folder, records)
    rows, parts = blame_rows(blamed), swap_rows(blamed)
    nobody = sum(not b.rescued_by for b in blamed)
    if as_json:
        about = {"suite": results.manifest.like.key.suite, "parts": parts, "nobody_alone": nobody}
        print_rows(rows, [], True, "", about)
    else:
        shown = [{**row, "rescued_by": ", ".join(row["rescued_by"]) or "-"} for row in rows]
        columns = ["task", "method", "seed", "rescued_by", "failures", "reason"]
        print_rows(shown, columns, False, "what rescues each failed episode")
        columns = ["swap", "oracle", "failed", "rescued", "interval", "only_this", "broken"]
        print_rows(
            parts, columns, False, f"failed episodes: {len(rows)}; rescued by no swap: {nobody}"
        )
    if not whole:
        print_note(f"interrupted; go on with: regrasp blame {folder}")
        raise typer.Exit(EXIT_INTERRUPTED)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
