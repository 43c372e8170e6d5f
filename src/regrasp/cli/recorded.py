"""What commands that record a run share: the page that is made of it, and where everything is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["files", "recording"]


@contextmanager
def recording(folder: Path) -> Iterator[None]:
    """Write the page of the run that the block records in `folder`, however the block ends.

    A run that was cut short also says where it is: an error alone would not.
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
    """What a run has left in its folder, by what it is; the page comes last, to be opened."""
    from regrasp.core.trace import TRACE_FILE
    from regrasp.view.page import PAGE_FILE
    from regrasp.view.video import VIDEO_FILE

    names = {"trace": TRACE_FILE, "video": VIDEO_FILE, "page": PAGE_FILE}
    return {what: folder / name for what, name in names.items() if (folder / name).exists()}
