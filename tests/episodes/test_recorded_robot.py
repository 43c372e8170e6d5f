"""A recorded robot is a robot like any other, and everything it did can be read."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from regrasp.core.action import Action
from regrasp.core.conformance import check_robot
from regrasp.core.event import ImageTaken, SkillEnded, SkillProgress, SkillStarted
from regrasp.core.trace import Clock, TraceWriter, read_trace
from regrasp.episodes.recorded_robot import RecordedRobot
from regrasp.worlds.examples import cabinet_robot


def test_it_keeps_every_promise_of_the_seam(tmp_path: Path) -> None:
    with closing(cabinet_robot()) as inner, TraceWriter(tmp_path, Clock(lambda: 0.0)) as trace:
        checks = check_robot(lambda: RecordedRobot(inner, trace))
    assert [str(check) for check in checks if not check.passed] == []
    events = read_trace(tmp_path).events
    started = [e for e in events if isinstance(e, SkillStarted)]
    assert len(started) == len([e for e in events if isinstance(e, SkillEnded)]) > 1


def test_what_it_saw_and_did_is_in_the_trace(tmp_path: Path) -> None:
    with (
        closing(cabinet_robot()) as inner,
        TraceWriter(tmp_path, Clock(lambda: inner.seconds)) as trace,
    ):
        robot = RecordedRobot(inner, trace)
        robot.look("side")
        run = robot.start(Action("rest"))
        run.step()
        robot.stop()
        robot.stop()
    kinds = [type(event) for event in read_trace(tmp_path).events]
    assert kinds == [ImageTaken, SkillStarted, SkillProgress, SkillEnded]
