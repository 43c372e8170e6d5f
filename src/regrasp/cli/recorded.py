"""Shared by commands that record a run: write its page and list its files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["files", "recording"]


@contextmanager
def recording(folder: Path) -> Iterator[None]:
    """Write the page of the run that the block records in `folder`, also if the block fails.

    After an interrupted run it also prints the folder, which the error alone does not name.
    """
    from regrasp.cli.output import print_note
    from regrasp.core.trace import TRACE_FILE
    from regrasp.view.page import write_page

    new = not (folder / TRACE_FILE).exists()
    try:
        yield
    except (Exception, KeyboardInterrupt):
        if new and (folder / TRACE_FILE).exists():
            write_page(folder)
            for what, path in files(folder).items():
                print_note(f"{what} so far: {path}")
        raise
    write_page(folder)


def files(folder: Path) -> dict[str, Path]:
    """The files of a run by their kind; the page comes last."""
    from regrasp.core.trace import TRACE_FILE
    from regrasp.view.page import PAGE_FILE
    from regrasp.view.video import VIDEO_FILE

    names = {"trace": TRACE_FILE, "video": VIDEO_FILE, "page": PAGE_FILE}
    return {what: folder / name for what, name in names.items() if (folder / name).exists()}
