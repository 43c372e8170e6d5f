"""The seam for where episodes run: on this machine's cores, or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

from regrasp.bench.job import EpisodeJob
from regrasp.bench.play import DiskFullError, play
from regrasp.bench.pool import BrokenJob, run_pool
from regrasp.bench.record import EpisodeRecord

__all__ = ["Executor", "JobResult", "LocalPool", "run_or_disk_full"]

JobResult: TypeAlias = EpisodeRecord | BrokenJob | DiskFullError
"""What comes of a job: its row, why there is none, or that no other will have one either."""


class Executor(Protocol):
    """Runs jobs somewhere, each in a process of its own, and gives them back as they end.

    When a row is given back, its episode's folder is in its place under `root`. A job that raises,
    dies, hangs past its limit or takes too much memory is `Broken`, and the others go on. Closing
    the generator stops what runs.
    """

    def run(
        self, jobs: Sequence[EpisodeJob], root: Path
    ) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
        """Run every job, in about this order."""
        ...


@dataclass(frozen=True, slots=True)
class LocalPool:
    """Worker processes on this machine, replaced after `recycle` episodes.

    A worker that holds more than `memory_mb` is stopped (on Linux; elsewhere there is no cap).
    """

    workers: int
    recycle: int = 50
    memory_mb: float = 4000.0

    def run(
        self, jobs: Sequence[EpisodeJob], root: Path
    ) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
        """See `Executor.run`."""
        if not jobs:
            return
        pool = run_pool(
            partial(run_or_disk_full, root=root),
            jobs,
            workers=min(self.workers, len(jobs)),
            limit_s=max(job.limits.wall_s for job in jobs),
            recycle=self.recycle,
            memory_mb=self.memory_mb,
        )
        with closing(pool):
            yield from pool


def run_or_disk_full(job: EpisodeJob, root: Path) -> EpisodeRecord | DiskFullError:
    """Play a job; a full disk is told and not raised, because it is no fault of the job's."""
    try:
        return play(job, root)
    except DiskFullError as error:
        return error
