"""`regrasp view`: a recorded run as a page for a browser, a Rerun recording, or a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import NamedWorld

__all__ = ["view"]


def view(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The page to write; report.html in the folder.")
    ] = None,
    rerun: Annotated[
        Path | None, typer.Option("--rerun", help="Write this Rerun recording (.rrd) instead.")
    ] = None,
    clip: Annotated[
        Path | None, typer.Option("--clip", help="Write its film as this .webp or .gif instead.")
    ] = None,
    world: NamedWorld = "",
) -> None:
    """Write the page of a run, also of one that failed, was killed or is still running.

    The page is one file that needs no network: timeline, video, images, model calls, costs. A
    Rerun recording has the scene in 3D and the camera images, and needs regrasp[rerun]. A clip is
    the video in slow motion, which pauses at plans, disturbances and alarms; it needs
    regrasp[video].
    """
    from regrasp.cli.output import print_text
    from regrasp.view.page import write_page

    if clip is not None:
        from regrasp.view.clip import write_clip

        print_text(write_clip(run, clip))
        return
    if rerun is None:
        print_text(write_page(run, out))
        return
    from regrasp.core.trace import read_trace
    from regrasp.episodes.build_scene3d import build_scene3d
    from regrasp.episodes.state_log import read_states
    from regrasp.view.rerun_file import write_rerun

    print_text(write_rerun(read_trace(run), build_scene3d(read_states(run, world=world)), rerun))
