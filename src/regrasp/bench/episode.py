"""One episode of the motions suite: a world, a reward program, a report and a verdict."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from regrasp.bench.motions import ExpectedFact, MotionTask, motion_task
from regrasp.core.errors import UnknownNameError
from regrasp.core.judge import Judge
from regrasp.core.outcome import Outcome

__all__ = ["SAMPLERS", "Episode", "MotionResult", "broken", "run_motion"]

SAMPLERS = ("ps", "mppi")
"""The methods of the motions suite: predictive sampling and MPPI."""

_LOOK_EVERY = 5  # control steps between two checks by the judge
_SETTLE_STEPS = 50  # control steps (0.5 s) of holding still before the judge's verdict


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode; these four values determine it."""

    suite: str
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
    ever, steps, begun = False, 0, time.process_time()
    try:
        skill = robot.start(Action("follow_reward", (motion.program,)))
        while skill.step():
            steps += 1
            if steps % _LOOK_EVERY == 0:
                ever = ever or _all(judge, motion.goal)
    finally:
        robot.close()
    cpu_s = time.process_time() - begun
    hold = np.array(world.data.ctrl)
    for _ in range(_SETTLE_STEPS):
        world.advance(hold)
    report = skill.report
    if report is None:
        raise AssertionError("the skill stopped and has no report")
    did, reported_success = _all(judge, motion.goal), report.outcome is Outcome.SUCCEEDED
    ever = ever or did
    return MotionResult(
        episode,
        _outcome(motion, reported_success, did, ever),
        str(report.feedback or ""),
        reported_success,
        did,
        ever,
        report.seconds,
        cpu_s,
        {str(claim): _all(judge, (claim,)) for claim in motion.noted},
    )


def _outcome(motion: MotionTask, reported_success: bool, did: bool, ever: bool) -> Outcome:
    as_it_should = did if motion.possible else not (ever or reported_success)
    return Outcome.SUCCEEDED if as_it_should else Outcome.FAILED


def _all(judge: Judge, claims: tuple[ExpectedFact, ...]) -> bool:
    return all(judge.holds(c.predicate, *c.args) == c.true for c in claims)
