"""The startup suite: wall time of import, help, opening and resetting a world."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

__all__ = ["LIMITS_S", "startup_rows"]

LIMITS_S = {"import regrasp": 0.3, "regrasp --help": 0.5}
"""The limits, in wall seconds."""

_IMPORT = "import time; t = time.perf_counter(); import regrasp; print(time.perf_counter() - t)"


def startup_rows(repeats: int) -> Iterator[dict[str, Any]]:
    """One row for each measurement, `repeats` times each, as soon as it is done."""
    yield _row("import regrasp", [_import_seconds() for _ in range(repeats)])
    yield _row("regrasp --help", [_seconds(_help) for _ in range(repeats)])

    from regrasp.worlds.registry import WORLDS, open_world  # noqa: PLC0415 - it takes seconds

    open_world(next(iter(WORLDS)))  # the first world imports shared modules
    for name in WORLDS:
        opened = [_seconds(partial(open_world, name, seed=seed)) for seed in range(repeats)]
        yield _row(f"open {name}", opened)
        world = open_world(name)
        yield _row(f"reset {name}", [_seconds(world.reset) for _ in range(repeats)])


def _import_seconds() -> float:
    command = [sys.executable, "-c", _IMPORT]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _help() -> None:
    command = [sys.executable, "-m", "regrasp.cli.main", "--help"]
    subprocess.run(command, check=True, capture_output=True)


def _seconds(what: Callable[[], object]) -> float:
    started_s = time.perf_counter()
    what()
    return time.perf_counter() - started_s


def _row(task: str, seconds: list[float]) -> dict[str, Any]:
    limit = LIMITS_S.get(task)
    within = sum(limit is None or s < limit for s in seconds)
    return {
        "task": task, "method": "wall", "episodes": len(seconds), "succeeded": within,
        "failed": len(seconds) - within, "broken": 0, "sim_s": 0.0, "cpu_s": None,
        "median_ms": 1e3 * median(seconds), "least_ms": 1e3 * min(seconds),
        "most_ms": 1e3 * max(seconds), "limit_ms": None if limit is None else 1e3 * limit,
    }  # fmt: skip
