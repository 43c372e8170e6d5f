"""A robot whose pictures and motions are recorded while an agent uses it.

It is a `Robot` around a `Robot`: the agent cannot detect it, and no method has to handle traces.
"""

from __future__ import annotations

from collections.abc import Callable

from regrasp.core.action import Action, SkillSpec
from regrasp.core.event import SkillEnded, SkillProgress, SkillStarted
from regrasp.core.object_description import ObjectDescription
from regrasp.core.robot import (
    CLOCK_TOLERANCE_S,
    CameraImage,
    JointReading,
    Progress,
    Robot,
    SkillReport,
    SkillRun,
)
from regrasp.core.trace import TraceWriter
from regrasp.episodes.recording import Film

__all__ = ["PROGRESS_S", "RecordedRobot"]

PROGRESS_S = 0.5
"""Simulated seconds between two progress events; a new stage is recorded at once."""


class RecordedRobot:
    """`inner`, with its pictures and skills in `trace` and, if there is one, on `film`.

    `stop_asked` is called before every picture and control step: once it returns a reason, the
    running skill is cancelled and KeyboardInterrupt is raised, so that the agent stops.
    """

    def __init__(
        self,
        inner: Robot,
        trace: TraceWriter,
        *,
        film: Film | None = None,
        stop_asked: Callable[[], str] = lambda: "",
    ) -> None:
        self._inner, self._trace = inner, trace
        self._film, self._stop_asked = film, stop_asked
        self._run: _RecordedRun | None = None

    @property
    def name(self) -> str:
        """The inner robot's."""
        return self._inner.name

    @property
    def seconds(self) -> float:
        """The inner robot's."""
        return self._inner.seconds

    def cameras(self) -> tuple[str, ...]:
        """The inner robot's."""
        return self._inner.cameras()

    def look(self, camera: str) -> CameraImage:
        """Take a picture and record it."""
        self._heed()
        image = self._inner.look(camera)
        self._trace.write_image(image)
        return image

    def joints(self) -> JointReading:
        """The inner robot's."""
        return self._inner.joints()

    def objects(self) -> tuple[str, ...]:
        """The inner robot's."""
        return self._inner.objects()

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        """The inner robot's."""
        return self._inner.knowledge()

    def skills(self) -> tuple[SkillSpec, ...]:
        """The inner robot's."""
        return self._inner.skills()

    def start(self, action: Action) -> SkillRun:
        """Start a skill and record it."""
        self._heed()
        run = self._inner.start(action)
        self._trace.write(SkillStarted(action))
        self._run = _RecordedRun(self, run, self._trace, self._stop_asked)
        return self._run

    def stop(self) -> None:
        """Stop the inner robot; a skill that this ends is recorded as ended."""
        self._inner.stop()
        if self._run is not None:
            self._run.note_end()

    def shoot(self, stage: str, still_s: float = 0.0) -> None:
        """Film the present, if there is a film; see `Film.shoot`."""
        if self._film is not None:
            self._film.shoot(stage, still_s)

    def _heed(self) -> None:
        if self._stop_asked():
            self.stop()
            raise KeyboardInterrupt


class _RecordedRun:
    """A skill of a recorded robot."""

    def __init__(
        self,
        robot: RecordedRobot,
        inner: SkillRun,
        trace: TraceWriter,
        stop_asked: Callable[[], str],
    ) -> None:
        self._robot, self._inner = robot, inner
        self._trace, self._stop_asked = trace, stop_asked
        self._stage, self._noted_s, self._ended = "", robot.seconds, False

    @property
    def report(self) -> SkillReport | None:
        """The inner skill's."""
        return self._inner.report

    @property
    def progress(self) -> Progress:
        """The inner skill's."""
        return self._inner.progress

    def cancel(self, why: str) -> None:
        """The inner skill's."""
        self._inner.cancel(why)

    def step(self) -> bool:
        """Advance one step, and record new progress."""
        stop = self._stop_asked()
        if stop:
            self._inner.cancel(stop)
        more = self._inner.step()
        self.note_end()
        if stop:
            raise KeyboardInterrupt
        if more:
            self._note(self._inner.progress)
        return more

    def note_end(self) -> None:
        """Record the report, once, if there is one."""
        if not self._ended and self._inner.report is not None:
            self._ended = True
            self._trace.write(SkillEnded(self._inner.report))

    def _note(self, now: Progress) -> None:
        seconds = self._robot.seconds
        if now.stage != self._stage or seconds >= self._noted_s + PROGRESS_S - CLOCK_TOLERANCE_S:
            self._stage, self._noted_s = now.stage, seconds
            self._trace.write(SkillProgress(now.stage, now.error))
        self._robot.shoot(now.stage)
