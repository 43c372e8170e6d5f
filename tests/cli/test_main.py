"""The root of the command line: quick, one line for an error, exit codes that scripts can use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import regrasp
from regrasp.cli.main import app, main
from regrasp.core.errors import RegraspError

REGRASP = [sys.executable, "-m", "regrasp"]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    """The real app with three commands that fail, each in its own way."""
    monkeypatch.setattr(app, "registered_commands", list(app.registered_commands))

    @app.command()
    def refuse() -> None:
        raise RegraspError("no door.\nTry [bold]window[/bold]" + " or so" * 30)

    @app.command()
    def interrupt() -> None:
        raise KeyboardInterrupt

    @app.command()
    def stumble() -> None:
        raise ZeroDivisionError("our own fault")

    return app


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["regrasp", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.usefixtures("failing")
class TestErrors:
    def test_an_error_is_one_line_on_stderr_and_exit_code_2(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(monkeypatch, "refuse") == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: no door. Try [bold]window[/bold] or so")
        assert err.count("\n") == 1

    def test_an_interrupt_is_exit_code_130(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(monkeypatch, "interrupt") == 130
        assert capsys.readouterr().err == "interrupted\n"

    def test_a_bug_is_one_line_too_and_points_to_debug(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(monkeypatch, "stumble") == 1
        err = capsys.readouterr().err
        assert err == "internal error: ZeroDivisionError: our own fault (--debug shows where)\n"

    @pytest.mark.parametrize(
        ("command", "code"), [("refuse", 2), ("interrupt", 130), ("stumble", 1)]
    )
    @pytest.mark.parametrize("debug_last", [False, True])
    def test_debug_shows_the_traceback_wherever_it_stands(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        command: str,
        code: int,
        debug_last: bool,
    ) -> None:
        words = [command, "--debug"] if debug_last else ["--debug", command]
        assert run(monkeypatch, *words) == code
        assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_an_opengl_that_mujoco_cannot_load_is_named() -> None:
    """MuJoCo's import itself fails then, in whatever command comes first."""
    ended = subprocess.run(
        [*REGRASP, "worlds"],
        env={**os.environ, "MUJOCO_GL": "nonesuch"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "MUJOCO_GL=nonesuch" in ended.stderr and "regrasp doctor" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"regrasp {regrasp.__version__}\n")


def test_an_unknown_command_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["docter"])
    assert result.exit_code == 2
    assert "docter" in result.output


def test_help_lists_every_command_with_a_summary() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert result.exit_code == 0
    for command in app.registered_commands:
        assert command.callback is not None
        assert (command.name or command.callback.__name__) in result.output
        assert command.callback.__doc__


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, regrasp.cli.main\n"
        "print(*[m for m in ('mujoco', 'numpy', 'PIL', 'av') if m in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []


def test_help_is_hardly_slower_than_that_of_an_empty_program(tmp_path: Path) -> None:
    """As a ratio of processor time in one run: how busy the machine is, is none of our business."""
    bare = tmp_path / "bare.py"
    bare.write_text("import typer\n\napp = typer.Typer()\napp.command()(lambda: None)\napp()\n")

    def spent(*command: str) -> float:
        before = os.times()
        subprocess.run([*command, "--help"], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        user = after.children_user - before.children_user
        return user + after.children_system - before.children_system

    pairs = [(spent(*REGRASP), spent(sys.executable, str(bare))) for _ in range(9)]
    # A help of two dozen commands takes longer to lay out than one of none: about 1.6 times.
    assert min(ours for ours, _ in pairs) < 1.9 * min(theirs for _, theirs in pairs)
