"""`regrasp bench motions`, `mpc`, `startup`: suites that measure one component, not methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.bench.episode import Episode, MotionResult

__all__ = ["motions", "mpc", "startup"]


def _free(out: Path | None) -> Path | None:
    """Refuse, before anything is measured, to overwrite what is no table of ours."""
    from regrasp.core.files import refuse_to_overwrite

    if out is not None:
        refuse_to_overwrite(out, (_MARK,), "a table")
    return out


_MARK = b'{\n  "suite": "'
Out = Annotated[
    Path | None,
    typer.Option("--out", callback=_free, help="Also write the JSON to this file."),
]

MOTION_COLUMNS = (
    "task", "method", "n", "succeeded", "failed", "broken", "interval", "sim_s", "cpu_s",
    "cpu_per_sim", "wrong_reports", "paper",
)  # fmt: skip
MPC_COLUMNS = (
    "task", "method", "mujoco", "plans", "plan_ms", "plans_per_cpu_s", "physics_share",
    "outside_ms", "ratio_to_judo",
)  # fmt: skip
STARTUP_COLUMNS = ("task", "episodes", "median_ms", "least_ms", "most_ms", "limit_ms")


def motions(
    *,
    episodes: Annotated[int, typer.Option(min=1, help="Seeds for each motion.")] = 50,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this motion; may be repeated.")
    ] = None,
    first_seed: options.FirstSeed = 0,
    workers: options.Workers = 0,
    sampler: Annotated[str, typer.Option(help="ps or mppi.")] = "ps",
    limit: Annotated[float, typer.Option(min=1.0, help="Wall seconds an episode may take.")] = 600,
    as_json: options.AsJson = False,
    out: Out = None,
) -> None:
    """Measure motions: does the robot reach each reward, and is its own report correct?

    In a negative control a bar, a lock or a kettle is in the way, and the motion must fail.
    Exits with 1 if an episode broke (a fault of Regrasp). A motion that fails is a result.
    """
    from regrasp.bench.episode import SAMPLERS, Episode, episode_rows, for_people, motion_rows
    from regrasp.bench.motions import MOTIONS, motion_task
    from regrasp.cli.output import print_note, print_rows
    from regrasp.core.errors import UnknownNameError

    if sampler not in SAMPLERS:
        raise UnknownNameError("sampler", sampler, SAMPLERS)
    chosen = [motion_task(name) for name in only] if only else list(MOTIONS)
    seeds = range(first_seed, first_seed + episodes)
    jobs = [Episode(m.name, sampler, seed) for seed in seeds for m in chosen]
    results, completed = _run(jobs, workers or options.cores(), limit)
    results.sort(key=lambda result: result.episode.seed)
    rows = motion_rows(chosen, sampler, results)
    about = {"suite": "motions"}
    if out is not None:
        _write(out, {**about, "rows": rows, "episodes": episode_rows(results)})
    if completed or not as_json:
        shown = rows if as_json else [for_people(row) for row in rows]
        print_rows(shown, MOTION_COLUMNS, as_json, f"regrasp bench motions ({sampler})", about)
    if not as_json:
        _print_remarks(rows, sampler)
    if not completed:
        print_note(f"interrupted after {len(results)} of {len(jobs)} episodes")
        raise typer.Exit(options.EXIT_INTERRUPTED)
    if any(row["broken"] for row in rows):
        raise typer.Exit(options.EXIT_BROKEN)


def mpc(
    judo: Annotated[
        Path | None,
        typer.Option(help="A Python that has judo-rai and mujoco < 3.7, to measure against."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each, in turns.")] = 7,
    as_json: options.AsJson = False,
    out: Out = None,
) -> None:
    """Measure the CPU time of an MPC plan and the share of physics in it; compare with judo-rai."""
    from regrasp.bench.mpc_scenes import SCENES
    from regrasp.bench.planning import planning_rows
    from regrasp.cli.output import progress

    with progress() as bar:
        task = bar.add_task("planning", total=repeats * len(SCENES))
        rows = planning_rows(
            judo, repeats, tick=lambda scene: bar.update(task, advance=1, description=scene)
        )
    _finish(rows, MPC_COLUMNS, "mpc", as_json, out)


def startup(
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each.")] = 7,
    as_json: options.AsJson = False,
    out: Out = None,
) -> None:
    """Measure wall time: `import regrasp`, `regrasp --help`, opening and resetting each world."""
    from regrasp.bench.startup import startup_rows
    from regrasp.cli.output import progress

    rows: list[dict[str, Any]] = []
    with progress() as bar:
        task = bar.add_task("starting", total=None)
        for row in startup_rows(repeats):
            rows.append(row)
            bar.update(task, description=f"timed {row['task']}")
    _finish(rows, STARTUP_COLUMNS, "startup", as_json, out)


def _run(jobs: Sequence[Episode], workers: int, limit_s: float) -> tuple[list[MotionResult], bool]:
    """Run the episodes in a pool. Returns the results, and whether all were run (no Ctrl-C)."""
    import time
    from contextlib import closing

    from regrasp.bench.episode import broken, run_motion
    from regrasp.bench.pool import BrokenJob, run_pool
    from regrasp.cli.output import progress
    from regrasp.core.outcome import Outcome

    results: list[MotionResult] = []
    started, bad = time.monotonic(), 0
    pool = run_pool(run_motion, jobs, workers=min(workers, len(jobs)), limit_s=limit_s)
    try:
        with progress() as bar, closing(pool):
            task = bar.add_task("motions", total=len(jobs))
            for episode, ended in pool:
                result = broken(episode, str(ended)) if isinstance(ended, BrokenJob) else ended
                results.append(result)
                if result.outcome is not Outcome.SUCCEEDED:
                    bad += 1
                    line = f"{episode}: {result.outcome}. {result.feedback}"
                    bar.note(line)
                rate = 60 * len(results) / (time.monotonic() - started)
                line = f"{len(results)}/{len(jobs)} motions, {rate:.1f} a minute, {bad} wrong"
                bar.update(task, advance=1, description=line)
    except KeyboardInterrupt:
        return results, False
    return results, True


def _print_remarks(rows: Sequence[Mapping[str, Any]], sampler: str) -> None:
    """Print what the table leaves out: notes, and each failure with the command to repeat it."""
    from regrasp.cli.output import print_text

    for row in rows:
        for claim, count in row["noted"].items():
            print_text(f"{row['task']}: {claim} at the end of {count} of {row['episodes']}")
    for row in rows:
        for failure in row["failures"]:
            words = {True: "done", False: "not done"}
            reported, did = words[failure["reported_success"]], words[failure["did"]]
            both = f"The robot reported {reported}, the judge {did}. "
            print_text(
                f"\n{row['task']}, seed {failure['seed']}: {failure['outcome']}. "
                f"{'' if failure['outcome'] == 'broken' else both}{failure['feedback']}\n"
                f"  again: regrasp bench motions --only {row['task']} --sampler {sampler} "
                f"--episodes 1 --first-seed {failure['seed']}"
            )


def _finish(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    suite: str,
    as_json: bool,
    out: Path | None,
) -> None:
    from regrasp.cli.output import print_rows

    if out is not None:
        _write(out, {"suite": suite, "rows": list(rows)})
    print_rows(rows, columns, as_json, f"regrasp bench {suite}", {"suite": suite})


def _write(path: Path, document: Mapping[str, Any]) -> None:
    """Write the document, with the versions that produced it."""
    import platform

    from regrasp.cli.output import finite_json
    from regrasp.core.errors import RegraspError
    from regrasp.core.files import write_json
    from regrasp.episodes.recording import versions

    made_with = {**versions(), "machine": f"{platform.machine()}, {options.cores()} cores"}
    try:
        write_json(path, finite_json({**document, "made_with": made_with}), indent=2)
    except OSError as error:
        raise RegraspError(f"cannot write {path}: {error.strerror}.") from error
