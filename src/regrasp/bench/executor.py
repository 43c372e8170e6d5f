"""The `Executor` protocol: episodes run on this machine's cores, or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from regrasp.bench.pool import run_pool
from regrasp.bench.record import EpisodeJob, EpisodeRecord
from regrasp.bench.run_job import DiskFullError, JobResult, run_job
from regrasp.core.errors import RegraspError

__all__ = ["Executor", "LocalPool", "open_executor", "run_or_disk_full"]


class Executor(Protocol):
    """Runs jobs, each in a process of its own, and yields each result as the job ends.

    When a row is yielded, its episode's folder is complete under `root`. A job that raises, dies,
    exceeds its time limit or its memory is a `BrokenJob`, and the others continue. Closing the
    generator stops the running jobs.
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
        yield from run_pool(
            partial(run_or_disk_full, root=root),
            jobs,
            workers=min(self.workers, len(jobs)),
            limit_s=max(job.limits.wall_s for job in jobs),
            recycle=self.recycle,
            memory_mb=self.memory_mb,
        )


def run_or_disk_full(job: EpisodeJob, root: Path) -> EpisodeRecord | DiskFullError:
    """Run a job; a full disk is returned and not raised, because the job did not cause it."""
    try:
        return run_job(job, root)
    except DiskFullError as error:
        return error


def open_executor(name: str, workers: int, memory_mb: float = 4000.0) -> Executor:
    """The executor of that name: `local`, `ray` (an existing cluster, or a new one on this
    machine) or `ray://HOST:PORT`. `workers` and `memory_mb` are the local one's."""
    if name == "local":
        return LocalPool(workers, memory_mb=memory_mb)
    if name == "ray" or name.startswith("ray://"):
        from regrasp.bench.ray_cluster import RayCluster  # noqa: PLC0415

        return RayCluster(None if name == "ray" else name)
    raise RegraspError(f"unknown executor {name!r}: give local, ray, or ray://HOST:PORT.")
