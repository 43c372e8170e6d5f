"""One reward program on one world, recorded: a folder with a trace, pictures and a video.

The folder is the run: `trace.jsonl` (core/trace.py), `images/`, and `run.mp4` where PyAV is
installed. The same world, task, seed and program give the same `digest` of the folder.
"""

from __future__ import annotations

import contextlib
import importlib.util
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from regrasp._version import __version__
from regrasp.core.action import Action
from regrasp.core.event import (
    Event,
    Judged,
    Noted,
    RunEnded,
    RunStarted,
    SkillEnded,
    SkillProgress,
    SkillStarted,
)
from regrasp.core.judge import Judge
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, Robot, SkillReport, SkillRun
from regrasp.core.trace import Clock, Entry, TraceError, TraceWriter
from regrasp.models.redact import redact_json
from regrasp.view.video import VideoWriter
from regrasp.worlds import open_world
from regrasp.worlds.interrupt import Interrupt
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.sim_robot import SimRobot

__all__ = ["PROGRESS_S", "VIDEO_FILE", "do", "versions"]

VIDEO_FILE = "run.mp4"
"""The name of the video in a run's folder."""

PROGRESS_S = 0.5
"""Simulated seconds between two words of progress; a new stage is told at once."""

_CAMERA = "front"
_EPSILON = 1e-9  # s: the clock counts in hundredths that no float holds exactly


def versions() -> dict[str, str]:
    """What a run depends on, by name."""
    packages = {name: metadata.version(name) for name in ("mujoco", "numpy")}
    return {"regrasp": __version__, "python": platform.python_version(), **packages}


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
    watch: Callable[[Entry], None] = lambda entry: None,
    wall: Callable[[], float] = time.time,
) -> SkillReport:
    """Follow the reward `program` on a world and record the run in the folder `out`.

    `size` is (width, height) of the pictures, `fps` is per simulated second, `wall` the wall clock.
    `cancel` is asked at every control step and stops the skill by giving a reason. `watch` is shown
    every entry of the trace. A program that cannot be begun raises before anything is written.
    Ctrl-C cancels the skill and raises KeyboardInterrupt once the folder is complete.
    """
    built = open_world(world, task, seed)
    with contextlib.ExitStack() as stack:
        robot = stack.enter_context(
            contextlib.closing(SimRobot(built, renderer=renderer, size=size))
        )
        action = Action("follow_reward", (program,))
        run = robot.start(action)
        clock = Clock(lambda: robot.seconds, wall)
        trace = stack.enter_context(TraceWriter(out, clock, scrub=redact_json))
        recording = _Recording(robot, run, WorldJudge(built), trace, watch, fps)
        interrupt = stack.enter_context(Interrupt())
        try:
            recording.write(
                RunStarted(world, built.task.name, seed, built.task.instruction, method, versions())
            )
            if video:
                recording.film = recording.open_film(stack, size)
            report = recording.follow(
                action, lambda: "interrupted" if interrupt.pressed else cancel()
            )
        except KeyboardInterrupt:
            robot.stop()
            recording.end(Outcome.ABORTED, "interrupted")
            raise
        except Exception as error:
            recording.end(Outcome.BROKEN, f"{type(error).__name__}: {error}")
            raise
    if interrupt.pressed:
        raise KeyboardInterrupt
    return report


@dataclass
class _Recording:
    """A skill that runs, and everything that is told of it."""

    robot: Robot
    run: SkillRun
    judge: Judge
    trace: TraceWriter
    watch: Callable[[Entry], None]
    fps: float
    film: VideoWriter | None = None

    def write(self, event: Event) -> None:
        self.watch(self.trace.write(event))

    def open_film(self, stack: contextlib.ExitStack, size: tuple[int, int]) -> VideoWriter | None:
        if importlib.util.find_spec("av") is None:
            self.write(Noted("no video: PyAV is not installed; pip install 'regrasp[video]'"))
            return None
        return stack.enter_context(VideoWriter(self.trace.folder / VIDEO_FILE, self.fps, *size))

    def follow(self, action: Action, cancel: Callable[[], str]) -> SkillReport:
        """Step the skill to its end; look before and after."""
        self._shoot(self._look(), "start")
        self.write(SkillStarted(action))
        stage, told = "", self.robot.seconds
        while True:
            if why := cancel():
                self.run.cancel(why)
            if not self.run.step():
                break
            now, seconds = self.run.progress, self.robot.seconds
            if now.stage != stage or seconds >= told + PROGRESS_S - _EPSILON:
                stage, told = now.stage, seconds
                self.write(SkillProgress(now.stage, now.error))
            if self.film and seconds >= self.film.frames / self.fps - _EPSILON:
                self._shoot(self.robot.look(_CAMERA), now.stage)
        report = self.run.report
        if report is None:
            raise RuntimeError("the skill has ended and gives no report")
        self.write(SkillEnded(report))
        last = self._look()
        for _ in range(round(self.fps)):  # a second to see how it ended
            self._shoot(last, str(report.outcome))
        self.write(Judged(self.judge.done(), self.judge.truths()))
        self.write(RunEnded(report.outcome, report.feedback.error if report.feedback else ""))
        return report

    def end(self, outcome: Outcome, reason: str) -> None:
        """Close a run that an exception has ended; a trace that takes nothing more is left so."""
        with contextlib.suppress(TraceError):
            self.write(RunEnded(outcome, reason))

    def _look(self) -> CameraImage:
        image = self.robot.look(_CAMERA)
        self.watch(self.trace.write_look(image))
        return image

    def _shoot(self, image: CameraImage, stage: str) -> None:
        if self.film:
            self.film.add(image.rgb, f"{self.robot.seconds:.1f} s: {stage}")
