"""What the harness costs, on real episodes. For an idle machine: `pytest -m long -s` on this file.

A machine's cores are not always equally fast, minute by minute, and two of them may share one: so
what the harness costs is taken within one run, as what passes while no episode is being played, and
what two workers do is set against the seconds that the same run's episodes took.
"""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

import pytest

from regrasp.bench.executor import LocalPool
from regrasp.bench.manifest import EpisodeSelection
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.runner import prepare, run_jobs

LIKE = EpisodeJob("replan", EpisodeKey("replan", "", "", "scripted", "oracle", 0))
ROUNDS = 3


def timed(root: Path, workers: int, seeds: tuple[int, ...]) -> tuple[float, float]:
    """Seconds of a whole run, and seconds that its episodes took by themselves, added up."""
    run = prepare(
        "replan", root, asked=EpisodeSelection(("cubes-match",), ("full",), seeds), like=LIKE
    )
    begun = time.monotonic()
    records = list(run_jobs(run.jobs, root, LocalPool(workers)))
    whole = time.monotonic() - begun
    assert len(records) == len(run.jobs)
    return whole, sum(record.wall_s for record in records)


@pytest.mark.long
def test_the_harness_costs_less_than_a_twentieth_and_keeps_two_workers_busy(
    tmp_path: Path,
) -> None:
    costs, busy, faster = [], [], []
    for turn in range(ROUNDS):
        seeds = tuple(range(8 * turn, 8 * turn + 8))
        one_s, played_s = timed(tmp_path / f"one-{turn}", 1, seeds)
        two_s, both_s = timed(tmp_path / f"two-{turn}", 2, seeds)
        costs.append(one_s / played_s - 1)
        busy.append(both_s / two_s)
        faster.append(one_s / two_s)
        print(f"cost {costs[-1]:.1%}, busy {busy[-1]:.2f}, two workers {faster[-1]:.2f} times one")
    assert median(costs) < 0.05
    assert median(busy) > 1.8
