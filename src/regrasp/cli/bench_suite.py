"""`regrasp bench SUITE`: run a suite of methods into a folder, or resume such a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.bench.executor import Executor
    from regrasp.bench.manifest import EpisodeSelection, Manifest
    from regrasp.bench.record import EpisodeJob
    from regrasp.bench.runner import Run
    from regrasp.bench.suite import Suite

__all__ = ["suite"]

_SWAPPED = {"mpc": "", "oracle": "controller"}


def suite(
    name: Annotated[str, typer.Argument(metavar="SUITE", help="A suite, or a file with one.")],
    *,
    methods: Annotated[str, typer.Option(help="Only these methods, with commas between.")] = "",
    tasks: options.OnlyTasks = "",
    situations: Annotated[
        str,
        typer.Option(
            help="Run each task at these multiples of the paper's rate of situations: 0,0.5,1."
        ),
    ] = "",
    episodes: Annotated[
        int, typer.Option(min=0, help="Seeds for each cell; 0 is the suite's own number.")
    ] = 0,
    first_seed: options.FirstSeed = 0,
    llm: Annotated[
        str,
        typer.Option("--llm", help="Language model; else the suite's, or `embedded` if installed."),
    ] = "",
    vlm: options.SuiteVision = "",
    controller: Annotated[
        str, typer.Option(help="Controller: mpc, or oracle, which always succeeds and is fast.")
    ] = "",
    estimates: options.EstimatesName = "",
    cameras: options.CameraNames = "",
    workers: options.Workers = 0,
    executor: options.ExecutorName = "local",
    limit: Annotated[
        float, typer.Option(min=0, help="Wall seconds an episode may take; 0 is the suite's.")
    ] = 0,
    memory: Annotated[float, typer.Option(min=1, help="MB that a local worker may take.")] = 4000,
    out: options.RunFolder = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in --out.")] = False,
    video: Annotated[bool | None, typer.Option(help="Film every episode.")] = None,
    size: options.Size = "",
    renderer: options.RendererName = "",
    as_json: options.AsJson = False,
) -> None:
    """Run a suite: every task with every method, all on the same seeds.

    Exits with 1 if an episode broke (a fault of Regrasp; --resume runs it again). An episode that
    fails is a result. The run's folder keeps a trace of each episode. With --resume, an option
    that is not given keeps its earlier value.
    """
    from dataclasses import replace

    from regrasp.bench.executor import open_executor
    from regrasp.bench.find_runs import no_run_to_resume
    from regrasp.bench.manifest import MANIFEST_FILE, read_manifest
    from regrasp.bench.protocol import read_protocol
    from regrasp.bench.run_names import trusted_models
    from regrasp.bench.runner import LOCK_FILE, lock_run_folder, prepare
    from regrasp.bench.suite_registry import open_suite
    from regrasp.cli.bench_folder import export, print_summary
    from regrasp.cli.output import print_note
    from regrasp.core.errors import RegraspError, UnknownNameError

    if controller not in ("", *_SWAPPED):
        raise UnknownNameError("--controller", controller, _SWAPPED)
    manifest = None
    if resume:
        if out is None:
            raise RegraspError("--resume goes on with a run: name its folder with --out.")
        if (out / MANIFEST_FILE).exists():
            manifest = read_manifest(out)
            llm, vlm = trusted_models(out, manifest, llm, vlm)
        elif not (out / LOCK_FILE).exists():  # else the run was stopped before it began
            raise no_run_to_resume(out)
    name = _address(name, situations, manifest)
    plan = open_suite(name)
    selection = _selection(plan, methods, tasks, episodes, first_seed, resume)
    root = out or options.free_folder(Path("runs") / plan.name)
    before = manifest.like if manifest is not None else _fresh(plan, name, llm)
    like = replace(
        before,
        key=replace(before.key, llm=llm or before.key.llm, vlm=vlm or before.key.vlm),
        video=before.video if video is None else video,
        size=options.parse_size(size) if size else before.size,
        renderer=renderer or before.renderer,
        swap=_SWAPPED[controller] if controller else before.swap,
        estimates=options.parse_estimates(estimates) if estimates else before.estimates,
        cameras=options.split_names(cameras) or before.cameras,
        limits=replace(plan.limits, wall_s=limit or plan.limits.wall_s),
    )
    pool = open_executor(executor, workers or options.cores(), memory)
    with lock_run_folder(root):
        run = prepare(name, root, asked=selection, like=like, resume=resume)
        if run.changed_source:
            print_note("note: the source of Regrasp has changed since this run was begun")
        asked = run.manifest.asked
        models = (like.key.llm, like.key.vlm)
        setup = (*models, like.estimates, like.cameras)
        print_note(read_protocol().describe_run(name, asked.seeds, *setup))
        completed = _run(run, pool)
    export(root)
    broken = print_summary(root, as_json, name)
    print_note(f"the run: {root}")
    if not completed:
        print_note(f"interrupted; go on with: regrasp bench {name} --out {root} --resume")
        raise typer.Exit(options.EXIT_INTERRUPTED)
    if broken:
        raise typer.Exit(options.EXIT_BROKEN)


def _address(name: str, situations: str, manifest: Manifest | None) -> str:
    """The suite with the given situations, or with those of the run that is resumed."""
    from regrasp.bench.suite_registry import is_suite_file
    from regrasp.core.errors import RegraspError

    if situations and (is_suite_file(name) or ":" in name):
        raise RegraspError(f"--situations is for a suite of ours by its name, not for {name!r}.")
    if situations:
        return f"{name}:situations={situations}"
    varied = manifest is not None and not is_suite_file(manifest.suite)
    if manifest is not None and varied and manifest.suite.startswith(f"{name}:"):
        return manifest.suite
    return name


def _fresh(plan: Suite, name: str, llm: str) -> EpisodeJob:
    """Episodes as the suite defines them, with `llm` as the language model if it is given."""
    from regrasp.bench.record import EpisodeJob, EpisodeKey

    language = llm or plan.llm or options.default_language()
    return EpisodeJob(name, EpisodeKey(plan.name, "", "", language, plan.vlm, 0), plan.limits)


def _selection(
    plan: Suite, methods: str, tasks: str, episodes: int, first_seed: int, resume: bool
) -> EpisodeSelection | None:
    """The selection from the options; None if no option is given and a run is resumed."""
    from regrasp.bench.manifest import EpisodeSelection

    if resume and not (methods or tasks or episodes or first_seed):
        return None
    return EpisodeSelection(
        tuple(task.name for task in plan.chosen_tasks(options.split_names(tasks) or None)),
        tuple(method.name for method in plan.chosen_methods(options.split_names(methods) or None)),
        tuple(range(first_seed, first_seed + (episodes or plan.episodes))),
    )


def _run(run: Run, executor: Executor) -> bool:
    """Run the remaining episodes and show progress. Returns False if the user stopped the run."""
    from contextlib import closing

    from regrasp.bench.runner import run_jobs
    from regrasp.cli.run_display import count_episodes

    try:
        with (
            closing(run_jobs(run.jobs, run.root, executor)) as records,
            count_episodes(run.suite.name, len(run.jobs)) as count,
        ):
            for record in records:
                count(record)
    except KeyboardInterrupt:
        return False
    return True
