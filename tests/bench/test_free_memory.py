"""Freed memory goes back to the system, also where glibc would keep it."""

from __future__ import annotations

import ctypes
import sys

import pytest
from film_many import resident_mb

from regrasp.bench.free_memory import free_memory


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="no glibc"
)
def test_memory_below_a_block_that_is_still_used_is_given_back() -> None:
    blocks = [bytes(2000) for _ in range(50_000)]
    held = resident_mb()
    last = blocks.pop()
    blocks.clear()
    kept = resident_mb()
    free_memory()
    assert held - resident_mb() > 80.0, f"{held:.0f} MB, {kept:.0f} when freed, {last[:1]!r}"
