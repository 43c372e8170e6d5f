"""The pool: one job cannot hurt another, whatever it does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from regrasp.bench.pool import BrokenJob, run_pool


def work(job: str) -> str:
    """What the workers do: the job's first word says how it goes."""
    match job.split(maxsplit=1)[0]:
        case "raise":
            raise ZeroDivisionError("divided by a door")
        case "hang":
            time.sleep(600)
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            sys.exit(3)
        case "pid":
            return str(os.getpid())
        case "threads":
            return os.environ["OMP_NUM_THREADS"]
    return job.upper()


def test_every_job_comes_back_and_the_bad_ones_are_broken() -> None:
    jobs = ["a", "raise", "b", "hang", "c", "die", "d", "exit", "e"]
    results = dict(run_pool(work, jobs, workers=2, limit_s=6.0))
    assert sorted(results) == sorted(jobs)
    assert {job: results[job] for job in "abcde"} == {job: job.upper() for job in "abcde"}
    why = {job: str(result) for job, result in results.items() if isinstance(result, BrokenJob)}
    assert why == {
        "raise": "ZeroDivisionError: divided by a door",
        "hang": "it ran for more than 6 s and was stopped",
        "die": "its process died (killed by SIGKILL)",
        "exit": "sys.exit(3) was called",
    }
    raised = results["raise"]
    assert isinstance(raised, BrokenJob)
    assert "Traceback" in raised.details
    assert multiprocessing.active_children() == []


def test_a_worker_is_used_again_and_a_raise_does_not_cost_it_its_life() -> None:
    jobs = ["pid 1", "raise", "pid 2", "threads"]
    results = dict(run_pool(work, jobs, workers=1, limit_s=30.0))
    assert results["pid 1"] == results["pid 2"]
    assert results["threads"] == "1"


def test_a_worker_is_replaced_after_so_many_jobs() -> None:
    jobs = [f"pid {n}" for n in range(5)]
    results = dict(run_pool(work, jobs, workers=1, limit_s=60.0, recycle=2))
    pids = [results[job] for job in jobs]
    assert pids[0] == pids[1] != pids[2] == pids[3] != pids[4]
    assert multiprocessing.active_children() == []


def test_leaving_early_stops_what_runs() -> None:
    with closing(run_pool(work, ["a", "hang", "hang"], workers=2, limit_s=600.0)) as pool:
        assert next(pool) == ("a", "A")
    assert multiprocessing.active_children() == []


def test_no_jobs_no_workers() -> None:
    assert list(run_pool(work, [], workers=4, limit_s=1.0)) == []


def test_no_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 worker"):
        next(run_pool(work, ["a"], workers=0, limit_s=1.0))


INTERRUPTED = """
import sys
sys.path.insert(0, {folder!r})
from test_pool import work
from regrasp.bench.pool import run_pool
if __name__ == "__main__":
    try:
        for job, result in run_pool(work, ["pid", "hang"], workers=1, limit_s=600.0):
            print(result, flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


def test_ctrl_c_stops_cleanly(tmp_path: os.PathLike[str]) -> None:
    """As at a terminal: the whole process group gets the signal; only the parent acts on it."""
    script = os.path.join(tmp_path, "main.py")  # noqa: PTH118
    with open(script, "w") as file:  # noqa: PTH123
        file.write(INTERRUPTED.format(folder=os.path.dirname(__file__)))  # noqa: PTH120
    process = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("stopped\n", "", 0)
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
