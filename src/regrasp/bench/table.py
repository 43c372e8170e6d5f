"""From the results of episodes to the rows of a suite's table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from regrasp.bench.episode import MotionResult
from regrasp.bench.motions import MotionTask
from regrasp.bench.statistics import wilson
from regrasp.core.outcome import Outcome

__all__ = ["episode_rows", "for_people", "motion_rows"]


def motion_rows(
    motions: Sequence[MotionTask], method: str, results: Sequence[MotionResult]
) -> list[dict[str, Any]]:
    """One row for each motion, JSON-ready.

    Rates, intervals and means are over the episodes that ended; broken ones are only counted.
    `say_do_gap` is the share that reported done minus the share that was done; `wrong_reports`
    counts the episodes where the two differ, in either direction.
    """
    return [
        _row(motion, method, [r for r in results if r.episode.task == motion.name])
        for motion in motions
    ]


def _row(motion: MotionTask, method: str, results: Sequence[MotionResult]) -> dict[str, Any]:
    ended = [r for r in results if r.outcome is not Outcome.BROKEN]
    succeeded = sum(r.outcome is Outcome.SUCCEEDED for r in ended)
    sim_s, cpu_s = [r.sim_s for r in ended], [r.cpu_s for r in ended]
    reported_success, did = sum(r.reported_success for r in ended), sum(r.did for r in ended)
    return {
        "task": motion.name,
        "method": method,
        "expected": "done" if motion.possible else "not done",
        "episodes": len(results),
        "succeeded": succeeded,
        "failed": len(ended) - succeeded,
        "broken": len(results) - len(ended),
        "interval": [round(edge, 4) for edge in wilson(succeeded, len(ended))],
        "sim_s": fmean(sim_s) if ended else None,
        "cpu_s": fmean(cpu_s) if ended else None,
        "cpu_per_sim": sum(cpu_s) / sum(sim_s) if any(sim_s) else None,
        "reported_success": reported_success,
        "did": did,
        "wrong_reports": sum(r.reported_success != r.did for r in ended),
        "say_do_gap": (reported_success - did) / len(ended) if ended else None,
        "noted": {
            str(claim): sum(r.noted.get(str(claim), False) for r in ended) for claim in motion.noted
        },
        "paper": motion.paper.rate if motion.paper else None,
        "paper_episodes": motion.paper.episodes if motion.paper else None,
        "failures": [
            {"seed": r.episode.seed, "outcome": str(r.outcome),
             "reported_success": r.reported_success, "did": r.did, "feedback": r.feedback}
            for r in results
            if r.outcome is not Outcome.SUCCEEDED
        ],
    }  # fmt: skip


def episode_rows(results: Sequence[MotionResult]) -> list[dict[str, Any]]:
    """One row for each episode, JSON-ready, for a file."""
    return [
        {
            "task": r.episode.task, "method": r.episode.method, "seed": r.episode.seed,
            "outcome": str(r.outcome), "reported_success": r.reported_success, "did": r.did,
            "ever": r.ever,
            "sim_s": r.sim_s, "cpu_s": r.cpu_s, "noted": dict(r.noted), "feedback": r.feedback,
        }
        for r in results
    ]  # fmt: skip


def for_people(row: dict[str, Any]) -> dict[str, Any]:
    """The row as a table shows it: rates in percent."""
    low, high = row["interval"]
    paper = "" if row["paper"] is None else f"{row['paper']:.0%} of {row['paper_episodes']}"
    return {
        **row,
        "n": row["episodes"],
        "interval": f"{100 * low:.1f}-{100 * high:.1f}%",
        "paper": paper,
    }
