"""`regrasp compare`, `report` and `export`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_runs import TINY, Tiny
from typer.testing import CliRunner, Result

from regrasp.bench.report import write as writing
from regrasp.cli.main import app


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the tiny suite."""
    tiny = Tiny(tmp_path_factory.mktemp("tiny") / "run")
    tiny.run()
    return tiny.root


def test_a_report_is_written_into_the_runs_folder(folder: Path) -> None:
    result = run("report", folder, "--pages")
    assert result.exit_code == 0, result.output
    assert f"report: {folder / 'report' / 'report.html'}" in result.stdout
    page = (folder / "report" / "report.html").read_text()
    assert "episodes/one/a/0/report.html" in page
    assert (folder / "episodes" / "one" / "a" / "0" / "report.html").exists()
    text = (folder / "report" / "report.md").read_text()
    assert "regrasp bench tiny_suite.py --methods a,b --tasks one,two,three,four" in text
    assert str(folder) not in text


def test_a_report_can_go_elsewhere(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "installed", lambda: False)
    result = run("report", folder, "--out", tmp_path / "there")
    assert result.exit_code == 0
    assert "matplotlib is not installed" in result.output
    assert (tmp_path / "there" / "report.md").exists()


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    result = run("report", tmp_path)
    assert result.exit_code == 2
    assert "is no run of a suite" in result.output


def test_what_was_not_filmed_is_not_exported(folder: Path, tmp_path: Path) -> None:
    result = run("export", "lerobot", folder, "--out", tmp_path / "data")
    assert result.exit_code == 2
    assert "--video" in result.output
    assert run("export", "lerobot", folder, "--out", tmp_path, "--only", "some").exit_code == 2


def test_a_comparison_counts_its_pairs_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = ("compare", "a", "b", "--suite", TINY, "--out", out, "--workers", 4, "--json")
    result = run(*options, "--budget", 4)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["pairs"] == 4 == told["both"] + told["only_a"] + told["only_b"] + told["neither"]
    assert (told["verdict"], told["budget_spent"]) == ("not_told_apart", True)
    a, b = told["rows"]
    assert (a["method"], a["succeeded"]) == ("a", told["both"] + told["only_a"])
    assert (b["method"], b["succeeded"]) == ("b", told["both"] + told["only_b"])
    kept = sorted(path.stat().st_mtime_ns for path in out.glob("episodes/*/*/*/trace.jsonl"))
    assert len(kept) == 8
    more = json.loads(run(*options, "--budget", 6).stdout)
    assert more["pairs"] == 6
    assert more["both"] >= told["both"]
    again = sorted(path.stat().st_mtime_ns for path in out.glob("episodes/*/*/*/trace.jsonl"))
    assert again[:8] == kept


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("a", "c"), "unknown method 'c'"),
        (("a", "a"), "both sides are a"),
        (("a", "b", "--edge", "0.5"), "--edge must be between 0.5 and 1"),
        (("a", "b", "--alpha", "0"), "--alpha must be between 0 and 1"),
        (("a", "b", "--tasks", "five"), "unknown task 'five'"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: tuple[str, ...], message: str) -> None:
    result = run("compare", *options, "--suite", TINY)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
