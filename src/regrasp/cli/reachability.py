"""`regrasp reachability`: make the reachability maps of a world's robot, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli.options import AsJson

if TYPE_CHECKING:
    from rich.progress import TaskID

    from regrasp.cli.progress_bar import ProgressBar

__all__ = ["reachability"]


def reachability(
    world: Annotated[str, typer.Argument(help="A world; `regrasp worlds` lists them.")],
    as_json: AsJson = False,
) -> None:
    """Make the maps of hand poses that the arms of a world's robot reach, in the cache folder.

    It takes some 15 seconds for an arm with seven joints. A map that is there already is kept.
    """
    from functools import partial
    from time import perf_counter

    from regrasp.cli.output import print_rows, progress
    from regrasp.control.reachability import map_name, reachability_map
    from regrasp.control.serial_chain import arm_chains
    from regrasp.core.errors import RegraspError
    from regrasp.models.pull import cache_dir
    from regrasp.worlds.registry import open_world

    chains = arm_chains(open_world(world).planning)
    if not chains:
        raise RegraspError(
            f"the robot of {world} has no arm with three hinges or more and a site called palm."
        )
    rows = []
    with progress() as bar:
        for name, chain in chains.items():
            task = bar.add_task(f"{name} arm", total=1.0)
            begin = perf_counter()
            made = reachability_map(chain, cache_dir(), progress=partial(_show, bar, task))
            rows.append(
                {
                    "arm": name,
                    "map": map_name(chain, made.resolution),
                    "megabytes": round(made.windows.nbytes / 1e6, 1),
                    "cells_reached": int((made.visits > 0).sum()),
                    "seconds": round(perf_counter() - begin, 1),
                }
            )
    print_rows(rows, list(rows[0]), as_json, "regrasp reachability")


def _show(bar: ProgressBar, task: TaskID, done: float) -> None:
    bar.update(task, completed=done)
