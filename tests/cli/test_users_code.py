"""A user's world, suite, method or robot that fails, exits or prints is named; no success."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from regrasp.cli.main import app, main
from regrasp.core import users_code
from regrasp.core.event import RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace
from regrasp.core.users_code import describe_error

QUICK = ("--no-video", "--size", "64x48", "--llm", "scripted", "--vlm", "oracle")
ASKED = "Place the cube with the same color as the crate on the crate."
METHODS = """
import os, subprocess, sys
from regrasp.core.claim import Claim

def helper(deep):
    return 1 / 0 if deep else helper(True)

def fails(assignment):
    return helper(False)

def exits(assignment):
    sys.exit(0)

def misuses(assignment):
    return assignment.robot.look("no such camera")

def prints(assignment):
    print("printed by a method")
    os.write(1, b"written by a method\\n")
    subprocess.run([sys.executable, "-c", "print('printed by a process')"], check=True)
    return Claim(False, "said enough")

not_callable = 3
"""


def regrasp(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def run_main(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["regrasp", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def methods(tmp_path: Path) -> Path:
    path = tmp_path / "my_methods.py"
    path.write_text(METHODS)
    return path


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("fails", "ZeroDivisionError: division by zero (in my_methods.py, line 6, in helper)"),
        ("exits", "sys.exit(0) was called (in my_methods.py, line 12, in exits)"),
        ("misuses", "(from my_methods.py, line 15, in misuses)"),
    ],
)  # fmt: skip
def test_a_method_that_fails_is_named_with_its_line(
    methods: Path,
    name: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = methods.with_name("run")
    words = ("run", ASKED, "--world", "cubes", "--method", f"{methods}:{name}", "--out", str(out))
    assert run_main(monkeypatch, *words, *QUICK) == 2
    err = capsys.readouterr().err
    assert says in err and "internal error" not in err
    ended = read_trace(out).events[-1]
    assert isinstance(ended, RunEnded) and ended.outcome is Outcome.BROKEN
    assert "my_methods.py, line" in ended.reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import sys\nsys.exit(0)\n", "sys.exit(0) was called (in broken.py, line 2"),
        ("raise SystemExit\n", "sys.exit(None) was called (in broken.py, line 1"),
        ("x = 1\nx.y\n", "AttributeError: 'int' object has no attribute 'y' (in broken.py, line 2"),
        ("def f(:\n", "SyntaxError: invalid syntax (in broken.py, line 1)"),
        ("raise KeyboardInterrupt\n", ""),
        ("PLAN = 3\n", "is a regrasp.worlds.world.WorldPlan"),
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        ("run", "dance", "--world", "FILE"),
        ("run", "dance", "--robot", "FILE:PLAN"),
        ("bench", "FILE", "--out", "OUT"),
        ("check", "robot", "FILE:PLAN"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_does_not_load_is_no_success(
    tmp_path: Path,
    text: str,
    says: str,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    given = [word.replace("FILE", str(path)).replace("OUT", str(tmp_path / "o")) for word in words]
    code = run_main(monkeypatch, *given)
    err = capsys.readouterr().err
    if not says:
        assert (code, err) == (130, "interrupted\n")
        return
    assert code == 2 and "internal error" not in err
    if says.startswith("is a"):
        assert str(path) in err
    else:
        assert says in err and err.count("\n") == 1


ROBOT = """
import sys

class Robot:
    name = "mine"
    seconds = 0.0
    def skills(self):
        %s
    def close(self):
        pass

def make():
    return Robot()
"""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise KeyError('skills')", "KeyError: 'skills' (in my_robot.py, line 8, in skills)"),
        ("sys.exit(0)", "sys.exit(0) was called (in my_robot.py, line 8, in skills)"),
    ],
)
def test_a_robot_that_fails_is_named_with_its_line(
    tmp_path: Path,
    line: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "my_robot.py"
    path.write_text(ROBOT % line)
    assert run_main(monkeypatch, "run", "dance", "--robot", f"{path}:make", *QUICK) == 2
    assert f"your code failed: {says}" in capsys.readouterr().err
    assert regrasp("check", "robot", f"{path}:make").exit_code == 1


SUITE = """
import os, sys
from pathlib import Path
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask
from regrasp.core.claim import Claim
from regrasp.core.event import Judged, RunEnded, RunStarted
from regrasp.core.outcome import Outcome
from regrasp.core.trace import Clock, TraceWriter

print("printed by a suite")

def run_job(job, task, method, folder):
    print("printed by a worker")
    os.write(1, b"written by a worker\\n")
    if method.name == "exits":
        sys.exit(0)
    if method.name == "leaves":
        os._exit(0)
    with TraceWriter(folder, Clock(lambda: 0.0)) as trace:
        trace.write(RunStarted("nowhere", task.name, job.key.seed, "try", method.name, {}))
        trace.write(Judged(True))
        trace.write(RunEnded(Outcome.SUCCEEDED, "done"))

SUITE = Suite("mine", "mine", (SuiteTask("one", "nowhere"),),
    tuple(SuiteMethod(name, print) for name in ("works", "exits", "leaves")),
    episodes=1, run_job=run_job, llm="scripted", vlm="oracle")
"""


def test_a_suite_that_exits_and_prints_gives_one_document_and_no_success(tmp_path: Path) -> None:
    path = tmp_path / "my_suite.py"
    path.write_text(SUITE)
    command = [sys.executable, "-m", "regrasp.cli.main", "bench", str(path), "--json"]
    ended = subprocess.run(
        [*command, "--out", str(tmp_path / "run"), "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1, ended.stderr
    rows = {row["method"]: row for row in json.loads(ended.stdout)["rows"]}
    assert {name: (row["succeeded"], row["broken"]) for name, row in rows.items()} == {
        "works": (1, 0),
        "exits": (0, 1),
        "leaves": (0, 1),
    }
    for what in ("printed by a suite", "printed by a worker", "written by a worker"):
        assert what in ended.stderr
    shown = subprocess.run(
        [*command[:-2], "show", str(tmp_path / "run"), "--episodes"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "sys.exit(0) was called (in my_suite.py, line 16, in run_job)" in shown
    assert "its process died (exit code 0)" in shown


def test_what_a_method_prints_never_gets_into_the_document(methods: Path) -> None:
    words = ("run", ASKED, "--world", "cubes", "--method", f"{methods}:prints", "--json")
    ended = subprocess.run(
        [sys.executable, "-m", "regrasp.cli.main", *words, *QUICK, "--out", str(methods) + ".d"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert len(json.loads(ended.stdout)["rows"]) == 1
    for what in ("printed by a method", "written by a method", "printed by a process"):
        assert what in ended.stderr


def test_an_error_of_ours_is_not_named_as_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_code, "_folders", set())  # other tests load files beside this one
    try:
        json.loads("{")
    except ValueError as error:
        assert "(in" not in describe_error(error).partition(":")[2].replace("line 1", "")
