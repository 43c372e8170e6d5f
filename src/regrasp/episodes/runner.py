"""A method on a world, from an instruction to a verdict, recorded in a folder as `run.do` does it.

The agent gets a robot, two models and a place for its events. The judge has the last word, and the
agent never hears it.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regrasp.core.claim import Claim
from regrasp.core.event import Checked, Event, Judged, RunEnded, RunStarted
from regrasp.core.outcome import Outcome
from regrasp.core.trace import Clock, Entry, TraceWriter
from regrasp.episodes.casting import eyes_of, judge_of, robot_of
from regrasp.episodes.checked_vision import CheckedEyes
from regrasp.episodes.interrupt import Interrupt
from regrasp.episodes.oracle_vision import EyeErrors
from regrasp.episodes.recorded_robot import RecordedRobot
from regrasp.episodes.recording import WatchedTrace, end, open_film, versions
from regrasp.models.budget import Budget, Meter, Price, Spent
from regrasp.models.errors import ModelError
from regrasp.models.language import LanguageModel
from regrasp.models.metered import CallRecord, MeteredLanguage, MeteredVision, Observer
from regrasp.models.tracing import tracing
from regrasp.models.vision import VisionModel
from regrasp.worlds.goal_text import GoalFact
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import World

if TYPE_CHECKING:
    from regrasp.methods.method import Method

__all__ = ["MethodRun", "Seeing", "oracle", "run_method"]

Seeing = Callable[[World], VisionModel]
"""Gives the eyes for a world; only an oracle makes anything of the world itself."""


@dataclass(frozen=True, slots=True)
class MethodRun:
    """How a run ended: what the agent claims, what the judge says, and what it cost."""

    claim: Claim
    done: bool
    sim_s: float
    wall_s: float
    spent: Spent


def oracle(errors: EyeErrors | None = None) -> Seeing:
    """Eyes that see through the simulator, wrong as often as `errors` says."""
    return lambda world: eyes_of(world, errors, np.random.default_rng([world.seed, 3]))


def run_method(
    world: str,
    task: str | None,
    seed: int,
    instruction: str | None,
    method: Method,
    out: Path | str,
    *,
    name: str,
    language: LanguageModel,
    seeing: Seeing,
    embody: type[SimRobot] = SimRobot,
    goal: tuple[GoalFact, ...] = (),
    judge_knows: bool = True,
    video: bool = True,
    fps: float = 12.0,
    size: tuple[int, int] = (320, 240),
    renderer: str = "raycast",
    budget: Budget | None = None,
    limit_s: float = math.inf,
    price: Price | None = None,
    cancel: Callable[[], str] = lambda: "",
    watch: Callable[[Entry], None] = lambda entry: None,
    wall: Callable[[], float] = time.time,
) -> MethodRun:
    """Let `method`, called `name` in the trace, work on `instruction` (the task's own if None).

    The judge goes by `goal`, or by the task's own if that is empty; with `judge_knows=False`,
    neither is about `instruction`, and the trace has no verdict. The folder `out` gets the
    trace, the pictures and, with `video`, a film. After `limit_s` of the robot's time the agent has
    given up. Ctrl-C stops the robot, completes the folder and raises KeyboardInterrupt; a model
    that cannot be reached, or whose budget is spent, does the same with its ModelError.
    """
    built = open_world(world, task, seed)
    asked = built.task.instruction if instruction is None else instruction
    began, meter, judge = time.monotonic(), Meter(budget), judge_of(built)
    for fact in goal:
        fact.met(judge)  # a goal that cannot be judged is refused before anything is written
    with contextlib.ExitStack() as stack:

        def emit(event: Event) -> None:
            trace.write(event)

        made = robot_of(built, arm=embody, renderer=renderer, size=size, note=emit)
        inner = stack.enter_context(contextlib.closing(made))
        clock = Clock(lambda: inner.seconds, wall)
        trace = stack.enter_context(WatchedTrace(out, clock, watch))
        interrupt = stack.enter_context(Interrupt())

        checks: list[Checked] = []
        until = limit_s

        def stop_asked() -> str:
            late = "out of time" if inner.seconds >= until else ""
            return "interrupted" if interrupt.pressed else cancel() or late

        observe = _observer(trace, stop_asked)
        charge = price or Price()
        ears = MeteredLanguage(language, meter, price=charge, observe=observe)
        seen = MeteredVision(seeing(built), meter, price=charge, observe=observe)
        eyes = CheckedEyes(seen, built, checks.append)
        parts = {
            **versions(),
            "language model": ears.name,
            "vision model": eyes.name,
            "robot": inner.name,
            "renderer": renderer,
        }
        if goal:
            parts["goal"] = "; ".join(map(str, goal))
        emit(RunStarted(world, built.task.name, seed, asked, name, parts))
        film = stack.enter_context(open_film(trace, built, inner, fps, size)) if video else None
        robot = RecordedRobot(inner, trace, film=film, stop_asked=stop_asked)

        def judged() -> bool:
            for check in checks:
                emit(check)
            done = all(fact.met(judge) for fact in goal) if goal else judge.done()
            if judge_knows:
                emit(Judged(done, judge.truths()))
            return done and judge_knows

        try:
            robot.shoot("start")
            try:
                claim = method(asked, robot, ears, eyes, emit)
                gave_up = Outcome.FAILED
            except KeyboardInterrupt:
                if stop_asked() != "out of time":
                    raise
                claim, gave_up = Claim(False, f"out of time after {limit_s:g} s"), Outcome.TIMED_OUT
            until = math.inf
            robot.look(robot.cameras()[0])
            robot.shoot("done" if claim.done else "given up", still_s=1.0)
            done = judged()
            emit(RunEnded(Outcome.SUCCEEDED if claim.done else gave_up, claim.reason))
        except KeyboardInterrupt:
            end(robot, trace, Outcome.ABORTED, "interrupted")
            raise
        except ModelError as error:
            robot.stop()
            judged()  # so that a run whose budget is spent can be scored
            end(robot, trace, Outcome.ABORTED, f"{type(error).__name__}: {error}")
            raise
        except Exception as error:
            end(robot, trace, Outcome.BROKEN, f"{type(error).__name__}: {error}")
            raise
        return MethodRun(claim, done, inner.seconds, time.monotonic() - began, meter.spent)


def _observer(trace: TraceWriter, stop_asked: Callable[[], str]) -> Observer:
    """Write each call down under the question that it asks; between two calls one can stop."""

    def observe(record: CallRecord) -> None:
        first = record.request.messages[0].content.split("\n", 1)[0]
        purpose = first.removeprefix("Task: ") if first.startswith("Task: ") else "look"
        tracing(trace, purpose)(record)
        if stop_asked():
            raise KeyboardInterrupt

    return observe
