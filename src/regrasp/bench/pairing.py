"""Two methods, or two models, on the same episodes: run in pairs into the folders of runs.

A comparison keeps its episodes like any run, so it can be resumed, shown and reported. With the
same models on both sides they share a folder. With different models each side has its own folder,
because a folder has one configuration.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from regrasp.bench.executor import Executor
from regrasp.bench.manifest import MANIFEST_FILE, EpisodeSelection
from regrasp.bench.record import EpisodeJob, EpisodeKey, EpisodeRecord
from regrasp.bench.runner import lock_run_folder, prepare, run_jobs
from regrasp.bench.sequential import PairOutcome
from regrasp.bench.store import load_results
from regrasp.core.errors import RegraspError

__all__ = ["ComparisonSide", "Pair", "outcome_of", "run_pairs", "sides"]


@dataclass(frozen=True, slots=True)
class ComparisonSide:
    """One side of a comparison: the job of its episodes, and their folder."""

    root: Path
    like: EpisodeJob

    @property
    def name(self) -> str:
        """Its method."""
        return self.like.key.method


@dataclass(frozen=True, slots=True)
class Pair:
    """The same task and seed on both sides."""

    a: EpisodeRecord
    b: EpisodeRecord


def sides(root: Path, a: EpisodeJob, b: EpisodeJob) -> tuple[ComparisonSide, ComparisonSide]:
    """The two sides with their folders under `root`; they must differ in something."""
    if a == b:
        raise RegraspError(
            f"both sides are {a.key.method} with the same models: name two methods, or give the "
            "second other models with --llm-b or --vlm-b."
        )
    if (a.key.llm, a.key.vlm) == (b.key.llm, b.key.vlm):
        return ComparisonSide(root, a), ComparisonSide(root, b)
    return ComparisonSide(root / "a", a), ComparisonSide(root / "b", b)


def outcome_of(pair: Pair) -> PairOutcome:
    """The outcome of a pair for a statistical test."""
    return PairOutcome(*(r.succeeded if r.ended else None for r in (pair.a, pair.b)))


def run_pairs(
    drawn: Sequence[tuple[str, int]],
    a: ComparisonSide,
    b: ComparisonSide,
    executor: Executor,
    at_once: int,
) -> Generator[Pair, None, None]:
    """Run each (task, seed) on both sides, `at_once` in parallel; pairs are yielded in draw order.

    Finished episodes are read from the folders. Closing the iterator stops the running ones.
    """
    roots = tuple(dict.fromkeys((a.root, b.root)))
    with ExitStack() as stack:
        for root in roots:
            stack.enter_context(lock_run_folder(root))
        found: dict[EpisodeKey, EpisodeRecord] = {}
        left = {root: _begin(drawn, [s for s in (a, b) if s.root == root], found) for root in roots}
        for start in range(0, len(drawn), at_once):
            batch = [[_key(side, *where) for side in (a, b)] for where in drawn[start:][:at_once]]
            for root, jobs in left.items():
                due = [jobs[key] for keys in batch for key in keys if key in jobs]
                found |= {record.key: record for record in run_jobs(due, root, executor)}
            for key_a, key_b in batch:
                yield Pair(found[key_a], found[key_b])


def _begin(
    drawn: Sequence[tuple[str, int]],
    here: Sequence[ComparisonSide],
    found: dict[EpisodeKey, EpisodeRecord],
) -> dict[EpisodeKey, EpisodeJob]:
    """Create or check a folder: its episodes go into `found`; the missing ones are returned."""
    root, like = here[0].root, here[0].like
    asked = EpisodeSelection(
        tuple(dict.fromkeys(task for task, _ in drawn)),
        tuple(dict.fromkeys(side.name for side in here)),
        tuple(sorted({seed for _, seed in drawn})),
    )
    there = (root / MANIFEST_FILE).exists()
    only = {_key(side, *where) for side in here for where in drawn}
    run = prepare(like.address, root, asked=asked, like=like, resume=there, only=only)
    found |= {record.key: record for record in load_results(root, checks=False).records}
    return {job.key: job for job in run.jobs}


def _key(side: ComparisonSide, task: str, seed: int) -> EpisodeKey:
    return replace(side.like.key, task=task, seed=seed)
