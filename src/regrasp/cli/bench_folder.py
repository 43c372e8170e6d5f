"""`regrasp bench show` and `rebuild`: print or recompute the results in a run's folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli.options import AsJson, NamedSuite, SuiteRun

if TYPE_CHECKING:
    from regrasp.bench.store import Results

__all__ = ["export", "print_left_out", "print_summary", "rebuild", "show"]

_LISTED = 20  # paths that are printed

ROW_COLUMNS = (
    "task", "method", "episodes", "succeeded", "failed", "reached_not_claimed", "broken", "sim_s",
    "wall_s", "calls", "tokens", "replans", "say_do_gap",
)  # fmt: skip


def show(
    folder: SuiteRun,
    episodes: Annotated[bool, typer.Option(help="One line for each episode.")] = False,
    suite: NamedSuite = "",
    as_json: AsJson = False,
) -> None:
    """Print the tables of a run, or its episodes."""
    if episodes:
        _print_episodes(folder, as_json)
    else:
        print_summary(folder, as_json, suite)


def rebuild(folder: SuiteRun, suite: NamedSuite = "", as_json: AsJson = False) -> None:
    """Read every trace of a run again, and rewrite the results."""
    from regrasp.bench.manifest import read_manifest
    from regrasp.bench.run_names import trusted_suite
    from regrasp.bench.store import rebuild as read_traces
    from regrasp.cli.output import print_note

    trusted_suite(folder, read_manifest(folder), suite)
    results = read_traces(folder)
    export(folder)
    print_note(f"read {len(results.records)} traces")
    print_summary(folder, as_json, suite)


def export(folder: Path) -> None:
    """Write the columnar file if pyarrow is installed; otherwise print how to install it."""
    from regrasp.bench.columnar import installed, write_parquet
    from regrasp.cli.output import print_note

    if installed():
        write_parquet(folder)
    else:
        print_note("no results.parquet: pyarrow is not installed; pip install 'regrasp[bench]'")


def print_left_out(results: Results) -> None:
    """Print what is in a run's folder and is no episode of the run."""
    from regrasp.cli.output import print_note

    for one in results.left_out[:_LISTED]:
        print_note(f"left out: {one}")
    if len(results.left_out) > _LISTED:
        print_note(f"left out: {len(results.left_out) - _LISTED} more")


def print_summary(folder: Path, as_json: bool, named_suite: str = "") -> int:
    """Print the tables of a run. Returns the number of broken episodes."""
    from regrasp.bench.run_names import trusted_suite
    from regrasp.bench.store import load_results
    from regrasp.bench.summary import action_grid, rate_grid, suite_rows
    from regrasp.cli.output import print_json, print_rows

    results = load_results(folder, checks=False)
    suite = trusted_suite(folder, results.manifest, named_suite)
    print_left_out(results)
    rows = suite_rows(suite, results.records)
    if as_json:
        print_json(rows, _about(results))
    else:
        models = f"llm {results.manifest.llm}, vlm {results.manifest.vlm}"
        tasks = [t.name for t in suite.tasks if any(r["task"] == t.name for r in rows)]
        grid = rate_grid(suite, results.records)
        print_rows(grid, ["method", "", *tasks], False, f"regrasp bench {suite.name} ({models})")
        actions = action_grid(suite, results.records)
        print_rows(actions, ["method", *tasks], False, "motion + vision actions in an episode")
        print_rows(rows, ROW_COLUMNS, False, "means over the episodes that ended")
    return sum(row["broken"] for row in rows)


def _about(results: Results) -> dict[str, object]:
    manifest = results.manifest
    return {
        "suite": manifest.configuration["suite"],
        "digest": manifest.digest,
        "left_out": [{"path": one.path, "why": one.why} for one in results.left_out],
    }


def _print_episodes(folder: Path, as_json: bool) -> None:
    """One line for each episode; plain lines, because there may be ten thousand."""
    from regrasp.bench.store import load_results
    from regrasp.cli.output import print_json, print_text

    results = load_results(folder, checks=False)
    print_left_out(results)
    if as_json:
        rows = [
            {
                "task": r.key.task, "method": r.key.method, "seed": r.key.seed,
                "outcome": str(r.outcome), "claimed": r.claimed, "claim": r.claim,
                "done": r.done, "reason": r.reason, "sim_s": r.sim_s, "wall_s": r.wall_s,
                "calls": r.calls, "tokens": r.tokens, "motions": r.motions, "looks": r.looks,
                "replans": r.replans, "failures": r.failures, "trace": str(folder / r.trace),
            }
            for r in results.records
        ]  # fmt: skip
        print_json(rows, _about(results), indent=None)
        return
    lines = (
        f"{r.outcome:9} {r.key.task:16} {r.key.method:20} {r.key.seed:5d} {r.sim_s:7.1f} s  "
        f"{r.trace}  {'' if r.done == r.claimed else 'said ' + str(r.claimed).lower() + '; '}"
        f"{r.reason}"
        for r in results.records
    )
    print_text("\n".join(lines))
