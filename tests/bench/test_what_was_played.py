"""Results are what was played: nothing else in a run's folder is taken for an episode of it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from strangers import InThisProcess, become_another_user, edit_json, quick_run
from tiny_runs import LIKE, TINY
from typer.testing import CliRunner

from regrasp.bench.layout import EPISODE_FILE
from regrasp.bench.manifest import EpisodeSelection, read_manifest, write_manifest
from regrasp.bench.runner import prepare, run_jobs
from regrasp.bench.sealed_lines import SealedLines
from regrasp.bench.store import CHECKS_FILE, RECORDS_FILE, load_results
from regrasp.cli.main import app
from regrasp.core.errors import RegraspError
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TRACE_FILE

ASKED = EpisodeSelection(("one",), ("a",), (0, 1))


def command(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(autouse=True)
def _no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take seconds, and nothing here is about them."""
    monkeypatch.setattr("regrasp.bench.report.write.installed", lambda: False)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quick_run(tmp_path_factory.mktemp("played") / "run").root


@pytest.fixture
def root(played: Path, tmp_path: Path) -> Path:
    """A copy of a run with two seeds, to be changed; its cache is gone."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def reasons(root: Path) -> dict[str, str]:
    return {one.path: one.why for one in load_results(root).left_out}


# ---- a folder without a manifest ---------------------------------------------------------------


def test_a_folder_without_a_manifest_adopts_nothing(root: Path) -> None:
    (root / "manifest.json").unlink()
    before = sorted(root.rglob("*"))
    with pytest.raises(RegraspError, match=r"has no manifest\.json, but episodes/four/a/0"):
        prepare(TINY, root, asked=ASKED, like=LIKE)
    assert sorted(root.rglob("*")) == before
    with pytest.raises(RegraspError, match="no run of a suite"):
        load_results(root)


def test_what_is_played_anew_is_not_thrown_away_for_what_stood_there(root: Path) -> None:
    manifest = read_manifest(root)
    jobs = [
        replace(manifest.like, key=replace(LIKE.key, task="one", method="a"), digest="another job")
    ]
    with pytest.raises(RegraspError, match="an episode of another job"):
        list(run_jobs(jobs, root, InThisProcess()))


# ---- episodes that are not the run's -----------------------------------------------------------


def test_a_copied_folder_is_no_new_seed(root: Path) -> None:
    records = load_results(root).records
    shutil.copytree(root / "episodes/one/a/0", root / "episodes/one/a/7")
    results = load_results(root)
    assert results.records == records
    assert reasons(root) == {
        "episodes/one/a/7": "its note is of another episode (one, a, seed 0)",
    }


def test_a_folder_under_another_method_is_no_episode_of_it(root: Path) -> None:
    shutil.rmtree(root / "episodes/one/b/0")
    shutil.copytree(root / "episodes/one/a/0", root / "episodes/one/b/0")
    assert list(reasons(root)) == ["episodes/one/b/0"]


def test_an_episode_with_other_models_is_left_out(root: Path) -> None:
    where = "episodes/one/a/0"
    edit_json(root / where / EPISODE_FILE, lambda note: note["key"].update(llm="openai:dead"))
    assert reasons(root) == {where: "it was played with another llm (openai:dead)"}


def test_an_episode_of_another_configuration_is_left_out(root: Path, tmp_path: Path) -> None:
    other = replace(LIKE, size=(64, 48))
    run = prepare(TINY, tmp_path / "other", asked=ASKED, like=other)
    list(run_jobs(run.jobs, run.root, InThisProcess()))
    shutil.rmtree(root / "episodes/one/a/0")
    shutil.copytree(run.root / "episodes/one/a/0", root / "episodes/one/a/0")
    assert reasons(root) == {"episodes/one/a/0": "it was played with another configuration"}


def test_an_episode_of_the_same_configuration_may_be_brought_from_another_folder(
    root: Path, tmp_path: Path
) -> None:
    more = EpisodeSelection(("one",), ("a",), (5,))
    run = prepare(TINY, tmp_path / "more", asked=more, like=LIKE)
    list(run_jobs(run.jobs, run.root, InThisProcess()))
    shutil.copytree(run.root / "episodes/one/a/5", root / "episodes/one/a/5")
    assert reasons(root) == {}
    assert len(load_results(root).records) == 4 * 2 * 2 + 1


def test_a_trace_that_was_changed_or_exchanged_is_left_out(root: Path) -> None:
    trace = root / "episodes/one/a/0" / TRACE_FILE
    trace.write_text(trace.read_text().replace('"done":false', '"done":true') + "\n")
    shutil.copy(root / "episodes/two/a/0" / TRACE_FILE, root / "episodes/two/a/1" / TRACE_FILE)
    assert reasons(root) == {
        "episodes/one/a/0": "its trace was changed after it was played",
        "episodes/two/a/1": "its trace was changed after it was played",
    }


def test_stray_files_and_names_are_listed_and_not_read(root: Path) -> None:
    (root / "episodes" / "notes.txt").write_text("mine")
    (root / "episodes/one/a/0.bak").mkdir()
    (root / "episodes/one/a/007").mkdir()
    (root / "episodes/one/a/9").write_text("")
    assert set(reasons(root)) == {
        "episodes/notes.txt", "episodes/one/a/0.bak", "episodes/one/a/007", "episodes/one/a/9",
    }  # fmt: skip
    assert len(load_results(root).records) == 4 * 2 * 2


def test_a_manifest_that_names_other_models_than_were_used_is_refused(root: Path) -> None:
    edit_json(root / "manifest.json", lambda data: data["configuration"].update(llm="openai:gpt"))
    with pytest.raises(RegraspError, match=r"manifest\.json was changed after it was written"):
        load_results(root)


@pytest.mark.parametrize("words", [("bench", "show"), ("bench", "rebuild"), ("report",)])
def test_commands_list_what_they_leave_out(root: Path, words: tuple[str, ...]) -> None:
    shutil.copytree(root / "episodes/one/a/0", root / "episodes/one/a/7")
    result = command(*words, root)
    assert result.exit_code == 0, result.output
    assert "left out: episodes/one/a/7: its note is of another episode" in result.stderr
    if words == ("report",):
        assert "episodes/one/a/7" in (root / "report" / "report.md").read_text()


def test_the_json_lists_them_too(root: Path) -> None:
    shutil.copytree(root / "episodes/one/a/0", root / "episodes/one/a/7")
    document = json.loads(command("bench", "show", root, "--json").stdout)
    assert [one["path"] for one in document["left_out"]] == ["episodes/one/a/7"]
    assert [row["episodes"] for row in document["rows"]] == [2] * 8


def test_a_run_whose_places_are_taken_is_not_resumed_over_them(root: Path) -> None:
    trace = root / "episodes/one/a/0" / TRACE_FILE
    trace.write_text(trace.read_text() + "\n")
    with pytest.raises(RegraspError, match="Move them away"):
        prepare(TINY, root, asked=ASKED, like=LIKE, resume=True)
    shutil.rmtree(trace.parent)
    quick_run(root, resume=True)
    assert reasons(root) == {}
    assert len(load_results(root).records) == 4 * 2 * 2


def test_a_run_of_an_earlier_version_counts_as_before(root: Path) -> None:
    manifest = read_manifest(root)
    write_manifest(root, replace(manifest, schema=1))
    edit_json(root / "manifest.json", lambda data: data["like"].pop("digest"))
    for note in root.glob(f"episodes/*/*/*/{EPISODE_FILE}"):
        edit_json(note, lambda data: (data.pop("job"), data.pop("trace")))
    assert len(load_results(root).records) == 4 * 2 * 2
    assert len(load_results(root).records) == 4 * 2 * 2  # and from the cache
    edit_json(root / "manifest.json", lambda data: data.update(schema=2))
    assert len(load_results(root).records) == 0


# ---- the cache ---------------------------------------------------------------------------------


def test_a_forged_cache_is_not_believed(root: Path) -> None:
    records = load_results(root).records
    lines = [json.loads(line) for line in (root / RECORDS_FILE).read_text().splitlines()]
    for line in lines:
        line.update(outcome="succeeded", done=True, claimed=True)
    (root / RECORDS_FILE).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert any(record.outcome is Outcome.FAILED for record in records)
    assert load_results(root).records == records


def test_a_line_that_was_changed_behind_its_seal_is_not_believed(root: Path) -> None:
    records = load_results(root).records
    cache = root / RECORDS_FILE
    cache.write_text(cache.read_text().replace('"outcome":"failed"', '"outcome":"succeeded"'))
    assert load_results(root).records == records


def test_the_cache_of_another_user_or_folder_is_not_believed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_results(root)
    copied = Path(shutil.copytree(root, tmp_path / "copied"))
    assert SealedLines(root, RECORDS_FILE).read() and SealedLines(root, CHECKS_FILE).read()
    assert not SealedLines(copied, RECORDS_FILE).read()
    become_another_user(monkeypatch, tmp_path / "another")
    assert not SealedLines(root, RECORDS_FILE).read()
    assert len(load_results(root).records) == 4 * 2 * 2


@pytest.mark.skipif(os.name == "nt", reason="a file as a folder is another error there")
def test_without_a_state_folder_results_are_read_from_the_traces(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = load_results(root).records
    (tmp_path / "file").write_text("")
    become_another_user(monkeypatch, tmp_path / "file")
    assert load_results(root).records == records
    assert not (root / RECORDS_FILE).read_text()


# ---- a folder to resume that is not there ------------------------------------------------------


def test_resuming_a_mistyped_folder_names_the_near_misses_and_begins_nothing(root: Path) -> None:
    mistyped = root.with_name("rnu")
    result = command("bench", TINY, "--resume", "--out", mistyped)
    assert result.exit_code == 2
    words = " ".join(result.stderr.split())
    assert f"{mistyped} holds no run. Did you mean {root}?" in words
    assert not mistyped.exists()


def test_resuming_the_folder_of_runs_names_the_runs_in_it(root: Path) -> None:
    result = command("bench", TINY, "--resume", "--out", root.parent)
    assert result.exit_code == 2
    assert "Runs there: run" in " ".join(result.stderr.split())


def test_a_run_that_was_stopped_before_it_began_can_be_resumed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".lock").touch()
    words = ("--tasks", "one", "--methods", "a", "--episodes", "1", "--workers", "1")
    result = command("bench", TINY, "--resume", "--out", tmp_path / "run", *words)
    assert result.exit_code == 0, result.output
