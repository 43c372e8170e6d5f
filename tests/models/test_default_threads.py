"""How many threads llama.cpp gets: those asked for, else the idle cores, at least half of all."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from regrasp.models import local


@pytest.mark.parametrize(
    ("cores", "idle", "threads"), [(2, 1.0, 2), (2, 0.55, 1), (2, 0.0, 1), (8, 0.7, 5), (1, 0.0, 1)]
)
def test_idle_cores_are_used(
    monkeypatch: pytest.MonkeyPatch, cores: int, idle: float, threads: int
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    monkeypatch.setattr(local, "_idle_share", lambda: idle)
    assert local.default_threads() == threads


@pytest.mark.parametrize(("told", "threads"), [("3", 3), ("0", 1)])
def test_what_is_asked_for_is_kept(
    monkeypatch: pytest.MonkeyPatch, told: str, threads: int
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert local.default_threads() == threads


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="/proc says what is idle")
def test_work_elsewhere_is_seen() -> None:
    stop = time.monotonic() + 0.6
    busy = threading.Thread(
        target=lambda: [None for _ in iter(lambda: time.monotonic() < stop, False)]
    )
    busy.start()
    share = local._idle_share(0.4)
    busy.join()
    assert 0.0 <= share <= 1.0 - 0.5 / (os.cpu_count() or 1)


def test_without_proc_nothing_is_taken_for_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> list[int]:
        raise FileNotFoundError("/proc/stat")

    monkeypatch.setattr(local, "_processor_ticks", gone)
    assert local._idle_share(0.0) == 0.0
