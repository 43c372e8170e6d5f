"""`regrasp chat`: talk with the robot of a world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli import options
from regrasp.cli.output import print_note, print_text
from regrasp.core.errors import RegraspError

if TYPE_CHECKING:
    from regrasp.core.trace import TraceEntry

__all__ = ["chat"]


def chat(
    *,
    world: options.WorldName = "",
    robot: options.RobotAddress = "",
    domain: options.DomainAddress = "",
    task: options.TaskName = None,
    method: Annotated[
        str, typer.Option("--method", help="copal, or one of its configurations.")
    ] = "copal",
    llm: options.LanguageName = "",
    vlm: options.VisionName = "embedded",
    recipes: Annotated[
        list[str] | None, typer.Option("--recipes", help="A file with recipes; repeat it.")
    ] = None,
    say: Annotated[
        list[str] | None,
        typer.Option("--say", help='Say this instead of asking; "@12 stop" at second 12; repeat.'),
    ] = None,
    seed: options.Seed = 0,
    out: options.RunFolder = None,
    video: options.WithVideo = True,
    size: options.Size = "320x240",
    renderer: options.RendererName = "raycast",
) -> None:
    """Talk with a robot: ask, request, change your mind, say stop; an empty line or Ctrl-D ends it.

    What you say while the robot works is heard: "stop" cancels the motion at once, a change of the
    request makes a new plan, a question is answered, and anything else is done afterwards.
    """
    from regrasp.cli.place import place_of
    from regrasp.cli.recorded import files, recording
    from regrasp.cli.terminal_person import TerminalPartner
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.chat import PreparedPartner, run_chat
    from regrasp.episodes.runner import EpisodeSpec, Recording
    from regrasp.episodes.vision import vision_factory
    from regrasp.methods.registry import METHODS, open_method

    configurations = [name for name in METHODS if name.partition("-")[0] == "copal"]
    if method not in configurations:
        raise RegraspError(f"a chat needs {', '.join(configurations)}, not {method}.")
    place, _ = place_of("talk", world, task, seed, robot, domain)
    spec = EpisodeSpec(
        place,
        open_method(method),
        method,
        resolve_language(llm or options.default_language()),
        vision_factory(vlm),
        recording=Recording(video, size=options.parse_size(size), renderer=renderer),
    )
    name = Path(world or robot.replace(":", "-")).stem
    folder = out or options.free_folder(Path("runs") / f"chat-{name}-{seed}")
    with recording(folder):
        partner = PreparedPartner(say, _robot_says) if say else TerminalPartner()
        ended = run_chat(spec, partner, folder, recipe_files=recipes or (), watch=_shown)
    print_text(f"{ended.claim.reason}; {ended.sim_s:.1f} s of the robot's time; {ended.spent}")
    for what, path in files(folder).items():
        print_text(f"{what}: {path}")


def _robot_says(text: str) -> None:
    print_text(f"robot: {text}")


def _shown(entry: TraceEntry) -> None:
    """Show what the person said and what the robot does now."""
    from regrasp.core.event import Layer, LayerMessage, StepStarted

    event = entry.event
    if isinstance(event, LayerMessage) and event.sender is Layer.PERSON:
        print_note(f"{entry.stamp.sim_s:6.1f} s  person: {event.text}")
    elif isinstance(event, StepStarted):
        print_note(f"{entry.stamp.sim_s:6.1f} s  {event.step}")
