"""A run's folder is data: what it names never runs, is never asked and is never written.

Each test plants a name in a folder that another user made, and runs a command on it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from strangers import (
    become_another_user,
    edit_json,
    edit_line,
    forge_models,
    plant,
    quick_run,
)
from tiny_runs import TINY
from typer.testing import CliRunner

from regrasp.bench.fork import decisions
from regrasp.cli.main import app
from regrasp.core.trace import TRACE_FILE
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.state_log import STATES_FILE
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.oracle_controller import OracleRobot


def command(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def refused(result: Any, planted: Path, remedy: str) -> None:
    """One sentence that names the remedy, and nothing ran."""
    assert not planted.exists()
    assert result.exit_code == 2, result.output
    words = " ".join(result.stderr.split())
    assert remedy in words, words
    assert "folder is data" in words


@pytest.fixture(autouse=True)
def _no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take seconds, and nothing here is about them."""
    monkeypatch.setattr("regrasp.bench.report.write.installed", lambda: False)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the tiny suite that this user made."""
    return quick_run(tmp_path_factory.mktemp("own") / "run").root


@pytest.fixture
def stranger(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of the tiny suite that another user made."""
    become_another_user(monkeypatch, tmp_path / "another state")
    return Path(shutil.copytree(own, tmp_path / "stranger"))


def named_by_manifest(root: Path, code: str) -> None:
    def change(data: Any) -> None:
        data["suite"] = data["like"]["address"] = code

    edit_json(root / "manifest.json", change)


SUITE_COMMANDS = (
    ("report",),
    ("bench", "show"),
    ("bench", "rebuild"),
    ("blame",),
)


@pytest.mark.parametrize(
    ("words", "form"),
    [
        *((words, "{file}") for words in SUITE_COMMANDS),
        (("bench", "show"), "{file}:SUITE"),
        (("bench", "show"), "evil:SUITE"),
    ],
)
def test_the_suite_that_a_manifest_names_does_not_run(
    stranger: Path,
    words: tuple[str, ...],
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, planted = plant(tmp_path / "plant")
    monkeypatch.chdir(code.parent)
    named_by_manifest(stranger, form.format(file=code))
    refused(command(*words, stranger), planted, "--suite FILE.py:NAME")


@pytest.mark.parametrize("words", SUITE_COMMANDS, ids=" ".join)
def test_a_suite_that_is_named_again_counts(stranger: Path, words: tuple[str, ...]) -> None:
    result = command(*words, stranger, "--suite", TINY)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("words", SUITE_COMMANDS, ids=" ".join)
def test_a_run_of_one_s_own_needs_no_second_naming(
    own: Path, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = shutil.copytree(own, tmp_path / "moved")
    monkeypatch.chdir(tmp_path)
    result = command(*words, moved)
    assert result.exit_code == 0, result.output


def test_a_manifest_of_one_s_own_that_was_changed_is_a_stranger_s(
    own: Path, tmp_path: Path
) -> None:
    code, planted = plant(tmp_path / "plant")
    changed = Path(shutil.copytree(own, tmp_path / "changed"))
    named_by_manifest(changed, str(code))
    refused(command("bench", "show", changed), planted, "--suite FILE.py:NAME")


def test_another_suite_than_the_run_s_is_refused(stranger: Path) -> None:
    result = command("bench", "show", stranger, "--suite", "replan")
    assert result.exit_code == 2
    assert "a run of the suite 'tiny'" in result.stderr


# ---- models ------------------------------------------------------------------------------------


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine: its address, and the `Authorization` of each request to it."""
    found: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append(self.headers.get("Authorization", ""))
            self.send_response(500)
            self.end_headers()

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Listener)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1#any", found
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("option", ["llm", "vlm"])
@pytest.mark.parametrize("words", [("blame",), ("bench", TINY, "--resume", "--out")])
def test_models_that_a_manifest_names_are_not_opened(
    stranger: Path, option: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    code, planted = plant(tmp_path / "plant")
    forge_models(stranger, **{option: f"{code}:make"})
    named = () if words[0] == "bench" else ("--suite", TINY)
    refused(command(*words, stranger, *named), planted, f"--{option} NAME")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filmed run of a method, in which things move by themselves, so that it is quick."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    spec = EpisodeSpec(
        WorldTask("cubes", "match", seed=3, robot=OracleRobot),
        open_method("replan"),
        "replan",
        ScriptedModel(),
        vision_factory("oracle"),
        recording=Recording(video=True, fps=2.0, size=(48, 36)),
    )
    run_episode(spec, folder)
    return folder


@pytest.fixture
def run(recorded: Path, tmp_path: Path) -> Path:
    """A copy of that run, to be changed."""
    return Path(shutil.copytree(recorded, tmp_path / "run"))


def in_started(folder: Path, change: Callable[[Any], None]) -> None:
    edit_line(folder / TRACE_FILE, 1, lambda line: change(line["event"]))


@pytest.mark.parametrize(
    ("field", "remedy"),
    [
        ("world", "--world FILE.py:NAME"),
        ("method", "--method FILE.py:NAME"),
        ("language model", "--llm"),
        ("vision model", "--vlm"),
    ],
)
def test_what_a_trace_names_does_not_run_in_a_fork(
    run: Path, field: str, remedy: str, tmp_path: Path
) -> None:
    code, planted = plant(tmp_path / "plant")
    in_started(
        run,
        lambda event: (event if field in event else event["versions"]).update(
            {field: f"{code}:make"}
        ),
    )
    at = decisions(run)[0].at
    refused(command("fork", run, "--at", at, "--no-video"), planted, remedy)


@pytest.mark.parametrize("wrapped", ["{}", "degraded:drop_step=0.1:{}", "recorded:tape.jsonl#{}"])
def test_a_fork_sends_no_key_to_a_server_that_a_trace_names(
    run: Path,
    asked: tuple[str, list[str]],
    wrapped: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, requests = asked
    monkeypatch.chdir(tmp_path)
    for name in ("REGRASP_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-0123456789abcdefghij")
    in_started(run, lambda e: e["versions"].update({"language model": wrapped.format(address)}))
    result = command("fork", run, "--at", decisions(run)[0].at, "--no-video")
    assert requests == []
    assert not (tmp_path / "tape.jsonl").exists()
    refused(result, tmp_path / "tape.jsonl", "--llm")


def test_a_fork_writes_no_cassette_that_a_trace_names(run: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    name = f"recorded:{tape}#scripted"
    in_started(run, lambda event: event["versions"].update({"language model": name}))
    refused(command("fork", run, "--at", decisions(run)[0].at, "--no-video"), tape, "--llm")


def test_the_world_of_a_states_header_does_not_run(run: Path, tmp_path: Path) -> None:
    code, planted = plant(tmp_path / "plant")
    edit_line(run / STATES_FILE, 0, lambda header: header.update(world=str(code)))
    result = command("view", run, "--rerun", tmp_path / "run.rrd")
    refused(result, planted, "--world FILE.py:NAME")


def test_an_export_does_not_run_the_world_of_a_states_header(
    stranger: Path, recorded: Path, tmp_path: Path
) -> None:
    code, planted = plant(tmp_path / "plant")
    for folder in stranger.glob("episodes/*/*/*"):
        shutil.copy(recorded / STATES_FILE, folder)
        edit_line(folder / STATES_FILE, 0, lambda header: header.update(world=str(code)))
    result = command("export", "lerobot", stranger, "--out", tmp_path / "dataset")
    refused(result, planted, "--world FILE.py:NAME")


def test_an_episode_of_a_bench_is_not_forked_with_the_stranger_s_suite(
    stranger: Path, run: Path, tmp_path: Path
) -> None:
    code, planted = plant(tmp_path / "plant")
    named_by_manifest(stranger, str(code))
    folder = next(stranger.glob("episodes/*/*/0"))
    shutil.copy(run / TRACE_FILE, folder)
    result = command("fork", folder, "--at", decisions(folder)[0].at, "--no-video")
    refused(result, planted, "--suite FILE.py:NAME")
