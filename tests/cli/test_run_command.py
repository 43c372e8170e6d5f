"""`regrasp run`, as a person at a terminal meets it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from regrasp.cli.main import app
from regrasp.core.event import RunEnded, RunStarted
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE, read_trace

QUICK = ("--no-video", "--size", "64x48")


def regrasp(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_task_that_is_done_exits_with_0(tmp_path: Path) -> None:
    asked = "Place the cube with the same color as the crate on the crate."
    result = regrasp("run", asked, "--world", "cubes", "--json", "--out", str(tmp_path), *QUICK)
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["rows"]
    assert row["judged"] and row["done"] and row["claim"] == "done and seen"
    assert (row["task"], row["llm"], row["vlm"]) == ("match", "scripted", "embedded")
    assert row["model_calls"] > 5 and row["sim_s"] > 1 and row["trace"]
    assert "The judge, which reads the simulator, agrees." in Path(row["page"]).read_text()
    assert "understood: " in result.stderr and "plan: " in result.stderr
    started = read_trace(tmp_path).events[0]
    assert isinstance(started, RunStarted) and started.instruction == asked


@pytest.mark.parametrize("task", [[], ["--task", "occupied"]])
def test_what_cannot_be_done_exits_with_1(tmp_path: Path, task: list[str]) -> None:
    result = regrasp("run", "dance", "--world", "cubes", *task, "--out", str(tmp_path), *QUICK)
    assert result.exit_code == 1
    assert "The robot's claim: not done" in result.stdout
    assert ("The judge's verdict: not done" in result.stdout) is bool(task)
    assert ("No judge knows this instruction" in result.stdout) is (not task)
    assert ("No judge knows" in (tmp_path / "report.html").read_text()) is (not task)


def test_the_judge_goes_by_the_goal_that_is_given(tmp_path: Path) -> None:
    seen = ("--goal", "visible(red_cube)", "--goal", "not on(red_cube, crate)")
    result = regrasp("run", "dance", "--world", "cubes", *seen, "--out", str(tmp_path), *QUICK)
    assert result.exit_code == 1  # the robot does not dance, and claims nothing
    assert "The judge's verdict: done" in result.stdout


def test_a_goal_that_is_reached_by_luck_and_not_claimed_is_no_success(tmp_path: Path) -> None:
    method = tmp_path / "gives_up.py"
    method.write_text(
        "from regrasp.core.claim import Claim\n"
        "def gives_up(assignment): return Claim(False, 'too hard')\n"
    )
    asked = ("run", "clear the crate", "--world", "cubes", "--goal", "not on(red_cube, crate)")
    how = ("--method", f"{method}:gives_up", "--llm", "scripted", "--no-read", *QUICK)
    result = regrasp(*asked, *how, "--json", "--out", str(tmp_path / "run"))
    assert result.exit_code == 1, result.output
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["done"], row["claimed"], row["succeeded"]) == (True, False, False)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (["--method", "replam"], "Did you mean 'replan'"),
        (["--vlm", "oracle:tp=7"], "rates are from 0 to 1"),
        (["--vlm", "orakle"], "unknown vision model"),
        (["--llm", "script"], "Did you mean 'scripted'"),
        (["--task", "mach"], "Did you mean 'match'"),
        (["--size", "big"], "picture size"),
        (["--goal", "red cube on crate"], "is no literal"),
        (["--goal", "onn(red_cube, crate)"], "Did you mean 'on'"),
        (["--goal", "visible(red_cub)"], "Did you mean 'red_cube'"),
    ],
)
def test_a_wrong_word_is_refused_before_anything_is_written(
    tmp_path: Path, wrong: list[str], hint: str
) -> None:
    out = tmp_path / "run"
    result = regrasp("run", "dance", "--world", "cubes", "--out", str(out), *wrong)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert not out.exists()


def test_ctrl_c_stops_the_robot_and_completes_the_trace(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regrasp.cli.main", "run", "place the red_cube on the crate"]
    process = subprocess.Popen(
        [*command, "--world", "cubes", "--out", str(tmp_path), *QUICK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline, trace = time.monotonic() + 60, tmp_path / TRACE_FILE
    while not (trace.exists() and "skill_progress" in trace.read_text()):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert f"page so far: {tmp_path / 'report.html'}" in err
    last = read_trace(tmp_path).events[-1]
    assert isinstance(last, RunEnded) and last.outcome is Outcome.ABORTED
