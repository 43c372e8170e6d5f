"""`regrasp blame`: find the part of the agent that, replaced by an oracle, removes a failure."""

from __future__ import annotations

from typing import Annotated

import typer

from regrasp.cli import options

__all__ = ["blame"]

Names = Annotated[str, typer.Option(help="Only these, with commas between.")]


def blame(
    folder: options.SuiteRun,
    *,
    swaps: Annotated[
        str, typer.Option(help="Only these parts: planner, verifier, vision, controller.")
    ] = "",
    tasks: Names = "",
    methods: Names = "",
    most: Annotated[
        int, typer.Option(min=0, help="Failed episodes of each task and method; 0 is all.")
    ] = 0,
    suite: options.NamedSuite = "",
    llm: Annotated[
        str, typer.Option("--llm", help="Its language model, if the run is not one of yours.")
    ] = "",
    vlm: Annotated[
        str, typer.Option("--vlm", help="Its vision model, if the run is not one of yours.")
    ] = "",
    workers: options.Workers = 0,
    executor: options.ExecutorName = "local",
    as_json: options.AsJson = False,
) -> None:
    """Run each failed episode again with one part replaced by its oracle at a time.

    Seed, models and limits do not change. If replacing one part alone makes the episode succeed,
    that part caused the failure. The new runs are in DIR/blame; a second call resumes the first.
    """
    from regrasp.bench.blame import blame_rows, blame_runs, failed, read_blame, run_blame, swap_rows
    from regrasp.bench.executor import open_executor
    from regrasp.bench.runner import lock_run_folder
    from regrasp.bench.store import load_results
    from regrasp.cli.bench_folder import print_left_out
    from regrasp.cli.output import print_json, print_note, print_rows
    from regrasp.cli.run_display import count_episodes

    results = load_results(folder, checks=False)
    print_left_out(results)
    records = failed(results, options.split_names(tasks), options.split_names(methods), most)
    pool, completed = open_executor(executor, workers or options.cores()), True
    with lock_run_folder(folder):
        chosen = options.split_names(swaps) or None
        runs = blame_runs(results, records, chosen, suite=suite, llm=llm, vlm=vlm)
        try:
            with count_episodes("blame", sum(len(run.jobs) for run in runs)) as count:
                run_blame(runs, pool, count)
        except KeyboardInterrupt:
            completed = False
    blamed = read_blame(folder, records)
    rows, parts = blame_rows(blamed), swap_rows(blamed)
    nobody = sum(not b.rescued_by for b in blamed)
    if as_json:
        about = {"suite": results.manifest.like.key.suite, "parts": parts, "nobody_alone": nobody}
        print_json(rows, about)
    else:
        shown = [{**row, "rescued_by": ", ".join(row["rescued_by"]) or "-"} for row in rows]
        columns = ["task", "method", "seed", "rescued_by", "failures", "reason"]
        print_rows(shown, columns, False, "what rescues each failed episode")
        columns = ["swap", "oracle", "failed", "rescued", "interval", "only_this", "broken"]
        print_rows(
            parts, columns, False, f"failed episodes: {len(rows)}; rescued by no swap: {nobody}"
        )
    if not completed:
        print_note(f"interrupted; go on with: regrasp blame {folder}")
        raise typer.Exit(options.EXIT_INTERRUPTED)
