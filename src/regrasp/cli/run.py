"""`regrasp run`: give a robot an instruction in words, and see whether it gets there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli.options import (
    AsJson,
    Filmed,
    RendererName,
    RunFolder,
    Seed,
    Size,
    TaskName,
    free_folder,
    parse_size,
)

if TYPE_CHECKING:
    from regrasp.episodes.runner import MethodRun

__all__ = ["run"]


def run(
    instruction: Annotated[str, typer.Argument(help='What to do, e.g. "find the green apple".')],
    *,
    world: Annotated[str, typer.Option("--world", help="A world; `regrasp worlds` lists them.")],
    task: TaskName = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", help="What the judge must find, e.g. on(red_cube, crate)."),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="How to go about it.")] = "replan",
    llm: Annotated[
        str, typer.Option("--llm", help="What reasons; if empty, `embedded` if it is here.")
    ] = "",
    vlm: Annotated[
        str, typer.Option("--vlm", help="What sees; `oracle` reads the simulator instead.")
    ] = "embedded",
    seed: Seed = 0,
    out: RunFolder = None,
    video: Filmed = True,
    size: Size = "320x240",
    renderer: RendererName = "raycast",
    as_json: AsJson = False,
) -> None:
    """Work on an instruction; exits with 0 only if the judge of the world says that it is done.

    The judge goes by --goal, which may be repeated, else by the goal of --task, else by that of the
    task whose instruction is the same. Of any other instruction it knows nothing, and the robot's
    own word decides. The run's folder gets a trace, pictures, a video and a page that tells it all.
    """
    from regrasp.cli.choice import language_of_choice
    from regrasp.cli.following import following
    from regrasp.cli.output import emit
    from regrasp.cli.recorded import files, recording
    from regrasp.core.goal import parse_goal
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.runner import run_method
    from regrasp.episodes.vision import seeing
    from regrasp.methods.registry import open_method
    from regrasp.worlds.registry import world_plan

    llm = llm or language_of_choice()
    follow, language = open_method(method), resolve_language(llm)
    eyes, pixels = seeing(vlm), parse_size(size)
    plan = world_plan(world)
    alike = [t.name for t in plan.tasks if _plain(t.instruction) == _plain(instruction)]
    facts = parse_goal(goal or ())
    judged = bool(facts or alike) or task is not None
    task = plan.task(task or next(iter(alike), None)).name
    folder = out or free_folder(Path("runs") / f"{method}-{world}-{task}-{seed}")
    with recording(folder), following() as watch:
        ended = run_method(
            world,
            task,
            seed,
            instruction,
            follow,
            folder,
            name=method,
            language=language,
            seeing=eyes,
            goal=facts,
            judge_knows=judged,
            video=video,
            size=pixels,
            renderer=renderer,
            watch=watch,
        )
    about = {"world": world, "task": task, "seed": seed, "method": method, "llm": llm, "vlm": vlm}
    if as_json:
        row = {**about, "instruction": instruction, "judged": judged, **_row(ended, folder)}
        emit([row], [], True, "")
    else:
        typer.echo("\n".join(_sentences(ended, judged)))
        for what, path in files(folder).items():
            typer.echo(f"{what}: {path}")
    if not (ended.done if judged else ended.claim.done):
        raise typer.Exit(1)


def _plain(text: str) -> str:
    """An instruction without case, punctuation, articles and underscores."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return " ".join(word for word in words if word not in ("the", "a", "an"))


def _sentences(ended: MethodRun, judged: bool) -> list[str]:
    said = f"The robot says: {str(ended.claim).rstrip('.')}."
    truth = f"The judge says: {'done' if ended.done else 'not done'}."
    unknown = "No judge knows this instruction; say with --goal what it should find."
    cost = f"{ended.sim_s:.1f} s of the robot's time, {ended.wall_s:.0f} s of ours; {ended.spent}"
    return [said, truth if judged else unknown, cost]


def _row(ended: MethodRun, folder: Path) -> dict[str, object]:
    from regrasp.cli.recorded import files
    from regrasp.core.trace import digest

    return {
        "claimed": ended.claim.done,
        "reason": ended.claim.reason,
        "done": ended.done,
        "sim_s": ended.sim_s,
        "wall_s": ended.wall_s,
        "model_calls": ended.spent.calls,
        "tokens": ended.spent.tokens,
        "usd": ended.spent.usd,
        "digest": digest(folder),
        **{what: str(path) for what, path in files(folder).items()},
    }
