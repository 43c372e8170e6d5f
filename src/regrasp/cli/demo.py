"""`regrasp demo`: a cabinet door opened because a reward asked for it, with a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import free_folder

__all__ = ["REWARD", "demo"]

REWARD = """\
reset_reward()
minimize_l2_distance_reward("palm", "wooden_cabinet_right_handle")
set_joint_fraction_reward("wooden_cabinet_right_door", 1.0, primary_reward=True)
execute_plan(duration=20)
"""
"""The reward of REPLAN's Task 2: bring the hand to the handle, and the door to fully open."""


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path("runs/demo"),
) -> None:
    """Open a cabinet door because a reward asks for it; about half a minute, and a page to open.

    If there is a run in the folder already, the next free one beside it is taken.
    """
    from regrasp.cli.output import say
    from regrasp.cli.watching import watching
    from regrasp.core.outcome import Outcome
    from regrasp.core.trace import TRACE_FILE
    from regrasp.view.page import plain_words, write_page
    from regrasp.worlds.run import VIDEO_FILE, do

    folder = free_folder(out)
    say("A Franka arm in front of a closed cabinet is given this reward:\n\n" + REWARD)
    with watching() as watch:
        report = do("cabinet", "closed", 0, REWARD, folder, method="demo", watch=watch)
    page = write_page(folder, "Regrasp demo: open the cabinet door")
    typer.echo("\n".join(plain_words(report)))
    typer.echo(f"page:  {page}\ntrace: {folder / TRACE_FILE}")
    if (folder / VIDEO_FILE).exists():
        typer.echo(f"video: {folder / VIDEO_FILE}")
    if report.outcome is not Outcome.SUCCEEDED:
        raise typer.Exit(1)
