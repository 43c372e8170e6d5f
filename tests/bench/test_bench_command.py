"""`regrasp bench`: one document, the same shape for every suite, and telling exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_up import manifest_of
from tiny_runs import TINY
from typer.testing import CliRunner

from regrasp.bench import episode as episodes
from regrasp.bench.manifest import (
    ConfigurationChangedError,
    EpisodeSelection,
    read_manifest,
    write_manifest,
)
from regrasp.bench.suite_registry import MEASURES, SUITES, open_suite
from regrasp.cli.bench import app
from regrasp.core.errors import RegraspError, UnknownNameError

EVERY_SUITE = {"task", "method", "episodes", "succeeded", "failed", "broken", "sim_s", "cpu_s"}


def test_without_a_suite_it_lists_them() -> None:
    result = CliRunner().invoke(app, ["--json"])
    assert result.exit_code == 0
    rows = json.loads(result.stdout)["rows"]
    assert [row["suite"] for row in rows] == [*SUITES, *MEASURES]
    assert all(row["measures"] for row in rows)


def test_every_measure_has_a_command() -> None:
    commands = {c.callback.__name__ for c in app.registered_commands if c.callback}
    assert set(MEASURES) <= commands


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
        episodes.run_motion(episodes.Episode("open-door", "cem", 0))


def test_help_says_what_each_suite_is() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert all(name in result.output for name in (*SUITES, *MEASURES))


# ---- suites of methods -------------------------------------------------------------------------

TINY_RUN = [TINY, "--methods", "a,b", "--episodes", "2", "--workers", "1"]


def test_a_suite_is_run_shown_and_resumed(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, [*TINY_RUN, *out, "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["suite"] == "tiny"
    assert [(row["task"], row["method"]) for row in document["rows"]] == [
        (task, method) for task in ("one", "two", "three", "four") for method in "ab"
    ]
    for row in document["rows"]:
        assert set(row) >= {
            "task", "method", "llm", "vlm", "episodes", "succeeded", "failed", "broken",
            "interval", "sim_s", "wall_s", "calls", "tokens", "say_do_gap",
        }  # fmt: skip
        assert (row["episodes"], row["broken"], row["llm"]) == (2, 0, "scripted")
        assert row["succeeded"] + row["failed"] == 2
        assert (
            row["say_do_gap"]
            == (row["claimed"] - row["succeeded"] - row["reached_not_claimed"]) / 2
        )
        assert row["wrong_seen"] <= row["claimed_seen"] <= row["claimed"]
        assert row["wrong_not_seen"] <= row["claimed"] - row["claimed_seen"]
    again = CliRunner().invoke(app, [TINY, *out, "--resume", "--json"])
    shown = CliRunner().invoke(app, ["show", str(tmp_path / "run"), "--json"])
    read = CliRunner().invoke(app, ["rebuild", str(tmp_path / "run"), "--json"])
    assert json.loads(again.stdout) == json.loads(shown.stdout) == json.loads(read.stdout)
    assert json.loads(shown.stdout) == document
    listed = CliRunner().invoke(app, ["show", str(tmp_path / "run"), "--episodes"])
    assert len(listed.stdout.splitlines()) == 4 * 2 * 2


def test_the_table_is_laid_out_as_in_the_paper(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*TINY_RUN, "--out", str(tmp_path / "run")])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    head = next(line for line in lines if "method" in line)
    assert [head.index(task) for task in ("one", "two", "three", "four")] == sorted(
        head.index(task) for task in ("one", "two", "three", "four")
    )
    assert any("ours" in line and "/2" in line for line in lines)


def test_the_controller_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")]
    result = CliRunner().invoke(app, [*TINY_RUN, *out, "--controller", "oracle"])
    assert result.exit_code == 0, result.output
    assert CliRunner().invoke(app, [TINY, *out, "--resume"]).exit_code == 0
    other = CliRunner().invoke(app, [TINY, *out, "--resume", "--controller", "mpc"])
    assert "swap: controller -> none" in str(other.exception)


def test_a_broken_episode_makes_the_exit_code_1(tmp_path: Path) -> None:
    arguments = [TINY, "--methods", "a,trouble", "--tasks", "one", "--episodes", "1"]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "run"), "--json"])
    assert result.exit_code == 1, result.output
    broken = {row["method"]: row["broken"] for row in json.loads(result.stdout)["rows"]}
    assert broken == {"a": 0, "trouble": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["replay"], "unknown suite"),
        (["replan", "--methods", "best"], "unknown method"),
        (["replan", "--tasks", "cabinet-opened"], "Did you mean 'cabinet-open'"),
        (["replan", "--resume"], "--out"),
        (["replan", "--llm", "gpt"], "unknown language model"),
        (["replan", "--vlm", "degraded:tired=1:oracle"], "unknown fault"),
        ([TINY, "--executor", "slurm"], "unknown executor"),
        ([TINY, "--controller", "magic"], "unknown --controller"),
    ],
)
def test_what_cannot_be_run_is_refused_before_it_begins(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, RegraspError)
    assert said in str(result.exception)
    assert not list(tmp_path.rglob("manifest.json"))


def test_situations_are_for_a_suite_that_has_them() -> None:
    for suite, said in ((TINY, "for a suite of ours"), ("replan", "unknown knob of suite replan")):
        result = CliRunner().invoke(app, [suite, "--situations", "0,1"])
        assert isinstance(result.exception, RegraspError)
        assert said in str(result.exception)


def test_a_run_goes_on_with_the_situations_that_it_has(tmp_path: Path) -> None:
    address = "dkprompt:situations=0,1"
    made = manifest_of(open_suite(address), 1)
    made = replace(made, suite=address, like=replace(made.like, address=address))
    write_manifest(
        tmp_path, replace(made, asked=EpisodeSelection((), (), (0,)))
    )  # nothing is left to run
    resumed = ["dkprompt", "--out", str(tmp_path), "--resume"]
    result = CliRunner().invoke(app, [*resumed, "--json"])
    assert result.exit_code == 0, result.output
    assert read_manifest(tmp_path).suite == address
    result = CliRunner().invoke(app, [*resumed, "--situations", "0,2"])
    assert isinstance(result.exception, ConfigurationChangedError)
    assert "varied: situations=0,1 -> situations=0,2" in str(result.exception)
