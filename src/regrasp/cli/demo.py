"""`regrasp demo`: a robot finds an apple although a kettle is in the way, and writes a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import EstimatesName, default_language, free_folder
from regrasp.cli.run import run

__all__ = ["INSTRUCTION", "WORLD", "demo"]

INSTRUCTION, WORLD, SEED = "find the green apple", "kitchen", 2
"""The instruction and the world of the demo: Task 4 of REPLAN's paper. Physics differs between
processors in the last digits: on some, the robot drops the bar of seed 0 out of its reach."""
_REASONS = {
    "embedded": "a language model of 135 million parameters on this machine",
    "scripted": "a script of rules",
}


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path("runs/demo"),
    estimates: EstimatesName = "privileged",
) -> None:
    """Run REPLAN in a kitchen for a minute or two, and write a page to open at the end.

    It is `regrasp run "find the green apple" --world kitchen --seed 2`. If the folder holds a run
    already, the next free folder beside it is used.
    """
    from regrasp.cli.output import print_note
    from regrasp.view.page import PAGE_FILE

    folder, llm = free_folder(out), default_language()
    print_note(
        f"A robot arm in a {WORLD} is asked: {INSTRUCTION}.\n"
        f"The planner is {_REASONS[llm]}. The vision model is a small network that gets only "
        "camera images. Neither needs a key or a network. `regrasp models` lists other models.\n"
        f"A page about it will be at {folder / PAGE_FILE}.\n"
    )
    run(INSTRUCTION, world=WORLD, seed=SEED, llm=llm, out=folder, estimates=estimates)
