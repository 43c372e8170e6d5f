"""A run that was filmed, made by hand: a trace and states, without a controller or a camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from regrasp.bench.manifest import EpisodeSelection, configuration, new_manifest
from regrasp.bench.record import EpisodeJob, EpisodeKey, EpisodeRecord
from regrasp.bench.store import Results
from regrasp.bench.suite_registry import open_suite
from regrasp.core.action import Action
from regrasp.core.event import Event, RunEnded, RunStarted, SkillEnded, SkillStarted, StepStarted
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Clock, TraceWriter
from regrasp.episodes.state_log import StateLog
from regrasp.worlds.registry import open_world

FPS = 12
PULLED = Feedback(FeedbackLevel.PHYSICAL, FailureCode.RESISTED, "It did not follow.")
SECONDS = 1.5
"""A step without success from 0.25 s, one with from 0.75 s, to the end."""

OPEN, PUT = Action("follow_reward", ("open",)), Action("follow_reward", ("put",))
STORY: tuple[tuple[float, Event], ...] = (
    (0.0, RunStarted("cubes", "match", 0, "put the cube on the crate", "full", {})),
    (0.25, StepStarted("open the door", "arm")),
    (0.25, SkillStarted(OPEN)),
    (0.75, SkillEnded(SkillReport(OPEN, Outcome.FAILED, 0.5, PULLED))),
    (0.75, StepStarted("put the cube", "arm")),
    (0.75, SkillStarted(PUT)),
    (1.25, SkillEnded(SkillReport(PUT, Outcome.SUCCEEDED, 0.5))),
    (SECONDS, RunEnded(Outcome.SUCCEEDED, "done")),
)


def film(folder: Path, seed: int) -> None:
    """Let the arm sink a little for `SECONDS`, and write down what STORY says of it."""
    world = open_world("cubes", "match", seed)
    folder.mkdir(parents=True)
    command = world.data.ctrl.copy()
    with (
        StateLog(folder, world) as states,
        TraceWriter(folder, Clock(lambda: world.seconds)) as trace,
    ):
        told, shot = 0, 0
        while True:
            while told < len(STORY) and world.seconds >= STORY[told][0] - 1e-9:
                trace.write(STORY[told][1])
                told += 1
            if world.seconds * FPS >= shot - 1e-6:
                states.add()
                shot += 1
            if told == len(STORY):
                return
            command[2] -= 0.002
            world.advance(command)


def filmed_run(root: Path, outcomes: tuple[Outcome, ...]) -> Results:
    """A run of the suite `replan` with one filmed episode for each outcome."""
    suite = open_suite("replan")
    like = EpisodeJob("replan", EpisodeKey("replan", "", "", "scripted", "oracle", 0), video=True)
    records = []
    for seed, outcome in enumerate(outcomes):
        where = f"episodes/cubes-match/full/{seed}"
        film(root / where, seed)
        key = replace(like.key, task="cubes-match", method="full", seed=seed)
        done = outcome is Outcome.SUCCEEDED
        records.append(
            EpisodeRecord(
                key, outcome, True, done, "done", SECONDS, 3.0, 2.0, 9, 800, 2, 0, 1,
                ("resisted",), (), where,
            )
        )  # fmt: skip
    asked = EpisodeSelection(("cubes-match",), ("full",), tuple(range(len(outcomes))))
    manifest = new_manifest(configuration(suite, like), like, asked, 1.7e9)
    return Results(root, manifest, tuple(records))


def joints_of(seed: int, seconds: float) -> np.ndarray:
    """Where the arm's joints are `seconds` into the film, by doing it again."""
    world = open_world("cubes", "match", seed)
    command = world.data.ctrl.copy()
    while world.seconds < seconds - 1e-9:
        command[2] -= 0.002
        world.advance(command)
    return np.array([world.data.joint(f"joint{i}").qpos[0] for i in range(1, 8)])
