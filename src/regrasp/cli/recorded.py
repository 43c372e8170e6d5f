"""Shared by commands that record a run: write its page and list its files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from regrasp.cli.output import print_note
from regrasp.core.trace import TRACE_FILE
from regrasp.episodes.own_run import mark_own_run
from regrasp.view.page import PAGE_FILE, write_page
from regrasp.view.video import VIDEO_FILE

__all__ = ["files", "recording"]


@contextmanager
def recording(folder: Path) -> Iterator[None]:
    """Write the page of the run that the block records in `folder`, also if the block fails.

    The run is marked as the user's own.

    After an interrupted run it also prints the folder, which the error alone does not name.
    """
    new = not (folder / TRACE_FILE).exists()
    try:
        yield
    except (Exception, KeyboardInterrupt):
        if new and (folder / TRACE_FILE).exists():
            mark_own_run(folder)
            write_page(folder)
            for what, path in files(folder).items():
                print_note(f"{what} so far: {path}")
        raise
    mark_own_run(folder)
    write_page(folder)


def files(folder: Path) -> dict[str, str]:
    """The paths of a run's files by their kind; the page comes last."""
    names = {"trace": TRACE_FILE, "video": VIDEO_FILE, "page": PAGE_FILE}
    return {kind: str(folder / name) for kind, name in names.items() if (folder / name).exists()}
