"""The trace of a run: a kill loses one line at most, and a broken file is explained."""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.codec import CodecError, JsonValue
from regrasp.core.event import (
    Event,
    FeedbackGiven,
    ImageTaken,
    Remark,
    RunEnded,
    SkillEnded,
    StepStarted,
)
from regrasp.core.feedback import Feedback, FeedbackLevel
from regrasp.core.image_store import load_image
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, SkillReport
from regrasp.core.trace import (
    IMAGE_FOLDER,
    SCHEMA,
    TRACE_FILE,
    Clock,
    TraceError,
    TraceWriter,
    digest,
    read_trace,
)

EVENTS: tuple[Event, ...] = (
    Remark("hé\n\u2028"),
    Remark(""),
    RunEnded(Outcome.FAILED, "why"),
)


def ticking(wall: float = 1000.0) -> Clock:
    """A clock whose simulated half gives 0, 0.5, 1, … and whose wall half starts at `wall`."""
    sim, walls = itertools.count(0.0, 0.5), itertools.count(wall, 0.1)
    return Clock(lambda: next(sim), lambda: next(walls))


def written(folder: Path, events: tuple[Event, ...] = EVENTS, wall: float = 1000.0) -> Path:
    with TraceWriter(folder, ticking(wall)) as trace:
        for event in events:
            trace.write(event)
    return folder / TRACE_FILE


def picture(camera: str = "front", level: int = 7) -> CameraImage:
    rgb = np.full((4, 6, 3), level, np.uint8)
    return CameraImage(camera, rgb, np.ones((4, 6), np.float32), 45.0, np.zeros(3), np.eye(3))


class TestWriting:
    def test_events_come_back_in_order_with_both_clocks(self, tmp_path: Path) -> None:
        written(tmp_path)
        trace = read_trace(tmp_path)
        assert trace.events == EVENTS
        assert [entry.stamp.index for entry in trace.entries] == [0, 1, 2]
        assert [entry.stamp.sim_s for entry in trace.entries] == [0.0, 0.5, 1.0]
        assert trace.entries[0].stamp.wall_s > 1000.0
        assert not trace.truncated

    def test_the_first_line_is_a_header_and_every_line_is_json(self, tmp_path: Path) -> None:
        lines = [json.loads(line) for line in written(tmp_path).read_bytes().splitlines()]
        assert lines[0]["schema"] == SCHEMA
        assert [set(line) for line in lines[1:]] == [{"index", "sim_s", "wall_s", "event"}] * 3

    def test_an_event_is_on_disk_when_write_returns(self, tmp_path: Path) -> None:
        with TraceWriter(tmp_path, ticking()) as trace:
            for count, event in enumerate(EVENTS, start=1):
                entry = trace.write(event)
                assert read_trace(tmp_path).entries[-1] == entry
                assert len(read_trace(tmp_path).entries) == count

    def test_closing_twice_is_fine_and_writing_afterwards_is_refused(self, tmp_path: Path) -> None:
        trace = TraceWriter(tmp_path, ticking())
        trace.close()
        trace.close()
        with pytest.raises(TraceError, match="closed"):
            trace.write(Remark("late"))

    def test_an_existing_trace_is_not_overwritten(self, tmp_path: Path) -> None:
        before = written(tmp_path).read_bytes()
        with pytest.raises(TraceError, match=r"already exists.*append=True"):
            TraceWriter(tmp_path, ticking())
        assert (tmp_path / TRACE_FILE).read_bytes() == before

    def test_appending_goes_on_where_the_trace_ended(self, tmp_path: Path) -> None:
        written(tmp_path)
        with TraceWriter(tmp_path, ticking(), append=True) as trace:
            assert trace.write(Remark("more")).stamp.index == 3
        assert read_trace(tmp_path).events == (*EVENTS, Remark("more"))

    def test_appending_to_a_torn_trace_drops_the_torn_line(self, tmp_path: Path) -> None:
        path = written(tmp_path)
        path.write_bytes(path.read_bytes()[:-5])
        with TraceWriter(tmp_path, ticking(), append=True) as trace:
            trace.write(Remark("again"))
        assert read_trace(tmp_path).events == (*EVENTS[:2], Remark("again"))
        assert not read_trace(tmp_path).truncated

    def test_appending_to_nothing_starts_a_trace(self, tmp_path: Path) -> None:
        with TraceWriter(tmp_path / "new", ticking(), append=True) as trace:
            trace.write(Remark("first"))
        assert read_trace(tmp_path / "new").events == (Remark("first"),)

    def test_a_time_that_is_not_finite_is_refused_and_leaves_no_line(self, tmp_path: Path) -> None:
        clock = Clock(lambda: float("nan"), lambda: 0.0)
        refused = pytest.raises(CodecError, match=r"Stamp\.sim_s")
        with TraceWriter(tmp_path, clock) as trace, refused:
            trace.write(Remark("when?"))
        assert read_trace(tmp_path).events == ()

    def test_a_folder_that_is_a_file_is_explained(self, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("")
        with pytest.raises(TraceError, match=r"cannot write .*Choose another folder"):
            TraceWriter(tmp_path / "taken", ticking())


class TestFullDisk:
    def test_a_full_disk_is_explained_and_leaves_whole_lines(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = os.write

        def half_a_line(fd: int, data: memoryview) -> int:
            if len(data) < 30:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(fd, data[: len(data) // 2])

        with TraceWriter(tmp_path, ticking()) as trace:
            trace.write(Remark("before"))
            with monkeypatch.context() as full:
                full.setattr(os, "write", half_a_line)
                with pytest.raises(TraceError, match=r"disk is full.*Free some space"):
                    trace.write(Remark("lost"))
            trace.write(Remark("after"))
        assert read_trace(tmp_path).events == (Remark("before"), Remark("after"))
        assert not read_trace(tmp_path).truncated

    def test_a_disk_that_is_full_from_the_start_leaves_nothing_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(fd: int, data: memoryview) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as full:
            full.setattr(os, "write", refuse)
            with pytest.raises(TraceError, match="disk is full"):
                TraceWriter(tmp_path, ticking())
        written(tmp_path)


class TestImages:
    def test_a_look_stores_the_picture_and_names_it(self, tmp_path: Path) -> None:
        with TraceWriter(tmp_path, ticking()) as trace:
            trace.write_image(picture())
        (event,) = read_trace(tmp_path).events
        assert isinstance(event, ImageTaken)
        assert (event.camera, event.width, event.height) == ("front", 6, 4)
        assert np.array_equal(load_image(tmp_path / IMAGE_FOLDER, event.image), picture().rgb)

    def test_the_same_picture_is_stored_once(self, tmp_path: Path) -> None:
        with TraceWriter(tmp_path, ticking()) as trace:
            for level in (7, 7, 8, 7):
                trace.write_image(picture(level=level))
        assert len(read_trace(tmp_path).events) == 4
        assert len(list((tmp_path / IMAGE_FOLDER).iterdir())) == 2

    def test_a_run_without_pictures_has_no_image_folder(self, tmp_path: Path) -> None:
        written(tmp_path)
        assert not (tmp_path / IMAGE_FOLDER).exists()


class TestDigest:
    def test_is_the_same_at_another_time_of_day(self, tmp_path: Path) -> None:
        written(tmp_path / "a", wall=1000.0)
        written(tmp_path / "b", wall=99999.0)
        assert digest(tmp_path / "a") == digest(tmp_path / "b")

    def test_depends_on_events_and_on_simulated_time(self, tmp_path: Path) -> None:
        written(tmp_path / "a")
        written(tmp_path / "b", (*EVENTS, Remark("one more")))
        with TraceWriter(tmp_path / "c", Clock(lambda: 3.0, lambda: 0.0)) as trace:
            for event in EVENTS:
                trace.write(event)
        assert len({digest(tmp_path / name) for name in "abc"}) == 3


class TestReading:
    def test_a_trace_cut_anywhere_gives_every_whole_line(self, tmp_path: Path) -> None:
        path = written(tmp_path)
        data = path.read_bytes()
        header = data.index(b"\n") + 1
        for cut in range(header, len(data) + 1):
            path.write_bytes(data[:cut])
            trace = read_trace(tmp_path)
            assert trace.events == EVENTS[: data[:cut].count(b"\n") - 1]
            assert trace.truncated == (not data[:cut].endswith(b"\n"))

    def test_a_cut_header_or_an_empty_file_is_explained(self, tmp_path: Path) -> None:
        path = written(tmp_path)
        for data in (b"", b"\n", path.read_bytes()[:20]):
            path.write_bytes(data)
            with pytest.raises(TraceError, match=r"no whole line.*run again"):
                read_trace(tmp_path)

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            (b"\x00\x00\x00", "not JSON"),
            (b"", "not JSON"),
            (b"\xff\xfe", "not JSON"),
            (b"[" * 100_000, "not JSON"),
            (b"[1]", "expected an object, got list"),
            (b'{"index":1,"sim_s":0.5,"wall_s":0.0}', "Event: expected an object"),
            (b'{"index":1,"wall_s":0,"event":{"kind":"noted","text":""}}', "Stamp.sim_s: missing"),
            (
                b'{"index":7,"sim_s":0,"wall_s":0,"event":{"kind":"noted","text":""}}',
                "Stamp.index: expected 1, got 7",
            ),
            (
                b'{"index":1,"sim_s":1e999,"wall_s":0,"event":{"kind":"noted","text":""}}',
                "the number 1e999 is not finite",
            ),
            (
                b'{"index":1,"sim_s":0,"wall_s":0,"event":{"kind":"note","text":""}}',
                "unknown event kind 'note'. Did you mean 'noted'? Valid: asked, asked_back",
            ),
        ],
    )
    def test_a_corrupt_line_is_named_with_what_to_do(
        self, tmp_path: Path, line: bytes, says: str
    ) -> None:
        path = written(tmp_path)
        lines = path.read_bytes().split(b"\n")
        path.write_bytes(b"\n".join([*lines[:2], line, *lines[3:]]))
        with pytest.raises(TraceError) as caught:
            read_trace(tmp_path)
        assert f"{path}, line 3 is corrupt: " in str(caught.value)
        assert says in str(caught.value)
        assert "head -n 2" in str(caught.value)

    def test_a_newer_schema_says_to_upgrade(self, tmp_path: Path) -> None:
        header = {"trace": "regrasp", "schema": SCHEMA + 1, "regrasp": "9.9", "new": True}
        (tmp_path / TRACE_FILE).write_text(json.dumps(header) + '\n{"anything": 1}\n')
        with pytest.raises(
            TraceError, match=rf"schema {SCHEMA + 1}, written by Regrasp 9\.9.*Upgrade"
        ):
            read_trace(tmp_path)

    def test_a_trace_of_schema_1_is_upgraded_as_it_is_read(self, tmp_path: Path) -> None:
        feedback: JsonValue = {
            "kind": "physical",
            "code": "resisted",
            "error": "It did not follow.",
            "reason": "",
            "suggestion": "",
            "evidence": [],
        }
        report: JsonValue = {
            "action": {"name": "open", "args": ["door"]},
            "outcome": "failed",
            "seconds": 2.5,
            "feedback": feedback,
        }
        old: list[JsonValue] = [
            {"kind": "step_started", "step": "Look inside", "by": "eyes"},
            {"kind": "skill_ended", "report": report},
            {"kind": "reasoned", "failed": "Open", "causes": ["a kettle"], "robot": "stuck"},
        ]
        header: JsonValue = {"trace": "regrasp", "schema": 1, "regrasp": "0.1.0"}
        lines = [
            header,
            *({"index": i, "sim_s": 0.5, "wall_s": 0, "event": e} for i, e in enumerate(old)),
        ]
        path = tmp_path / TRACE_FILE
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        before = path.read_bytes()
        step, ended, given = read_trace(tmp_path).events
        assert step == StepStarted("Look inside", "camera")
        assert isinstance(ended, SkillEnded) and ended.report.feedback is not None
        assert ended.report.feedback.level is FeedbackLevel.PHYSICAL
        assert given == FeedbackGiven("Open", Feedback.misalignment("stuck", ("a kettle",)))
        assert path.read_bytes() == before

    @pytest.mark.parametrize("first", ['{"a": 1}', '{"trace":"regrasp","schema":"1"}'])
    def test_another_kind_of_file_is_no_trace(self, tmp_path: Path, first: str) -> None:
        (tmp_path / TRACE_FILE).write_text(first + "\n")
        with pytest.raises(TraceError, match="not a Regrasp trace"):
            read_trace(tmp_path)

    def test_a_folder_without_a_trace_is_explained(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match=r"there is no .*Name the folder of a run"):
            read_trace(tmp_path)


WRITE_FOR_EVER = """
import sys
from itertools import count
from regrasp.core.event import Remark
from regrasp.core.trace import Clock, TraceWriter
with TraceWriter(sys.argv[1], Clock(lambda: 0.0, lambda: 0.0)) as trace:
    for number in count():
        trace.write(Remark(f"{number} " + "x" * (number % 5000)))
        print(number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_process_loses_at_most_the_line_it_was_writing(tmp_path: Path) -> None:
    moments = random.Random(0)
    for attempt in range(5):
        folder = tmp_path / str(attempt)
        with subprocess.Popen(
            [sys.executable, "-c", WRITE_FOR_EVER, str(folder)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            confirmed = int(writer.stdout.readline())
            time.sleep(moments.uniform(0.0, 0.05))
            os.kill(writer.pid, signal.SIGKILL)
            confirmed = int(([str(confirmed), *writer.stdout.read().split()])[-1])
        assert writer.returncode == -signal.SIGKILL

        trace = read_trace(folder)  # opens, torn or not
        texts = [event.text for event in trace.events if isinstance(event, Remark)]
        assert texts == [f"{n} " + "x" * (n % 5000) for n in range(len(texts))]
        assert len(texts) > confirmed  # whatever write() returned from is there


class TestKeys:
    def test_a_key_is_neither_written_nor_returned(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MY_TOKEN", "xyzzy-12345")
        with TraceWriter(tmp_path, ticking()) as trace:
            entry = trace.write(Remark("the key xyzzy-12345"))
        assert entry.event == Remark("the key [redacted MY_TOKEN]")
        assert read_trace(tmp_path).entries == (entry,)

    def test_a_word_of_the_format_cannot_be_a_key(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MY_TOKEN", "skill_ended")
        trace = TraceWriter(tmp_path, ticking())
        report = SkillReport(Action("open", ("door",)), Outcome.SUCCEEDED, 1.0)
        with trace, pytest.raises(TraceError, match="ordinary word"):
            trace.write(SkillEnded(report))
        assert read_trace(tmp_path).entries == ()
