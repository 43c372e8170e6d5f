"""From the records of a run to its rows: one for each task and method, and the grid of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from regrasp.bench.answer_scores import wrong_claims
from regrasp.bench.record import NOT_CLAIMED, EpisodeRecord
from regrasp.bench.statistics import wilson
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask
from regrasp.core.claim import ClaimResult

__all__ = ["action_grid", "rate_grid", "suite_rows"]


def suite_rows(suite: Suite, records: Iterable[EpisodeRecord]) -> list[dict[str, Any]]:
    """A row for each task and method that has episodes, JSON-ready.

    Rates, intervals and means are over the episodes that ended; broken ones are only counted.
    `reached_not_claimed` are among the failed: the judge finds the task done, and the agent does
    not claim so. `say_do_gap` is the share that claimed to be done minus the share that was.
    `claimed_seen`
    counts the claims “done and seen”, and `wrong_seen` and `wrong_not_seen` the wrong claims of
    either kind; records of an earlier version are in none of the three.
    """
    cells = _cells(records)
    return [
        _row(suite, task, method, cells[task.name, method.name])
        for task in suite.tasks
        for method in suite.methods
        if (task.name, method.name) in cells
    ]


def rate_grid(suite: Suite, records: Iterable[EpisodeRecord]) -> list[dict[str, Any]]:
    """Methods down, tasks across, as the paper's table has it: ours, and the paper's below."""
    cells, rows = _cells(records), []
    for method in suite.methods:
        ours = {"method": method.name, "": "ours"}
        paper = {"method": "", "": "paper"}
        for task in suite.tasks:
            found = cells.get((task.name, method.name))
            if found is None:
                continue
            ours[task.name] = _rate(found)
            figure = suite.figures.get(method.name, {}).get(task.name)
            paper[task.name] = str(figure) if figure else ""
        if len(ours) > 2:
            rows += [ours, paper] if any(list(paper.values())[2:]) else [ours]
    return rows


def action_grid(suite: Suite, records: Iterable[EpisodeRecord]) -> list[dict[str, Any]]:
    """Mean motion + vision actions per episode, as in figure C.1 of the REPLAN paper."""
    cells, rows = _cells(records), []
    for method in suite.methods:
        row: dict[str, Any] = {"method": method.name}
        for task in suite.tasks:
            ended = [r for r in cells.get((task.name, method.name), ()) if r.ended]
            if ended:
                motions, looks = (fmean(r.motions for r in ended), fmean(r.looks for r in ended))
                row[task.name] = f"{motions:.1f} + {looks:.1f}"
        if len(row) > 1:
            rows.append(row)
    return rows


def _cells(records: Iterable[EpisodeRecord]) -> dict[tuple[str, str], list[EpisodeRecord]]:
    cells: dict[tuple[str, str], list[EpisodeRecord]] = {}
    for record in records:
        cells.setdefault((record.key.task, record.key.method), []).append(record)
    return cells


def _rate(records: Sequence[EpisodeRecord]) -> str:
    ended = [r for r in records if r.ended]
    succeeded = sum(r.succeeded for r in ended)
    low, high = wilson(succeeded, len(ended))
    broken = len(records) - len(ended)
    counted = {"broken": broken, NOT_CLAIMED: sum(r.reached_not_claimed for r in ended)}
    apart = "".join(f", {n} {what}" for what, n in counted.items() if n)
    return f"{succeeded}/{len(ended)} {100 * low:.0f}-{100 * high:.0f}%{apart}"


def _row(
    suite: Suite, task: SuiteTask, method: SuiteMethod, records: Sequence[EpisodeRecord]
) -> dict[str, Any]:
    ended = [r for r in records if r.ended]
    succeeded = sum(r.succeeded for r in ended)
    claimed = sum(r.claimed for r in ended)
    seen, not_seen = (wrong_claims(ended, r) for r in (ClaimResult.SEEN, ClaimResult.NOT_SEEN))
    paper = suite.figures.get(method.name, {}).get(task.name)
    key = records[0].key
    return {
        "task": task.name,
        "method": method.name,
        "llm": key.llm,
        "vlm": key.vlm,
        "episodes": len(records),
        "succeeded": succeeded,
        "failed": len(ended) - succeeded,
        "reached_not_claimed": sum(r.reached_not_claimed for r in ended),
        "broken": len(records) - len(ended),
        "interval": [round(edge, 4) for edge in wilson(succeeded, len(ended))],
        **_means(ended, "sim_s", "wall_s", "cpu_s", "calls", "tokens"),
        "claimed": claimed,
        "claimed_seen": seen.n,
        "wrong_seen": seen.hits,
        "wrong_not_seen": not_seen.hits,
        "say_do_gap": (claimed - sum(r.done for r in ended)) / len(ended) if ended else None,
        **_means(ended, "motions", "looks", "replans"),
        "paper": paper.rate if paper else None,
        "paper_episodes": paper.episodes if paper else None,
        "seeds": [r.key.seed for r in records],
    }


def _means(ended: Sequence[EpisodeRecord], *names: str) -> dict[str, float | None]:
    return {n: fmean(getattr(r, n) for r in ended) if ended else None for n in names}
