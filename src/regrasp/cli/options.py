"""Options that several commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from regrasp.core.errors import RegraspError

__all__ = [
    "AsJson",
    "RendererName",
    "RunFolder",
    "Seed",
    "Size",
    "TaskName",
    "WithVideo",
    "free_folder",
    "parse_size",
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

_LARGEST = 4096


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


def free_folder(wanted: Path) -> Path:
    """`wanted` if nothing is there or it is empty, else the first free of `wanted`-2, -3, …"""
    folder, number = wanted, 1
    while folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        number += 1
        folder = wanted.with_name(f"{wanted.name}-{number}")
    return folder
