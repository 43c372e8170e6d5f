"""Find the cause of failures: run each failed episode again with one part replaced by its oracle.

Each swap is a run of its own in `DIR/blame/SWAP`, with the seeds, models and limits of the original
run. It has traces, and can be stopped and resumed like any other run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regrasp.bench.answer_scores import Rate
from regrasp.bench.executor import Executor
from regrasp.bench.manifest import MANIFEST_FILE, EpisodeSelection
from regrasp.bench.record import EpisodeKey, EpisodeRecord
from regrasp.bench.run_names import trusted_models, trusted_suite
from regrasp.bench.runner import Run, prepare, run_jobs
from regrasp.bench.store import Results, load_results
from regrasp.bench.swap import SWAPS, applicable
from regrasp.core.errors import RegraspError
from regrasp.core.outcome import Outcome
from regrasp.core.run_folder import inside, leads_out

__all__ = [
    "Blamed",
    "blame_rows",
    "blame_runs",
    "failed",
    "read_blame",
    "run_blame",
    "swap_rows",
]

_FOLDER = "blame"


@dataclass(frozen=True, slots=True)
class Blamed:
    """A failed episode, and its outcome with each part replaced."""

    record: EpisodeRecord
    swapped: tuple[tuple[str, EpisodeRecord], ...]

    @property
    def rescued_by(self) -> tuple[str, ...]:
        """The parts that alone, when replaced, make the episode succeed."""
        return tuple(s for s, record in self.swapped if record.succeeded)


def failed(
    results: Results, tasks: Sequence[str] = (), methods: Sequence[str] = (), most: int = 0
) -> tuple[EpisodeRecord, ...]:
    """The failed episodes, only of these tasks and methods if any are named.

    `most` bounds how many of each cell, the lowest seeds first; 0 is all.
    """
    found: dict[tuple[str, str], list[EpisodeRecord]] = {}
    for record in results.records:
        key = record.key
        wanted = (not tasks or key.task in tasks) and (not methods or key.method in methods)
        if wanted and record.outcome is Outcome.FAILED:
            found.setdefault((key.task, key.method), []).append(record)
    return tuple(r for cell in found.values() for r in (cell[:most] if most else cell))


def blame_runs(
    results: Results,
    records: Sequence[EpisodeRecord],
    swaps: Iterable[str] | None = None,
    *,
    suite: str = "",
    llm: str = "",
    vlm: str = "",
) -> tuple[Run, ...]:
    """The runs to start or resume, one for each swap that changes something.

    `suite`, `llm` and `vlm` are names of the manifest that the user has given again, because the
    run is not the user's own.
    """
    if not records:
        raise RegraspError("no episode of this run failed like that: there is nobody to blame.")
    possible = applicable(records[0].key)
    chosen = possible if swaps is None else tuple(swaps)
    for swap in chosen:
        if swap not in possible:
            known = ", ".join(SWAPS)
            raise RegraspError(
                f"cannot replace {swap!r} here: parts are {known}; in this run "
                f"{', '.join(possible)} are not oracles already."
            )
    address = _trusted_address(results, suite, llm, vlm)
    keys = {record.key for record in records}
    return tuple(_run(results, keys, swap, address) for swap in chosen)


def _trusted_address(results: Results, suite: str, llm: str, vlm: str) -> str:
    """The address of the suite to run, after every name that will be used has been checked."""
    root, manifest = results.root, results.manifest
    trusted_suite(root, manifest, suite)
    recorded = manifest.like.key
    if trusted_models(root, manifest, llm, vlm) != (recorded.llm, recorded.vlm):
        raise RegraspError(
            f"the models do not change: {root} was run with --llm {recorded.llm} and "
            f"--vlm {recorded.vlm}."
        )
    return suite or manifest.suite


def _run(results: Results, keys: set[EpisodeKey], swap: str, address: str) -> Run:
    root = inside(results.root, f"{_FOLDER}/{swap}")
    manifest = results.manifest
    asked = EpisodeSelection(
        tuple(sorted({key.task for key in keys})),
        tuple(sorted({key.method for key in keys})),
        tuple(sorted({key.seed for key in keys})),
    )
    return prepare(
        address, root, asked=asked, like=replace(manifest.like, swap=swap),
        resume=(root / MANIFEST_FILE).exists(), only=keys,
    )  # fmt: skip


def run_blame(
    runs: Sequence[Run], executor: Executor, watch: Callable[[EpisodeRecord], None]
) -> None:
    """Run the remaining episodes of every swap."""
    for run in runs:
        with closing(run_jobs(run.jobs, run.root, executor)) as records:
            for record in records:
                watch(record)


def read_blame(root: Path, records: Sequence[EpisodeRecord]) -> tuple[Blamed, ...]:
    """The results so far for each of these episodes of the run in `root`."""
    found: dict[EpisodeKey, list[tuple[str, EpisodeRecord]]] = {}
    for swap in SWAPS:
        folder = root / _FOLDER / swap
        if leads_out(root, f"{_FOLDER}/{swap}") or not (folder / MANIFEST_FILE).exists():
            continue
        results = load_results(folder, checks=False)
        if results.manifest.like.swap == swap:
            for record in results.records:
                found.setdefault(record.key, []).append((swap, record))
    return tuple(Blamed(record, tuple(found.get(record.key, ()))) for record in records)


def blame_rows(blamed: Sequence[Blamed]) -> list[dict[str, Any]]:
    """One row for each failed episode, JSON-ready."""
    return [
        {
            "task": b.record.key.task,
            "method": b.record.key.method,
            "seed": b.record.key.seed,
            "reason": b.record.reason,
            "claimed": b.record.claimed,
            "failures": list(b.record.failures),
            "rescued_by": list(b.rescued_by),
            "swaps": {swap: str(record.outcome) for swap, record in b.swapped},
            "trace": b.record.trace,
            "traces": {s: f"{_FOLDER}/{s}/{record.trace}" for s, record in b.swapped},
        }
        for b in blamed
    ]


def swap_rows(blamed: Sequence[Blamed]) -> list[dict[str, Any]]:
    """One row for each swap: how many failed episodes it rescues, and how many it alone rescues."""
    rows = []
    for swap, best in SWAPS.items():
        records = [record for b in blamed for name, record in b.swapped if name == swap]
        if not records:
            continue
        rescued = Rate.of((r.key.seed, r.succeeded) for r in records if r.ended)
        rows.append(
            {
                "swap": swap,
                "oracle": best,
                "failed": len(records),
                "rescued": rescued.hits,
                "interval": [round(edge, 4) for edge in rescued.interval],
                "only_this": sum(b.rescued_by == (swap,) for b in blamed),
                "broken": len(records) - rescued.n,
            }
        )
    return rows
