"""`regrasp view`: a recorded run as one page to open in a browser, or as a Rerun recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["view"]


def view(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The page to write; report.html in the folder.")
    ] = None,
    rerun: Annotated[
        Path | None, typer.Option("--rerun", help="Write this Rerun recording (.rrd) instead.")
    ] = None,
) -> None:
    """Write the page of a run, also of one that failed, was killed or is still going.

    The page is one file that needs no network: timeline, film, pictures, model calls, costs. A
    Rerun recording has the scene in 3D and the cameras' pictures, and needs regrasp[rerun].
    """
    from regrasp.view.page import write_page

    if rerun is None:
        typer.echo(write_page(run, out))
        return
    from regrasp.core.trace import read_trace
    from regrasp.view.rerun_file import write_rerun
    from regrasp.worlds.drawn import drawn
    from regrasp.worlds.state_log import read_states

    typer.echo(write_rerun(read_trace(run), drawn(read_states(run)), rerun))
