"""One reward program in one world, recorded: a folder with a trace, pictures and a video.

The folder is the run: `trace.jsonl` (core/trace.py), `images/`, and the files of a film
(recording.py). The same world, task, seed and program give the same `digest` of the folder.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from regrasp.control.rewards import parse_rewards
from regrasp.core.action import Action
from regrasp.core.event import Judged, RunEnded, RunStarted
from regrasp.core.execution import run_to_end
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Clock, TraceEntry
from regrasp.core.users_code import describe_error
from regrasp.episodes.recorded_robot import RecordedRobot
from regrasp.episodes.recording import Interrupt, WatchedTrace, end, open_film, versions
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot

__all__ = ["do"]


def do(
    world: str,
    task: str | None,
    seed: int,
    program: str,
    out: Path | str,
    *,
    video: bool = True,
    fps: float = 12.0,
    size: tuple[int, int] = (320, 240),
    renderer: str = "raycast",
    method: str = "do",
    cancel: Callable[[], str] = lambda: "",
    watch: Callable[[TraceEntry], None] = lambda entry: None,
    wall: Callable[[], float] = time.time,
) -> SkillReport:
    """Follow the reward `program` in a world and record the run in the folder `out`.

    `size` is (width, height) of the pictures, `fps` is per simulated second, `wall` the wall clock.
    `cancel` is called at every control step and stops the skill by returning a reason. `watch` gets
    every entry of the trace. A program that cannot start raises before anything is written. Ctrl-C
    cancels the skill and raises KeyboardInterrupt once the folder is complete.
    """
    built = open_world(world, task, seed)
    judge = WorldJudge(built)
    with contextlib.ExitStack() as stack:
        inner = stack.enter_context(
            contextlib.closing(SimRobot(built, renderer=renderer, size=size))
        )
        parse_rewards(program, objects=inner.objects(), joints=inner.movable_joints())
        trace = stack.enter_context(WatchedTrace(out, Clock(lambda: inner.seconds, wall), watch))
        interrupt = stack.enter_context(Interrupt())
        trace.write(
            RunStarted(world, built.task.name, seed, built.task.instruction, method, versions())
        )
        film = stack.enter_context(open_film(trace, built, inner, fps, size)) if video else None
        robot = RecordedRobot(inner, trace, film=film)
        try:
            report = _follow(robot, program, lambda: "interrupted" * interrupt.pressed or cancel())
            trace.write(Judged(judge.done(), judge.truths()))
            trace.write(RunEnded(report.outcome, report.feedback.error if report.feedback else ""))
        except KeyboardInterrupt:
            end(robot, trace, Outcome.ABORTED, "interrupted")
            raise
        except (Exception, SystemExit) as error:
            end(robot, trace, Outcome.BROKEN, describe_error(error))
            raise
    if interrupt.pressed:
        raise KeyboardInterrupt
    return report


def _follow(robot: RecordedRobot, program: str, cancel: Callable[[], str]) -> SkillReport:
    """Step the skill to its end; take a picture before and after."""
    camera = robot.cameras()[0]
    robot.look(camera)
    robot.shoot("start")
    run = robot.start(Action("follow_reward", (program,)))
    while True:
        if why := cancel():
            run.cancel(why)
        if not run.step():
            break
    report = run_to_end(run)
    robot.look(camera)
    robot.shoot(str(report.outcome), still_s=1.0)
    return report
