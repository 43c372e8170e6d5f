"""`regrasp run`: give a robot an instruction in words, and check whether it reaches the goal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.episodes.runner import EpisodeResult

__all__ = ["run"]


def run(
    instruction: Annotated[str, typer.Argument(help='What to do, e.g. "find the green apple".')],
    *,
    world: options.WorldName = "",
    robot: options.RobotAddress = "",
    domain: options.DomainAddress = "",
    task: options.TaskName = None,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            "--goal", help="A fact that must be true at the end, e.g. on(red_cube, crate)."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="A method or FILE.py:NAME; if empty, one that fits.")
    ] = "",
    llm: options.LanguageName = "",
    vlm: options.VisionName = "embedded",
    read: Annotated[
        bool,
        typer.Option(
            "--read/--no-read",
            help="Read the instruction as a goal first, and ask back where it is not clear.",
        ),
    ] = True,
    grounding: Annotated[
        str,
        typer.Option(
            help="perceived, or oracle: the geometry behind names, for a robot that asks for it."
        ),
    ] = "perceived",
    answer: options.Answers = None,
    seed: options.Seed = 0,
    estimates: options.EstimatesName = "privileged",
    cameras: options.CameraNames = "",
    out: options.RunFolder = None,
    video: options.WithVideo = True,
    size: options.Size = "320x240",
    renderer: options.RendererName = "raycast",
    as_json: options.AsJson = False,
) -> None:
    """Run an instruction; exits with 0 only if the goal is reached and the robot claims so.

    Whether it is reached is decided by the judge of the world. A goal that is reached while the
    robot gives up is no success. The judge uses --goal, which may be repeated, else the goal of
    --task, else the goal of the task with the same instruction. For any other instruction there is
    no judge, and the robot's own claim decides. The run's folder gets a trace, images, a video and
    a page.

    Questions about the instruction are asked at the terminal. Where nobody can answer, the run
    ends with the question as its claim. `regrasp understand` shows the goal and moves nothing.
    """
    from dataclasses import replace

    from regrasp.cli.output import print_json, print_text
    from regrasp.cli.place import chosen_method, place_of
    from regrasp.cli.recorded import files, recording
    from regrasp.cli.run_display import show_agent
    from regrasp.cli.terminal_person import person_to_ask
    from regrasp.core.goal import parse_goal
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
    from regrasp.episodes.vision import vision_factory
    from regrasp.methods.registry import interprets, open_method

    place, named = place_of(
        instruction, world, task, seed, robot, domain, options.parse_estimates(estimates)
    )
    llm = llm or options.default_language()
    language, vision, pixels = resolve_language(llm), vision_factory(vlm), options.parse_size(size)
    target = parse_goal(goal) if goal else None
    judged = not robot and (named or target is not None)
    name = robot.replace("/", "-").replace(":", "-")
    if isinstance(place, WorldTask):
        name = f"{Path(world).stem}-{place.task}-{seed}"
    method = chosen_method(method, place)
    spec = EpisodeSpec(
        place,
        open_method(method),
        method,
        language,
        vision,
        instruction=instruction,
        goal=target,
        judged=judged,
        recording=Recording(video, size=pixels, renderer=renderer),
        read_first=read and not interprets(method),
        oracle_grounding=options.is_oracle(grounding),
        cameras=options.split_names(cameras),
    )
    method_name = Path(method).name.replace(":", "-")
    folder = out or options.free_folder(Path("runs") / f"{method_name}-{name}")
    with recording(folder), show_agent() as display:
        spec = replace(spec, person=person_to_ask(answer or (), as_json, display.paused))
        ended = run_episode(spec, folder, watch=display.show)
    if as_json:
        about = {"world": world, "robot": robot, "task": getattr(place, "task", None), "seed": seed,
                 "estimates": estimates}  # fmt: skip
        models = {"method": method, "llm": llm, "vlm": vlm, "instruction": instruction}
        print_json([{**about, **models, "judged": judged, **_row(ended, folder)}])
    else:
        print_text("\n".join(_sentences(ended, judged)))
        for what, path in files(folder).items():
            print_text(f"{what}: {path}")
    if not (ended.succeeded if judged else ended.claim.done):
        raise typer.Exit(1)


def _sentences(ended: EpisodeResult, judged: bool) -> list[str]:
    claim = f"The robot's claim: {ended.claim}"
    claim += "" if claim.endswith((".", "?", "!")) else "."
    truth = f"The judge's verdict: {'done' if ended.done else 'not done'}."
    if ended.done and not ended.claim.done:
        truth += " The goal is reached, but the robot does not claim so: this is no success."
    unknown = "No judge knows this instruction; give its goal with --goal."
    cost = f"{ended.sim_s:.1f} s of the robot's time, {ended.wall_s:.0f} s of ours; {ended.spent}"
    return [claim, truth if judged else unknown, cost]


def _row(ended: EpisodeResult, folder: Path) -> dict[str, object]:
    from regrasp.cli.recorded import files
    from regrasp.core.trace import digest

    return {
        "claimed": ended.claim.done,
        "claim": ended.claim.result,
        "reason": ended.claim.reason,
        "done": ended.done,
        "succeeded": ended.succeeded,
        "sim_s": ended.sim_s,
        "wall_s": ended.wall_s,
        "model_calls": ended.spent.calls,
        "tokens": ended.spent.tokens,
        "usd": ended.spent.usd,
        "digest": digest(folder),
        **files(folder),
    }
