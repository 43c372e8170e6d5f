"""The episodes of the motions suite: run one, and make the rows of the suite's table."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from regrasp.bench.motions import MotionTask, motion_task
from regrasp.bench.statistics import wilson
from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Literal
from regrasp.core.judge import Judge
from regrasp.core.outcome import Outcome

__all__ = [
    "SAMPLERS",
    "Episode",
    "MotionResult",
    "broken",
    "episode_rows",
    "for_people",
    "motion_rows",
    "run_motion",
]

SAMPLERS = ("ps", "mppi")
"""The methods of the motions suite: predictive sampling and MPPI."""

_LOOK_EVERY = 5  # control steps between two checks by the judge
_SETTLE_STEPS = 50  # control steps (0.5 s) of holding still before the judge's verdict


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode; these three values determine it."""

    task: str
    method: str
    seed: int

    def __str__(self) -> str:
        return f"{self.task}, {self.method}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class MotionResult:
    """How an episode ended.

    `reported_success` is the robot's own report, `did` the judge's verdict at the end (the goal
    holds), `ever` whether the goal held at any time, `noted` the other facts to record.
    `cpu_s` is the CPU time of acting, without opening the world. A broken episode has only a
    `feedback`.
    """

    episode: Episode
    outcome: Outcome
    feedback: str = ""
    reported_success: bool = False
    did: bool = False
    ever: bool = False
    sim_s: float = 0.0
    cpu_s: float = 0.0
    noted: Mapping[str, bool] = field(default_factory=dict)


def broken(episode: Episode, why: str) -> MotionResult:
    """The result of an episode that did not end: a fault of Regrasp, never of the method."""
    return MotionResult(episode, Outcome.BROKEN, why)


def run_motion(episode: Episode) -> MotionResult:
    """Run one episode of the motions suite in this process."""
    import numpy as np  # noqa: PLC0415 - a pool's worker sets its threads before numpy is loaded

    from regrasp.control.sampler import MPPI, PredictiveSampling  # noqa: PLC0415
    from regrasp.core.action import Action  # noqa: PLC0415
    from regrasp.worlds.judge import WorldJudge  # noqa: PLC0415
    from regrasp.worlds.registry import open_world  # noqa: PLC0415
    from regrasp.worlds.sim_robot import SimRobot  # noqa: PLC0415

    motion = motion_task(episode.task)
    samplers = {"ps": PredictiveSampling, "mppi": MPPI}
    if episode.method not in samplers:
        raise UnknownNameError("sampler", episode.method, samplers)
    world = open_world(motion.world, motion.task, episode.seed)
    judge = WorldJudge(world)
    robot = SimRobot(world, sampler=samplers[episode.method]())
    ever, steps, started_s = False, 0, time.process_time()
    try:
        skill = robot.start(Action("follow_reward", (motion.program,)))
        while skill.step():
            steps += 1
            if steps % _LOOK_EVERY == 0:
                ever = ever or _all(judge, motion.goal)
    finally:
        robot.close()
    cpu_s = time.process_time() - started_s
    hold = np.array(world.data.ctrl)
    for _ in range(_SETTLE_STEPS):
        world.advance(hold)
    report = skill.report
    if report is None:
        raise AssertionError("the skill stopped and has no report")
    did, reported_success = _all(judge, motion.goal), report.outcome is Outcome.SUCCEEDED
    ever = ever or did
    as_it_should = did if motion.possible else not (ever or reported_success)
    return MotionResult(
        episode,
        Outcome.SUCCEEDED if as_it_should else Outcome.FAILED,
        str(report.feedback or ""),
        reported_success,
        did,
        ever,
        report.seconds,
        cpu_s,
        {str(claim): _all(judge, (claim,)) for claim in motion.noted},
    )


def _all(judge: Judge, claims: tuple[Literal, ...]) -> bool:
    return all(judge.holds(c.fact.predicate, *c.fact.args) == c.positive for c in claims)


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
