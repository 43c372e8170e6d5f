"""The page of a run: whole without a network, and nothing in it but what was escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from regrasp.core import Action, Evidence, FailureCode, Feedback, FeedbackKind, Outcome
from regrasp.core.event import (
    Event,
    Judged,
    Looked,
    Noted,
    RunEnded,
    RunStarted,
    SkillEnded,
    SkillStarted,
)
from regrasp.core.robot import CameraImage, SkillReport
from regrasp.core.trace import IMAGE_FOLDER, Clock, TraceWriter
from regrasp.view.page import plain_words, write_page

EVIL = '<script>alert("x")</script>\'"&<img src=http://evil/>'
DOOR = Action("follow_reward", ('set_joint_fraction_reward("door", 1.0)',))
WHY = Feedback(
    FeedbackKind.PHYSICAL,
    FailureCode.RESISTED,
    "Could not open it.",
    "It did not follow.",
    evidence=(Evidence("peak_force", 42.0, "N"),),
)
FAILED = SkillReport(DOOR, Outcome.FAILED, 3.0, WHY)


def page(folder: Path, *events: Event, looks: int = 0, title: str = "") -> str:
    walls = iter(range(1000, 2000))
    with TraceWriter(folder, Clock(lambda: 0.5, lambda: next(walls))) as trace:
        for level in range(looks):
            rgb = np.full((4, 6, 3), level, np.uint8)
            depth = np.ones((4, 6), np.float32)
            trace.write_look(CameraImage("front", rgb, depth, 45.0, np.zeros(3), np.eye(3)))
        for event in events:
            trace.write(event)
    return write_page(folder, title).read_text(encoding="utf-8")


class Links(HTMLParser):
    """Collects tags and everything that a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]


def parsed(text: str) -> Links:
    links = Links()
    links.feed(text)
    return links


def test_it_says_what_was_asked_and_how_it_ended(tmp_path: Path) -> None:
    started = RunStarted("cabinet", "closed", 7, "open it", "do", {"regrasp": "0.1.0"})
    events = (started, SkillStarted(DOOR), SkillEnded(FAILED), Judged(False, ("closed(door)",)))
    text = page(tmp_path, *events, RunEnded(Outcome.FAILED, "why"))
    for said in (
        "World cabinet, task closed, seed 7",
        "open it",
        "regrasp 0.1.0",
        "The motion failed",
    ):
        assert said in text
    assert "set_joint_fraction_reward(&quot;door&quot;, 1.0)" in text
    assert "It did not follow." in text and "peak_force = 42 N" in text
    assert "not done" in text and "closed(door)" in text


def test_every_event_has_a_row_with_both_clocks(tmp_path: Path) -> None:
    rows = re.findall(r"<tr><td.*?</tr>", page(tmp_path, Noted("one"), Noted("two")))
    assert len(rows) == 2
    assert "0.50" in rows[1] and "noted: two" in rows[1]
    assert re.search(r">1\.00<", rows[1])  # a second of the wall after the first


def test_the_first_and_the_last_picture_are_inside(tmp_path: Path) -> None:
    found = parsed(page(tmp_path, looks=3))
    assert found.tags.count("img") == 2
    assert all(link.startswith("data:image/png;base64,") for link in found.fetched)


def test_the_video_is_the_file_beside_it(tmp_path: Path) -> None:
    assert parsed(page(tmp_path / "without", Noted("x"))).fetched == []
    (tmp_path / "with").mkdir()
    (tmp_path / "with" / "run.mp4").write_bytes(b"film")
    assert parsed(page(tmp_path / "with", Noted("x"))).fetched == ["run.mp4", "run.mp4"]


def test_whatever_a_trace_says_is_text(tmp_path: Path) -> None:
    action = Action(EVIL, (EVIL,))
    feedback = Feedback(FeedbackKind.PHYSICAL, FailureCode.RESISTED, EVIL, EVIL, EVIL)
    text = page(
        tmp_path,
        RunStarted(EVIL, EVIL, 0, EVIL, EVIL, {EVIL: EVIL}),
        SkillStarted(action),
        SkillEnded(SkillReport(action, Outcome.FAILED, 1.0, feedback)),
        Looked(EVIL, EVIL, 1, 1),
        Looked("front", "../../../etc/passwd", 1, 1),
        Judged(True, (EVIL,)),
        RunEnded(Outcome.FAILED, EVIL),
        title=EVIL,
    )
    found = parsed(text)
    assert found.fetched == []
    assert not {"script", "img"} & set(found.tags)


def test_a_missing_picture_and_a_killed_run_are_said(tmp_path: Path) -> None:
    page(tmp_path, looks=1)
    for path in (tmp_path / IMAGE_FOLDER).iterdir():
        path.unlink()
    text = write_page(tmp_path).read_text()
    assert "the picture is missing" in text
    assert "killed before it ended" in text


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_plain_words(outcome: Outcome) -> None:
    assert plain_words(SkillReport(DOOR, outcome, 1.0))[0].startswith("The motion ")
