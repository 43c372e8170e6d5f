"""`regrasp bench`: one document, the same shape for every suite, and telling exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regrasp.bench import SUITES
from regrasp.bench import episode as episodes
from regrasp.cli.bench import app
from regrasp.core.errors import UnknownNameError

EVERY_SUITE = {"task", "method", "episodes", "succeeded", "failed", "broken", "sim_s", "cpu_s"}


def test_without_a_suite_it_lists_them() -> None:
    result = CliRunner().invoke(app, ["--json"])
    assert result.exit_code == 0
    assert [row["suite"] for row in json.loads(result.stdout)["rows"]] == list(SUITES)


def test_every_suite_has_a_command() -> None:
    assert {
        command.callback.__name__ for command in app.registered_commands if command.callback
    } == set(SUITES)


def test_motions_as_json(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "motions.json"
    arguments = ["motions", "--only", "pull lever", "--episodes", "1", "--json", "--out", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert list(document) == ["suite", "rows"]
    assert document["suite"] == "motions"
    (row,) = document["rows"]
    assert set(row) >= EVERY_SUITE | {"interval", "cpu_per_sim", "paper", "failures"}
    assert (row["task"], row["method"], row["episodes"], row["broken"]) == (
        "pull-lever",
        "ps",
        1,
        0,
    )
    assert row["succeeded"] + row["failed"] == 1
    low, high = row["interval"]
    assert 0.0 <= low < high <= 1.0
    assert row["sim_s"] > 0.5
    assert row["cpu_s"] > 0.0
    assert (row["paper"], row["paper_episodes"]) == (1.0, 20)
    written = json.loads(out.read_text())
    assert written["rows"] == document["rows"]
    assert [e["seed"] for e in written["episodes"]] == [0]
    assert {"regrasp", "mujoco"} <= set(written["made_with"])


def test_a_broken_episode_is_counted_apart_listed_and_exit_code_1() -> None:
    arguments = ["motions", "--only", "open-door", "--episodes", "1", "--limit", "1"]
    result = CliRunner().invoke(app, arguments)  # no motion starts and ends within a second
    assert result.exit_code == 1
    assert "open-door, seed 0: broken" in result.stdout
    assert "regrasp bench motions --only open-door" in result.stdout
    assert "--first-seed 0" in result.stdout


def test_startup_has_the_shape_too() -> None:
    result = CliRunner().invoke(app, ["startup", "--repeats", "1", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["suite"] == "startup"
    assert all(set(row) >= EVERY_SUITE for row in document["rows"])
    assert {"import regrasp", "regrasp --help", "reset cabinet"} <= {
        row["task"] for row in document["rows"]
    }


@pytest.mark.parametrize(
    "arguments", [["motions", "--only", "fly"], ["motions", "--sampler", "cem"]]
)
def test_an_unknown_name_is_refused_before_anything_runs(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, UnknownNameError)


def test_the_unknown_method_of_an_episode_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="Valid: mppi, ps"):
        episodes.run_motion(episodes.Episode("motions", "open-door", "cem", 0))


def test_help_says_what_each_suite_is() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert all(name in result.output for name in SUITES)
