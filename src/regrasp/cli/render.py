"""`regrasp render`: draw an image of a world at its start, or of every piece of the kit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli import options
from regrasp.core.errors import RegraspError, UnknownNameError

__all__ = ["render"]


def render(
    world: Annotated[
        str | None, typer.Argument(help="A world; `regrasp worlds` lists them.")
    ] = None,
    *,
    task: options.TaskName = None,
    seed: options.Seed = 0,
    camera: Annotated[
        str | None,
        typer.Option("--camera", help="A camera of the world, the first if not given, or all."),
    ] = None,
    size: options.Size = "640x480",
    renderer: options.RendererName = "raycast",
    skin: Annotated[
        str, typer.Option("--skin", help="primitive, or mesh where robosuite's files are there.")
    ] = "primitive",
    kit: Annotated[
        bool, typer.Option("--kit", help="Draw every piece of the kit into the folder --out.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The picture to write (PNG), or with --kit a folder."),
    ] = None,
) -> None:
    """Draw a world at its start, or with --kit every piece that worlds are built from."""
    from regrasp.cli.output import print_text

    if kit == (world is not None):
        raise RegraspError("name a world, e.g. `regrasp render cabinet`, or give --kit.")
    if world is None:
        _draw_kit(out)
        return
    from contextlib import closing

    from PIL import Image

    from regrasp.core.files import atomic_path, refuse_to_overwrite
    from regrasp.view.video import contact_sheet
    from regrasp.worlds.registry import open_world
    from regrasp.worlds.render.backends import open_renderer

    width, height = options.parse_size(size)
    opened = open_world(world, task, seed, skin=skin)
    names = [opened.model.camera(i).name for i in range(opened.model.ncam)]
    camera = camera or names[0]
    if camera not in (*names, "all"):
        raise UnknownNameError("camera", camera, (*names, "all"))
    path = out or Path(f"{world}-{opened.task.name}-{seed}-{camera}.png")
    refuse_to_overwrite(path, (b"\x89PNG\r\n",), "a picture")
    with closing(open_renderer(opened.model, renderer)) as drawing:
        cameras = names if camera == "all" else [camera]
        pictures = [drawing.render(opened.data, name, width, height).rgb for name in cameras]
        sheet = contact_sheet(pictures, len(cameras))
    try:
        with atomic_path(path) as draft:
            Image.fromarray(sheet).save(draft, format="PNG", optimize=True)
    except OSError as error:
        raise RegraspError(f"cannot write {path}: {error.strerror or error}.") from error
    print_text(path)


def _draw_kit(folder: Path | None) -> None:
    if folder is None:
        raise RegraspError("--kit draws many pictures: give the folder for them with --out.")
    from regrasp.cli.output import print_text, progress
    from regrasp.worlds.kit.catalogue import write_pictures

    with progress() as bar:
        bar.add_task("drawing the kit", total=None)
        try:
            paths = write_pictures(folder)
        except OSError as error:
            raise RegraspError(f"cannot write into {folder}: {error.strerror or error}.") from error
    for path in paths:
        print_text(path)
