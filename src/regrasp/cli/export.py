"""`regrasp export`: write the episodes of a run in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli import options

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


@app.callback()
def export() -> None:
    """Write the episodes of a run in another format."""


@app.command()
def lerobot(
    folder: options.SuiteRun,
    *,
    out: Annotated[Path, typer.Option("--out", help="The dataset's folder; must not be there.")],
    only: Annotated[str, typer.Option(help="Only those that succeeded, or failed.")] = "all",
    cameras: Annotated[str, typer.Option(help="Cameras, with commas.")] = "front,wrist",
    size: options.Size = "224x224",
    fps: Annotated[int, typer.Option(min=1, help="Frames to a simulated second.")] = 12,
    renderer: options.RendererName = "raycast",
    world: options.NamedWorld = "",
) -> None:
    """Write a LeRobot dataset: images, joints, instructions, and a label for every failure.

    The run must have been filmed (`regrasp bench … --video`): a filmed run keeps the states that
    images and joints are computed from. Broken episodes are left out.
    """
    from regrasp.bench.store import load_results
    from regrasp.bridges.lerobot import export_lerobot
    from regrasp.cli.bench_folder import print_left_out
    from regrasp.cli.output import print_note, print_text, progress
    from regrasp.core.errors import UnknownNameError

    if only not in ("all", "succeeded", "failed"):
        raise UnknownNameError("--only", only, ("all", "succeeded", "failed"))
    results = load_results(folder, checks=False)
    print_left_out(results)
    with progress() as bar:
        task = bar.add_task("drawing episodes", total=len(results.records))
        written = export_lerobot(
            results,
            out,
            cameras=options.split_names(cameras),
            size=options.parse_size(size),
            fps=fps,
            renderer=renderer,
            world=world,
            wanted=lambda record: only in ("all", str(record.outcome)),
            tick=lambda record: bar.update(task, advance=1, description=f"drew {record.key}"),
        )
    if written.without_states:
        print_note(f"{written.without_states} episodes were not filmed (--video) and are left out")
    print_text(f"{written.episodes} episodes, {written.frames} frames: {written.root}")
