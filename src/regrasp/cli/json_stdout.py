"""With `--json`, stdout is for one document: whatever else is printed goes to stderr.

A user's robot may print, a library may write to file descriptor 1, and a process that they start
has the same descriptor. While a command runs, all of that leads to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO

__all__ = ["document_stream", "reserve_stdout"]

_STREAM: ContextVar[TextIO | None] = ContextVar("document_stream", default=None)


def document_stream() -> TextIO:
    """The stream for the document: stdout as it was before it was reserved."""
    return _STREAM.get() or sys.stdout


@contextmanager
def reserve_stdout() -> Iterator[None]:
    """Keep stdout for `document_stream` until the block ends."""
    real = sys.stdout
    kept = _moved_descriptor(real)
    document = real if kept is None else os.fdopen(kept, "w", encoding="utf-8")
    token, sys.stdout = _STREAM.set(document), sys.stderr
    try:
        yield
    finally:
        _STREAM.reset(token)
        sys.stdout = real
        try:
            document.flush()  # before what is printed after the block
        finally:
            if kept is not None:
                os.dup2(kept, 1)
                document.close()


def _moved_descriptor(stdout: TextIO) -> int | None:
    """A copy of descriptor 1, which from now on leads to stderr; None if stdout is none of it."""
    try:
        if stdout.fileno() != 1:
            return None
        stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (OSError, ValueError):  # a stream in memory has no descriptor
        return None
    return kept
