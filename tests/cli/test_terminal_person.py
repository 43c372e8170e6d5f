"""Questions of `regrasp run` to the person at the terminal, in a real one."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from goal_writer import HERE
from typer.testing import CliRunner

from regrasp.cli.main import app
from regrasp.core.event import PersonAsked, RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace

pty = pytest.importorskip("pty")

ASKED = ("put the cube on the crate", "--world", "cubes", "--vlm", "oracle")
QUICK = ("--llm", f"{HERE}:some_cube", "--no-video", "--size", "64x48")


@dataclass(slots=True)
class Terminal:
    """`regrasp run` in a terminal of its own."""

    process: subprocess.Popen[bytes]
    end: int
    shown: str = ""

    def until(self, text: str, seconds: float = 120.0) -> None:
        """Read until the terminal shows `text`."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            self.read()

    def read(self) -> bool:
        """Read what comes; False at the end."""
        ready, _, _ = select.select([self.end], [], [], 60.0)
        assert ready, f"nothing more came after: {self.shown}"
        try:
            data = os.read(self.end, 4096)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def wait(self) -> int:
        """Read all that comes, and return the exit code."""
        while self.read():
            pass
        return self.process.wait(60)


@contextmanager
def terminal(out: Path) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "regrasp.cli.main", "run", *ASKED, *QUICK, "--out", str(out)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def question(folder: Path) -> PersonAsked:
    (asked,) = (event for event in read_trace(folder).events if isinstance(event, PersonAsked))
    return asked


def test_an_option_is_chosen_by_its_number_and_a_wrong_answer_is_asked_again(
    tmp_path: Path,
) -> None:
    with terminal(tmp_path) as shown:
        shown.until("Which one? [0]")
        assert "1  the red cube" in shown.shown and "2  the yellow cube" in shown.shown
        assert "0  none of these" in shown.shown
        shown.type("7\n")
        shown.until("names no option: give a number from 1 to 2")
        shown.type("2\n")
        shown.wait()
        assert "asked back: " in shown.shown and "The robot's claim: " in shown.shown
    assert question(tmp_path).chosen == "the yellow cube"


def test_enter_means_none_of_these_and_the_run_is_declined(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        shown.until("Which one? [0]")
        shown.type("\n")
        assert shown.wait() == 1
    assert question(tmp_path).chosen == ""
    last = read_trace(tmp_path).events[-1]
    assert isinstance(last, RunEnded) and last.claim == "not done"


def test_ctrl_c_at_the_question_interrupts_the_run(tmp_path: Path) -> None:
    with terminal(tmp_path) as shown:
        shown.until("Which one? [0]")
        time.sleep(1.0)  # until it waits for a line: a person is no quicker
        shown.process.send_signal(signal.SIGINT)
        assert shown.wait() == 130
    last = read_trace(tmp_path).events[-1]
    assert isinstance(last, RunEnded) and last.outcome is Outcome.ABORTED


def test_without_a_terminal_nobody_answers_and_the_claim_has_the_question(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["run", *ASKED, *QUICK, "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "asked back: " in result.stderr and "no answer" in result.stderr
    assert "The robot's claim: not done: " in result.stdout
    assert "red" in result.stdout and "yellow" in result.stdout


def test_an_answer_can_be_given_beforehand(tmp_path: Path) -> None:
    words = ["run", *ASKED, *QUICK, "--out", str(tmp_path), "--json", "--answer", "yellow"]
    CliRunner().invoke(app, words)
    assert question(tmp_path).chosen == "the yellow cube"


def test_without_reading_the_method_gets_the_words_and_nobody_is_asked(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["run", *ASKED, *QUICK, "--out", str(tmp_path), "--no-read"])
    kinds = {event.kind for event in read_trace(tmp_path).events}
    assert not kinds & {"understood", "asked_back"} and "run_ended" in kinds
