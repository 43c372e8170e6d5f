"""`regrasp view`, as a person at a terminal meets it; also after the worst has happened."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
from runs import kitchen
from typer.testing import CliRunner, Result

from regrasp.cli.main import app
from regrasp.core.event import RunEnded
from regrasp.core.trace import TRACE_FILE, read_trace
from regrasp.episodes.state_log import read_states


def regrasp(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_it_prints_where_the_page_is(tmp_path: Path) -> None:
    kitchen(tmp_path)
    result = regrasp("view", str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'report.html'}\n")
    assert "find the apple" in (tmp_path / "report.html").read_text()
    elsewhere = tmp_path / "elsewhere.html"
    result = regrasp("view", str(tmp_path), "--out", str(elsewhere))
    assert result.stdout == f"{elsewhere}\n" and elsewhere.exists()


def test_an_older_page_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    kitchen(tmp_path / "run")
    page = tmp_path / "page.html"
    for _ in range(2):
        assert regrasp("view", str(tmp_path / "run"), "--out", str(page)).exit_code == 0
    trace = tmp_path / "run" / TRACE_FILE
    letter = tmp_path / "letter.html"
    letter.write_text("<!doctype html><p>Dear friend</p>")
    for mine in (trace, letter):
        before = mine.read_bytes()
        result = regrasp("view", str(tmp_path / "run"), "--out", str(mine))
        assert result.exit_code == 2
        assert "is not a page that Regrasp wrote" in result.stderr
        assert mine.read_bytes() == before


@pytest.mark.parametrize(("option", "name"), [("--clip", "a.webp"), ("--rerun", "a.rrd")])
def test_clips_and_recordings_replace_only_their_kind(
    tmp_path: Path, option: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rerun", types.ModuleType("rerun"))
    monkeypatch.setattr("regrasp.episodes.state_log.read_states", lambda folder, **_: None)
    monkeypatch.setattr("regrasp.episodes.build_scene3d.build_scene3d", lambda states: None)
    kitchen(tmp_path / "run")
    mine = tmp_path / name
    mine.write_text("a letter")
    result = regrasp("view", str(tmp_path / "run"), option, str(mine))
    assert result.exit_code == 2
    assert "is not a" in result.stderr and mine.read_text() == "a letter"


def test_what_is_no_run_is_one_line(tmp_path: Path) -> None:
    result = regrasp("view", str(tmp_path / "nowhere"))
    assert result.exit_code == 2
    assert "Name the folder of a run" in result.stderr and result.stderr.count("\n") == 1


def test_a_run_without_states_has_no_recording(tmp_path: Path) -> None:
    kitchen(tmp_path)
    result = regrasp("view", str(tmp_path), "--rerun", str(tmp_path / "run.rrd"))
    assert result.exit_code == 2
    assert "states.jsonl" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
@pytest.mark.parametrize("moment", ["schema", "looked", "planned", "skill_progress"])
def test_a_run_that_was_killed_can_be_viewed(tmp_path: Path, moment: str) -> None:
    command = [sys.executable, "-m", "regrasp.cli.main", "run", "place the red_cube on the crate"]
    command += ["--world", "cubes", "--out", str(tmp_path), "--size", "32x24"]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline, trace = time.monotonic() + 120, tmp_path / TRACE_FILE
    while not (trace.exists() and f'"{moment}"' in trace.read_text()):
        assert time.monotonic() < deadline and running.poll() is None
        time.sleep(0.005)
    running.kill()
    assert running.wait(60) == -signal.SIGKILL
    result = regrasp("view", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert not any(isinstance(event, RunEnded) for event in read_trace(tmp_path).events)
    page = (tmp_path / "report.html").read_text()
    assert "The run was killed before it ended" in page
    if moment == "skill_progress":
        assert "in the middle of “Place the red_cube on the crate”" in page
        assert len(read_states(tmp_path).seconds) > 0
