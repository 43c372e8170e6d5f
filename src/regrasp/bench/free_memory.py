"""Give freed memory back to the system, so that a long run stays as small as a short one."""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache

__all__ = ["free_memory"]


def free_memory() -> None:
    """Collect garbage and give freed memory back to the system, where its C library can.

    A world is many small pieces of C memory. glibc keeps the gaps that they leave, and a process
    grew by 0.36 MB with every filmed episode. macOS, Windows and musl need no such call.
    """
    gc.collect()
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> ctypes.CDLL | None:
    """The C library of this process, if it is glibc."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") else None
