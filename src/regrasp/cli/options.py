"""Options and exit codes that several commands share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.estimates import Estimates

__all__ = [
    "EXIT_BROKEN",
    "EXIT_INTERRUPTED",
    "Answers",
    "AsJson",
    "DomainAddress",
    "EstimatesName",
    "ExecutorName",
    "FirstSeed",
    "LanguageName",
    "NamedSuite",
    "NamedWorld",
    "OnlyTasks",
    "RendererName",
    "RobotAddress",
    "RunFolder",
    "Seed",
    "Size",
    "SuiteRun",
    "SuiteVision",
    "TaskName",
    "VisionName",
    "WithVideo",
    "Workers",
    "WorldName",
    "cores",
    "default_language",
    "free_folder",
    "is_oracle",
    "parse_estimates",
    "parse_size",
    "split_names",
]

EXIT_BROKEN = 1
EXIT_INTERRUPTED = 130

WorldName: TypeAlias = Annotated[
    str, typer.Option("--world", help="A world, or FILE.py; `regrasp worlds` lists them.")
]
RobotAddress: TypeAlias = Annotated[
    str, typer.Option("--robot", help="FILE.py:NAME of a robot without a world.")
]
DomainAddress: TypeAlias = Annotated[
    str, typer.Option("--domain", help="FILE.py:NAME of the domain of --robot.")
]
EstimatesName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--estimates",
        help="Poses of things for the robot's skills and reports: privileged (the simulator's "
        "state) or sensed (depth cameras).",
    ),
]
CameraNames: TypeAlias = Annotated[
    str,
    typer.Option(
        "--cameras",
        help="Only these cameras show the vision model anything, with commas between: head,wrist.",
    ),
]
LanguageName: TypeAlias = Annotated[
    str, typer.Option("--llm", help="Language model; if empty, `embedded` if it is installed.")
]
VisionName: TypeAlias = Annotated[
    str, typer.Option("--vlm", help="Vision model; `oracle` reads the simulator instead.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
TaskName: TypeAlias = Annotated[
    str | None, typer.Option("--task", help="A task of the world; its first if not given.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Seed of the start state.")]
Size: TypeAlias = Annotated[str, typer.Option("--size", help="WIDTHxHEIGHT in pixels.")]
RunFolder: TypeAlias = Annotated[
    Path | None, typer.Option("--out", help="The run's folder; one in runs/ if not given.")
]
WithVideo: TypeAlias = Annotated[bool, typer.Option("--video/--no-video", help="Film the run.")]
RendererName: TypeAlias = Annotated[
    str, typer.Option("--renderer", help="raycast, gl, or auto (gl where it works).")
]

Answers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--answer", help="Answer to a question: an option's number or words; repeat it."),
]

SuiteRun: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")]
NamedSuite: TypeAlias = Annotated[
    str,
    typer.Option("--suite", help="FILE.py of the run's suite, if the run is not one of yours."),
]
NamedWorld: TypeAlias = Annotated[
    str,
    typer.Option("--world", help="FILE.py of the run's world, if the run is not one of yours."),
]
OnlyTasks: TypeAlias = Annotated[str, typer.Option(help="Only these tasks, with commas between.")]
FirstSeed: TypeAlias = Annotated[int, typer.Option(min=0, help="Seeds count up from here.")]
SuiteVision: TypeAlias = Annotated[
    str, typer.Option("--vlm", help="Vision model; the suite's if empty.")
]
Workers: TypeAlias = Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")]
ExecutorName: TypeAlias = Annotated[
    str, typer.Option(help="Where to run: local, ray, or ray://HOST:PORT.")
]

_LARGEST = 4096


def parse_estimates(name: str) -> Estimates:
    """The estimates of that name."""
    if name not in tuple(Estimates):
        raise UnknownNameError("--estimates", name, [str(one) for one in Estimates])
    return Estimates(name)


def is_oracle(grounding: str) -> bool:
    """Whether --grounding asks for the oracle; raises for a name that is neither."""
    names = ("perceived", "oracle")
    if grounding not in names:
        raise UnknownNameError("grounding", grounding, names)
    return grounding == "oracle"


def parse_size(text: str) -> tuple[int, int]:
    """Read `640x480` as (width, height)."""
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip().lower())
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= _LARGEST for side in size):
        raise RegraspError(
            f"{text!r} is no picture size. Give WIDTHxHEIGHT in pixels, up to {_LARGEST} each, "
            "e.g. 640x480."
        )
    return size


def split_names(text: str) -> tuple[str, ...]:
    """Read `a, b` as ("a", "b")."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def free_folder(preferred: Path) -> Path:
    """`preferred` if it is new or empty, else the first such folder of `preferred`-2, -3, …"""
    folder, number = preferred, 1
    while folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        number += 1
        folder = preferred.with_name(f"{preferred.name}-{number}")
    return folder


def default_language() -> str:
    """`embedded` if it can run here; else `scripted`, with a note that names what is missing."""
    from regrasp.cli.output import print_note
    from regrasp.embedded.language import default_language_model

    name, message = default_language_model()
    if message:
        print_note(f"note: {message}")
    return name


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
