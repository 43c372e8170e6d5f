"""`regrasp do`: run a reward program on the robot of a world, and record the run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options
from regrasp.core.errors import RegraspError

if TYPE_CHECKING:
    from regrasp.core.robot import SkillReport

__all__ = ["do"]


def do(
    world: Annotated[str, typer.Argument(help="A world; `regrasp worlds` lists them.")],
    *,
    reward: Annotated[
        str, typer.Option("--reward", help="A file with a reward program; - reads stdin.")
    ],
    task: options.TaskName = None,
    seed: options.Seed = 0,
    out: options.RunFolder = None,
    video: options.WithVideo = True,
    size: options.Size = "320x240",
    renderer: options.RendererName = "raycast",
    as_json: options.AsJson = False,
) -> None:
    """Run a reward program in a world; exits with 0 only if its primary reward is met.

    A program is text such as: set_joint_fraction_reward("wooden_cabinet_right_door", 1.0,
    primary_reward=True). The run's folder gets a trace, images, a video and a page.
    """
    from regrasp.cli.output import print_json, print_text
    from regrasp.cli.recorded import files, recording
    from regrasp.cli.run_display import show_skill
    from regrasp.core.outcome import Outcome
    from regrasp.episodes.follow_reward import do as run
    from regrasp.view.descriptions import plain_words
    from regrasp.worlds.registry import world_plan

    program, pixels = _read(reward), options.parse_size(size)
    task = world_plan(world).task(task).name
    folder = out or options.free_folder(Path("runs") / f"do-{world}-{task}-{seed}")
    with recording(folder), show_skill() as watch:
        report = run(
            world,
            task,
            seed,
            program,
            folder,
            video=video,
            size=pixels,
            renderer=renderer,
            watch=watch,
        )
    if as_json:
        about = {"world": world, "task": task, "seed": seed}
        print_json([{**about, **_row(report, folder)}])
    else:
        print_text("\n".join(plain_words(report)))
        for what, path in files(folder).items():
            print_text(f"{what}: {path}")
    if report.outcome is not Outcome.SUCCEEDED:
        raise typer.Exit(1)


def _read(reward: str) -> str:
    try:
        if reward == "-":
            return sys.stdin.read()
        return Path(reward).read_text(encoding="utf-8")
    except OSError as error:
        raise RegraspError(f"cannot read the reward {reward}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RegraspError(f"the reward {reward} is not text in UTF-8: {error}.") from error


def _row(report: SkillReport, folder: Path) -> dict[str, object]:
    from regrasp.cli.recorded import files
    from regrasp.core.codec import to_json
    from regrasp.core.event import Judged
    from regrasp.core.trace import digest, read_trace

    judged = [event for event in read_trace(folder).events if isinstance(event, Judged)]
    fields, paths = to_json(report), files(folder)
    assert isinstance(fields, dict)
    return {
        **fields,
        "judged": [{"done": event.done, "truths": event.truths} for event in judged],
        "digest": digest(folder),
        "trace": paths.get("trace"),
        "video": paths.get("video"),
        "page": paths.get("page"),
    }
