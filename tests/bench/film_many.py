"""Film 500 episodes in one process, by hand: `python tests/bench/film_many.py`.

Every tenth episode prints the memory, threads and open files of the process. Exits with 1 if an
episode broke or left no film, if threads or files grew, or if memory grew by more than --memory MB
after the first fifth of the episodes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import threading
from pathlib import Path

from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.run_job import run_job
from regrasp.core.outcome import Outcome

TASKS = ("cubes-match", "lever-locked", "cabinet-open")


def resident_mb() -> float:
    """The memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    """Run the episodes and return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=500)
    options.add_argument("--memory", type=float, default=20.0, help="MB")
    options.add_argument("--tasks", default=",".join(TASKS))
    given = options.parse_args()
    tasks, root, measured = given.tasks.split(","), Path(tempfile.mkdtemp()), []
    for number in range(given.count):
        task = tasks[number % len(tasks)]
        key = EpisodeKey("replan", task, "full", "scripted", "oracle", number)
        job = EpisodeJob("replan", key, video=True, size=(96, 72), swap="controller")
        record = run_job(job, root)
        if record.outcome is Outcome.BROKEN or not list(root.glob("episodes/*/*/*/*.mp4")):
            print(f"episode {number}, {key}: {record.outcome}, {record.reason}; see {root}")
            return 1
        shutil.rmtree(root / "episodes")
        files = entries("/proc/self/fd")
        measured.append(
            (resident_mb(), threading.active_count(), files, entries("/proc/self/task"))
        )
        if number % 10 == 9:
            memory, threads, files, tasks_now = measured[-1]
            print(
                f"{number + 1}: {memory:.0f} MB, {threads} threads of Python, {tasks_now} of the "
                f"system, {files} files",
                flush=True,
            )
    settled = measured[given.count // 5]
    grown = [now - then for now, then in zip(measured[-1], settled, strict=True)]
    print(f"grown since episode {given.count // 5}: {grown[0]:.1f} MB, {grown[1:]}")
    return int(grown[0] > given.memory or any(more > 0 for more in grown[1:]))


def entries(folder: str) -> int:
    """The number of entries of a folder: /proc has one for each thread and each open file."""
    return len(list(Path(folder).iterdir()))


if __name__ == "__main__":
    raise SystemExit(main())
