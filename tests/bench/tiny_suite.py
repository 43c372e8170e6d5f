"""A suite whose episodes are over in a blink: for the runner and the store, not for robots.

What an episode does follows from its key. REGRASP_TINY_LOG names a file that gets a line for each
episode that is begun; `trouble` is for what goes wrong.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from regrasp.bench.record import EpisodeJob, Limits
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask
from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import (
    AnswerChecked,
    Judged,
    ModelCalled,
    PlanMade,
    Remark,
    RunEnded,
    RunStarted,
    SkillEnded,
    SkillStarted,
    StepStarted,
)
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Clock, TraceWriter

SLIPPED = Feedback(FeedbackLevel.PHYSICAL, FailureCode.DROPPED, "It slipped.")


def run_job(job: EpisodeJob, task: SuiteTask, method: SuiteMethod, folder: Path) -> None:
    key = job.key
    if log := os.environ.get("REGRASP_TINY_LOG"):
        with Path(log).open("a") as file:
            file.write(f"{key.task} {key.method} {key.seed}\n")
    dice = random.Random(f"{key.task} {key.method} {key.seed}")
    seconds = 0.0
    with TraceWriter(folder, Clock(lambda: seconds)) as trace:
        trace.write(RunStarted(task.world, key.task, key.seed, "try", key.method, {}))
        if method.name == "trouble":
            trouble(key.task)
        for step in range(dice.randint(1, 4)):
            time.sleep(0.01)
            seconds += dice.random()
            trace.write(PlanMade("try", f"thought {step}", ("look", "grasp")))
            trace.write(ModelCalled("tiny", "plan", "0", (), ("ok",), prompt_tokens=3))
            trace.write(StepStarted("look", "camera"))
            trace.write(SkillStarted(Action("grasp")))
            failed = dice.random() < 0.3
            outcome = Outcome.FAILED if failed else Outcome.SUCCEEDED
            report = SkillReport(Action("grasp"), outcome, 0.5, SLIPPED if failed else None)
            trace.write(SkillEnded(report))
        trace.write(Remark("x" * dice.randint(100, 4000)))
        said, truth = (dice.choice(("yes", "no")) for _ in range(2))
        trace.write(AnswerChecked("seen", "Do you see the cup?", said, truth, seconds / 2))
        rescued = job.swap == "planner" and key.seed % 2 == 0
        trace.write(Judged(dice.random() < 0.6 or rescued))
        claimed = dice.random() < 0.7 or rescued
        claim = Claim(claimed, "because", seen=key.seed % 2 == 0)
        outcome = Outcome.SUCCEEDED if claimed else Outcome.FAILED
        trace.write(RunEnded(outcome, claim.reason, str(claim.result)))


def trouble(task: str) -> None:
    if task == "one":
        raise ZeroDivisionError("divided by a cup")
    if task == "two":
        os.kill(os.getpid(), 9)
    hoard = bytearray(300_000_000) if task == "three" else b""
    time.sleep(600 + len(hoard))


def unused(*_: object) -> Claim:
    raise AssertionError("the suite plays its episodes itself")


SUITE = Suite(
    "tiny",
    "nothing at all",
    tuple(SuiteTask(name, "nowhere") for name in ("one", "two", "three", "four")),
    (SuiteMethod("a", unused), SuiteMethod("b", unused), SuiteMethod("trouble", unused)),
    episodes=3,
    limits=Limits(wall_s=float(os.environ.get("REGRASP_TINY_WALL_S", "60"))),
    run_job=run_job,
    vlm="oracle",
)
