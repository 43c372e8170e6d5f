"""A small pool of worker processes that isolates jobs from each other.

`multiprocessing.Pool` and `ProcessPoolExecutor` end the whole run when a worker is killed, and wait
for ever for a worker that hangs. Here each worker has its own pipe: a job that raises, dies, hangs
or takes too much memory is a `BrokenJob`, its worker is replaced, and the others continue. A worker
ends as soon as its parent is gone, so no old worker runs beside a new run.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Generic, TypeVar

from regrasp.core.users_code import describe_error

__all__ = ["BrokenJob", "run_pool"]

Job = TypeVar("Job")
Done = TypeVar("Done")

# One job, one core: the workers are the parallelism.
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_POLL_S = 0.5
_GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class BrokenJob:
    """A job that gave no result: it raised, its process died, or it ran past its limit."""

    why: str
    details: str = ""

    def __str__(self) -> str:
        return self.why


def run_pool(
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    *,
    workers: int,
    limit_s: float,
    recycle: int = 1000,
    memory_mb: float = math.inf,
) -> Generator[tuple[Job, Done | BrokenJob], None, None]:
    """Run `work` on each job in `workers` processes; yield each job with its result as it ends.

    `work`, the jobs and their results must be picklable. A job is killed if it takes longer than
    `limit_s` seconds of wall time or holds more than `memory_mb` (if /proc shows it). A process is
    replaced after `recycle` jobs. Closing the iterator (leaving its loop, Ctrl-C) kills the running
    jobs.
    """
    if workers < 1:
        raise ValueError(f"a pool needs at least 1 worker, not {workers}.")
    waiting = deque(jobs)
    busy: list[_Worker[Job, Done]] = []
    idle: list[_Worker[Job, Done]] = []
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                worker = idle.pop() if idle else _Worker(work, memory_mb)
                worker.give(waiting.popleft(), limit_s)
                busy.append(worker)
            wait([worker.connection for worker in busy], timeout=_POLL_S)
            for worker in list(busy):
                result = worker.take()
                if result is not None:
                    busy.remove(worker)
                    if worker.alive and worker.jobs >= recycle:
                        worker.kill()
                    if worker.alive:
                        idle.append(worker)
                    yield worker.job, result[0]
    finally:
        for worker in (*busy, *idle):
            worker.kill()


class _Worker(Generic[Job, Done]):
    """A process and the pipe to it; holds one job at a time."""

    job: Job

    def __init__(self, work: Callable[[Job], Done], memory_mb: float) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.alive, self.jobs = True, 0
        self._memory_mb = memory_mb
        self._deadline = 0.0
        self._process: SpawnProcess = context.Process(
            target=_serve, args=(theirs, work), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, job: Job, limit_s: float) -> None:
        """Send a job."""
        self.job, self._limit_s = job, limit_s
        self.jobs += 1
        self._deadline = time.monotonic() + limit_s
        with suppress(BrokenPipeError):  # it died while idle or starting: `take` detects this
            self.connection.send(job)

    def take(self) -> tuple[Done | BrokenJob] | None:
        """The result in a tuple of one, or None while there is none."""
        try:
            if self.connection.poll():
                result: Done | BrokenJob = self.connection.recv()
                return (result,)
        except (EOFError, OSError):
            self._process.join(_GRACE_S)  # its pipe is closed: wait for its exit code
            self.kill()
            return (BrokenJob(f"its process died ({_how(self._process.exitcode)})"),)
        if time.monotonic() > self._deadline:
            self.kill()
            return (BrokenJob(f"it ran for more than {self._limit_s:g} s and was stopped"),)
        if _resident_mb(self._process.pid) > self._memory_mb:
            self.kill()
            return (BrokenJob(f"it took more than {self._memory_mb:g} MB and was stopped"),)
        return None

    def kill(self) -> None:
        """End the process, now."""
        self.alive = False
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection, work: Callable[[Job], Done]) -> None:
    """The worker's side: until the pipe closes, receive a job, run it, send the result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _print_to_stderr()
    for name in _ONE_THREAD:
        os.environ[name] = "1"
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            result: Done | BrokenJob = work(job)
        except (Exception, SystemExit) as error:
            result = BrokenJob(describe_error(error), traceback.format_exc())
        try:
            connection.send(result)
        except OSError:
            return  # the parent is gone


def _print_to_stderr() -> None:
    """Whatever this process or its libraries print goes to stderr: stdout is the command's."""
    with suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _resident_mb(pid: int | None) -> float:
    """Memory of a process in MB, read from /proc; 0 if that is not available."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def _how(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit code {exitcode}"
