"""What the tests of the runner share: the tiny suite, and ways to run it and to compare runs."""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from regrasp.bench.executor import Executor, LocalPool
from regrasp.bench.manifest import EpisodeSelection
from regrasp.bench.record import EpisodeJob, EpisodeKey, EpisodeRecord
from regrasp.bench.run_job import DiskFullError
from regrasp.bench.runner import prepare, run_jobs
from regrasp.bench.store import load_results
from regrasp.core.outcome import Outcome
from regrasp.core.trace import digest

TINY = str(Path(__file__).with_name("tiny_suite.py"))
LIKE = EpisodeJob(TINY, EpisodeKey("tiny", "", "", "scripted", "oracle", 0))


@dataclass(frozen=True)
class Forked:
    """A copy of this process, with the few things of a `Popen` that the tests of kills need."""

    process: multiprocessing.process.BaseProcess

    @property
    def pid(self) -> int:
        return self.process.pid or 0

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, seconds: float) -> int:
        self.process.join(seconds)
        assert self.process.exitcode is not None, f"it still runs after {seconds} s"
        return self.process.exitcode

    def kill(self) -> None:
        self.process.kill()


class Tiny:
    """The tiny suite, run into a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.log = root, root.with_name(f"{root.name}.log")

    def run(
        self,
        methods: Sequence[str] = ("a", "b"),
        seeds: int = 3,
        executor: Executor | None = None,
        resume: bool = False,
    ) -> tuple[EpisodeRecord, ...]:
        """Run it here, and give what is stored then."""
        asked = EpisodeSelection(
            ("one", "two", "three", "four"), tuple(methods), tuple(range(seeds))
        )
        run = prepare(TINY, self.root, asked=asked, like=LIKE, resume=resume)
        list(run_jobs(run.jobs, self.root, executor or LocalPool(2)))
        return load_results(self.root).records

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        """Run it as the command line does, in a process that can be killed."""
        command = [
            sys.executable, "-m", "regrasp.cli.main", "bench", TINY, "--methods", "a,b",
            "--episodes", "3", "--workers", "2", "--out", str(self.root), *more,
        ]  # fmt: skip
        environment = {**os.environ, "REGRASP_TINY_LOG": str(self.log)}
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def fork(self, *, resume: bool = False) -> Forked:
        """The same in a copy of this process, which is there at once."""
        process = multiprocessing.get_context("fork").Process(
            target=self._run_and_exit, args=(resume,)
        )
        process.start()
        return Forked(process)

    def _run_and_exit(self, resume: bool) -> None:
        os.environ["REGRASP_TINY_LOG"] = str(self.log)
        try:
            records = self.run(executor=LocalPool(1), resume=resume)
        except DiskFullError as error:
            sys.stderr.write(str(error))
            os._exit(2)
        os._exit(any(record.outcome is Outcome.BROKEN for record in records))

    def begun(self) -> list[str]:
        """The episodes that were begun, each as often as it was."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def finished(self) -> set[str]:
        """The episodes that are in their places."""
        found = (self.root / "episodes").glob("*/*/[0-9]*")
        return {" ".join(folder.parts[-3:]) for folder in found}


def comparable(root: Path) -> list[tuple[EpisodeRecord, str]]:
    """Each row without what depends on the wall clock, and the digest of its trace."""
    records = load_results(root).records
    timeless = (replace(r, wall_s=0.0, cpu_s=0.0, language_s=0.0) for r in records)
    return [(record, digest(root / record.trace)) for record in timeless]
