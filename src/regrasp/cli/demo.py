"""`regrasp demo`: a robot finds an apple although a kettle is in the way, and a page tells how."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import free_folder
from regrasp.cli.run import run

__all__ = ["INSTRUCTION", "WORLD", "demo"]

INSTRUCTION, WORLD = "find the green apple", "kitchen"
"""What the demo asks for, and where: Task 4 of REPLAN's paper."""
_REASONS = {
    "embedded": "a language model of 135 million numbers on this machine",
    "scripted": "a script of rules",
}


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path("runs/demo"),
) -> None:
    """Show REPLAN at work in a kitchen; a minute or two, and a page to open at the end.

    It is `regrasp run "find the green apple" --world kitchen`. If there is a run in the folder
    already, the next free one beside it is taken.
    """
    from regrasp.cli.choice import default_language
    from regrasp.cli.output import print_note
    from regrasp.view.page import PAGE_FILE

    folder, llm = free_folder(out), default_language()
    print_note(
        f"A robot arm in a {WORLD} is asked: {INSTRUCTION}.\n"
        f"What reasons is {_REASONS[llm]} and what sees is a small network that gets nothing but "
        "pictures, so this needs no key and no network. `regrasp models` lists what can stand in "
        "their place.\n"
        f"A page about it will be at {folder / PAGE_FILE}.\n"
    )
    run(INSTRUCTION, world=WORLD, llm=llm, out=folder)
