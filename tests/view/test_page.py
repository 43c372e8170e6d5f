"""The page of a run: whole without a network, and nothing in it but what was escaped."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from runs import Recorder, asked_back, declined, dropped, kitchen, long

from regrasp.core.action import Action
from regrasp.core.event import ImageTaken, Judged, Remark, RunEnded, RunStarted
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import IMAGE_FOLDER, TRACE_FILE, TraceError, read_trace
from regrasp.view.descriptions import plain_words
from regrasp.view.page import PAGE_FILE, write_page
from regrasp.view.pictures import film

EVIL = "</script><script>window.pwned=1</script>'\"&<img src=x onerror=window.pwned=1>]]>--><!--"


class Parsed(HTMLParser):
    """Collects tags, attributes, text, and everything that a browser would fetch."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.source = page.read_text(encoding="utf-8")
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.fetched: list[str] = []
        self.words = ""
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.words += data


def page(folder: Path) -> Parsed:
    return Parsed(write_page(folder))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Parsed:
    folder = tmp_path_factory.mktemp("run")
    kitchen(folder)
    return page(folder)


def test_it_tells_the_whole_story(whole: Parsed) -> None:
    for said in (
        "find the apple",
        "replan in kitchen, task apple, seed 7",
        "The robot claims that it is done: after all.",
        "The judge, which reads the simulator, agrees.",
        "It may be inside.",
        "Open the microwave",
        "open(door)",
        "The motion failed after 3.0 s. Could not open it. It did not follow.",
        "peak_force = 42 N",
        "What is in the way?",
        "The kettle",
        "kettle is blocking microwave",
        "The kettle is in the way.",
        "because kettle is blocking microwave",
        "not tried",
        "in truth yes",
        "visible(apple)",
        "reply to rewards",
        "regrasp 0.1.0",
    ):
        assert said in whole.words, said


def test_what_it_cost_is_there_by_model(whole: Parsed) -> None:
    table = whole.source.partition("What it cost")[2]
    (row,) = re.findall(r"<tr><td>scripted</td>.*?</tr>", table)
    cells = re.findall(r">([^<]*)</td>", row)
    assert cells == ["scripted", "6", "0", "600", "60", "$0.0600", "3.00 s", "0.50 s"]


def test_every_event_has_a_row_with_both_clocks(tmp_path: Path) -> None:
    record = Recorder(tmp_path)
    record.write(Remark("one"))
    record.seconds = 0.5
    record.write(Remark("two"))
    rows = re.findall(r"<tr><td.*?</tr>", page(tmp_path).source)
    assert len(rows) == 2
    assert re.findall(r">([^<]*)</td>", rows[1]) == ["1", "0.50", "1.00", "noted: two"]


def test_a_picture_is_in_it_once_however_often_it_is_shown(whole: Parsed) -> None:
    data = [link for link in whole.fetched if link.startswith("data:image/png;base64,")]
    assert len(data) == len(set(data)) == 5
    assert whole.tags.count("img") > 2 * len(data)
    assert whole.source.count("data-same=") == whole.tags.count("img") - len(data)


def test_nothing_is_fetched_from_anywhere(whole: Parsed) -> None:
    others = [link for link in whole.fetched if not link.startswith(("data:", "#entry"))]
    assert others == []
    assert "http" not in whole.source.replace("http-equiv", "")


def test_it_allows_no_script_and_no_style_but_its_own(whole: Parsed) -> None:
    for tag in ("script", "style"):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", whole.source, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src &#x27;sha256-{digest}&#x27;" in whole.source
    assert "default-src &#x27;none&#x27;" in whole.source


def test_a_monitors_watch_its_alarm_and_what_disturbed_it_have_rows(tmp_path: Path) -> None:
    dropped(tmp_path)
    found = page(tmp_path)
    for said in (
        "block is held",
        "yes × 1, no × 2",
        "1 wrong",
        "The monitor stops “place(block)”.",
        "block is not held",
        "it falls",
        "The robot does not know this. It was running “place(block)”.",
    ):
        assert said in found.words, said
    rows = found.source.split('<li id="entry')[1:]
    (watch,) = [row for row in rows if 'class="watch"' in row]
    (alarm,) = [row for row in rows if 'class="violation"' in row]
    assert "what the left camera saw" in watch
    assert "<dt>questions to the vision model</dt><dd>3</dd>" in found.source
    assert "what the left camera saw" in alarm


def test_how_the_instruction_was_understood_has_rows(tmp_path: Path) -> None:
    asked_back(tmp_path)
    found = page(tmp_path)
    for words in (
        "Understood",
        "the cube is on the crate",
        "The instruction: “put the cube on the crate”",
        "on(the cube, crate)",
        "keep not moved(bottle)",
        "72% sure",
        "It may also mean",
        "every cube is on the crate",
        "Words left over",
        "gizmo",
        "Asked back",
        "Which cube do you mean?",
        "yellow cube ✓ chosen",
        "Done, not seen, by its own claim",
        "The robot's claim: done, not seen: after 1 action.",
    ):
        assert words in found.words, words
    assert found.source.count("✓ chosen") == 1
    assert "<dt>questions to the person</dt><dd>1</dd>" in found.source
    assert found.source.count("<li>the cube is on the crate</li>") == 0  # no reading of its own


def test_a_question_that_nobody_answers_ends_the_run(tmp_path: Path) -> None:
    asked_back(tmp_path, chosen=False)
    found = page(tmp_path)
    assert "Nobody answered, or none of these was meant." in found.words
    assert "The robot declined: Which cube do you mean?" in found.words
    assert "✓ chosen" not in found.source


def test_an_instruction_that_is_declined_has_its_reason_and_no_confidence(tmp_path: Path) -> None:
    declined(tmp_path)
    found = page(tmp_path)
    assert "The robot declined: I know of no banana here." in found.words
    assert 'class="confidence"' not in found.source and "% sure" not in found.words


def test_whatever_a_trace_says_is_text(tmp_path: Path) -> None:
    folder = tmp_path / "a run <b>&"
    kitchen(folder, EVIL)
    record = Recorder(folder / "other")
    record.write(RunStarted(EVIL, EVIL, 0, EVIL, EVIL, {EVIL: EVIL}))
    record.write(ImageTaken(EVIL, EVIL, 1, 1), ImageTaken("front", "../../../etc/passwd", 1, 1))
    record.write(Remark(EVIL), Judged(True, (EVIL,)), RunEnded(Outcome.ABORTED, EVIL))
    dropped(folder / "watched", EVIL)
    asked_back(folder / "asked", EVIL)
    declined(folder / "declined", EVIL)
    others = ("other", "watched", "asked", "declined")
    for found in (page(folder), *(page(folder / name) for name in others)):
        assert found.tags.count("script") == 1
        assert found.handlers == []
        assert all(link.startswith(("data:image/png", "#entry")) for link in found.fetched)
        assert EVIL in found.words


class TestTheFilm:
    def test_it_is_in_the_page(self, tmp_path: Path) -> None:
        kitchen(tmp_path)
        assert "video" not in page(tmp_path).tags
        (tmp_path / "run.mp4").write_bytes(b"film")
        found = page(tmp_path)
        assert "data:video/mp4;base64," + base64.b64encode(b"film").decode() in found.fetched

    def test_one_that_is_too_large_is_linked_to_from_wherever_the_page_is(
        self, tmp_path: Path
    ) -> None:
        folder = tmp_path / "a run"
        folder.mkdir()
        (folder / "run.mp4").write_bytes(b"film")
        shown, said = film(folder, tmp_path / "pages", largest=3)
        assert 'src="../a%20run/run.mp4"' in (shown or "")
        assert "../a%20run/run.mp4" in said

    def test_one_that_was_never_finished_is_said_to_be_so(self, tmp_path: Path) -> None:
        kitchen(tmp_path)
        assert "This run has no film." in page(tmp_path).words
        (tmp_path / "run.mp4.part").write_bytes(b"fi")
        assert "The film was never finished." in page(tmp_path).words


def test_a_missing_picture_is_said(tmp_path: Path) -> None:
    kitchen(tmp_path)
    for path in (tmp_path / IMAGE_FOLDER).iterdir():
        path.unlink()
    found = page(tmp_path)
    assert "the picture is missing" in found.words
    assert "img" not in found.tags


def test_a_trace_cut_anywhere_has_a_page(tmp_path: Path) -> None:
    """As a process that is killed leaves it: whole lines and, perhaps, a part of one more."""
    kitchen(tmp_path)
    path = tmp_path / TRACE_FILE
    data = path.read_bytes()
    ends = [at for at, byte in enumerate(data) if byte == ord("\n")]
    for end in ends[:-1]:
        for cut in (end + 1, end + 40):
            path.write_bytes(data[:cut])
            said = page(tmp_path).words
            assert "Not finished" in said and "killed before it ended" in said
    path.write_bytes(data[: ends[0]])
    with pytest.raises(TraceError, match="stopped before it wrote anything"):
        write_page(tmp_path)


def test_it_goes_where_it_is_told(tmp_path: Path) -> None:
    kitchen(tmp_path / "run")
    out = tmp_path / "new" / "mine.html"
    assert write_page(tmp_path / "run", out) == out
    assert out.read_text().startswith("<!doctype html>")
    assert not (tmp_path / "run" / PAGE_FILE).exists()
    with pytest.raises(TraceError, match="cannot write"):
        write_page(tmp_path / "run", "/dev/null/page.html")


def test_a_long_run_is_written_quickly(tmp_path: Path) -> None:
    assert long(tmp_path) == len(read_trace(tmp_path).entries) > 500
    began = time.process_time()
    write_page(tmp_path)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_plain_words(outcome: Outcome) -> None:
    assert plain_words(SkillReport(Action("rest"), outcome, 1.0))[0].startswith("The motion ")
