"""What the harness costs, on real episodes. For an idle machine: `pytest -m long` on this file.

Bare is the same episodes one after the other in one process that is already warm.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from regrasp.bench.executor import LocalPool
from regrasp.bench.job import EpisodeJob
from regrasp.bench.manifest import Asked
from regrasp.bench.play import play_method
from regrasp.bench.record import EpisodeKey
from regrasp.bench.runner import Run, prepare, run_jobs

LIKE = EpisodeJob("replan", EpisodeKey("replan", "", "", "scripted", "oracle", 0))
ASKED = Asked(("cabinet-closed", "cubes-match"), ("full",), tuple(range(4)))


def timed(root: Path, workers: int) -> float:
    run = prepare("replan", root, asked=ASKED, like=LIKE)
    begun = time.monotonic()
    assert len(list(run_jobs(run.jobs, root, LocalPool(workers)))) == len(run.jobs)
    return time.monotonic() - begun


def bare(run: Run, out: Path) -> float:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    begun = time.monotonic()
    for number, job in enumerate(run.jobs):
        (task,) = run.suite.chosen_tasks([job.key.task])
        (method,) = run.suite.chosen_methods([job.key.method])
        play_method(job, task, method, out / str(number))
    return time.monotonic() - begun


@pytest.mark.long
def test_the_harness_costs_less_than_a_twentieth_and_two_workers_do_nearly_twice_as_much(
    tmp_path: Path,
) -> None:
    run = prepare("replan", tmp_path / "plan", asked=ASKED, like=LIKE)
    bare_s = bare(run, tmp_path / "bare")
    one_s, two_s = timed(tmp_path / "one", 1), timed(tmp_path / "two", 2)
    print(f"bare {bare_s:.1f} s, one worker {one_s:.1f} s, two workers {two_s:.1f} s")
    assert one_s < 1.05 * bare_s
    assert one_s > 1.8 * two_s
