"""The runner: every episode once, from its key alone; what is finished stays finished."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_runs import LIKE, TINY, Tiny, comparable

from regrasp.bench.executor import LocalPool, open_executor
from regrasp.bench.layout import episode_folder, new_draft
from regrasp.bench.manifest import ConfigurationChangedError, EpisodeSelection, read_manifest
from regrasp.bench.record import episode_outcome
from regrasp.bench.runner import lock_run_folder, prepare
from regrasp.bench.store import load_results
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.outcome import Outcome


def test_every_task_with_every_method_on_the_same_seeds(tiny: Tiny) -> None:
    records = tiny.run()
    assert len(records) == 4 * 2 * 3
    by_method = {
        method: {(r.key.task, r.key.seed) for r in records if r.key.method == method}
        for method in ("a", "b")
    }
    assert by_method["a"] == by_method["b"]
    assert {r.outcome for r in records} == {Outcome.SUCCEEDED, Outcome.FAILED}
    for record in records:
        assert record.outcome is episode_outcome(record.done, record.claimed)
        assert record.motions == record.looks == record.calls == record.replans + 1
        assert record.tokens == 3 * record.calls
        assert set(record.failures) <= {"dropped"}
        assert [check.predicate for check in record.checks] == ["seen"]
        assert record.reason == "because" and record.wall_s > 0.0


def test_an_episode_does_not_depend_on_who_runs_it_or_when(tmp_path: Path) -> None:
    Tiny(tmp_path / "two").run(executor=LocalPool(2))
    Tiny(tmp_path / "one").run(executor=LocalPool(1, recycle=2))
    assert comparable(tmp_path / "one") == comparable(tmp_path / "two")


def test_what_is_finished_is_not_run_again(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGRASP_TINY_LOG", str(tiny.log))
    tiny.run()
    before = comparable(tiny.root)
    lost = load_results(tiny.root).records[5]
    shutil.rmtree(tiny.root / lost.trace)
    new_draft(tiny.root, lost.key).mkdir()
    assert len(load_results(tiny.root).records) == len(before) - 1
    tiny.run(resume=True)
    assert comparable(tiny.root) == before
    again = [line for line in tiny.begun() if tiny.begun().count(line) > 1]
    assert set(again) == {f"{lost.key.task} {lost.key.method} {lost.key.seed}"}
    assert not list(tiny.root.glob("episodes/*/*/.*"))


def test_a_run_may_grow(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGRASP_TINY_LOG", str(tiny.log))
    tiny.run(methods=("a",), seeds=2)
    assert len(tiny.run(methods=("b",), seeds=3, resume=True)) == 4 * 2 + 4 * 3
    assert len(tiny.begun()) == 4 * 2 + 4 * 3
    assert read_manifest(tiny.root).asked == EpisodeSelection(
        ("one", "two", "three", "four"), ("a", "b"), (0, 1, 2)
    )


def test_without_resume_a_folder_is_left_alone(tiny: Tiny) -> None:
    tiny.run(methods=("a",), seeds=1)
    with pytest.raises(RegraspError, match="--resume goes on"):
        tiny.run(methods=("a",), seeds=1)


def test_a_changed_configuration_is_refused_and_shown(tiny: Tiny) -> None:
    tiny.run(methods=("a",), seeds=1)
    other = replace(LIKE, key=replace(LIKE.key, llm="embedded-base"), size=(96, 72))
    with pytest.raises(ConfigurationChangedError) as caught:
        prepare(TINY, tiny.root, asked=None, like=other, resume=True)
    said = str(caught.value)
    assert "llm: scripted -> embedded-base" in said
    assert "pictures: 320x240 raycast -> 96x72 raycast" in said
    assert "vlm" not in said


def test_a_changed_suite_file_is_a_changed_configuration(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    shutil.copy(TINY, file)
    like, asked = replace(LIKE, address=str(file)), EpisodeSelection(("one",), ("a",), (0,))
    prepare(str(file), tmp_path / "run", asked=asked, like=like)
    file.write_text(file.read_text() + "# another word\n")
    with pytest.raises(ConfigurationChangedError, match=r"file mine\.py"):
        prepare(str(file), tmp_path / "run", asked=asked, like=like, resume=True)


def test_a_key_in_the_name_of_a_model_is_refused(tmp_path: Path) -> None:
    like = replace(LIKE, key=replace(LIKE.key, llm="http://me:secret@host/v1#m"))
    with pytest.raises(RegraspError, match="holds a key or password"):
        prepare(TINY, tmp_path / "run", asked=None, like=like)
    assert not (tmp_path / "run").exists()


def test_two_runners_do_not_share_a_folder(tmp_path: Path) -> None:
    refused = pytest.raises(RegraspError, match="another process")
    with lock_run_folder(tmp_path), refused, lock_run_folder(tmp_path):
        pass
    with lock_run_folder(tmp_path):
        assert (tmp_path / ".lock").exists()


@pytest.mark.parametrize(
    "asked", [EpisodeSelection(("six",), ("a",), (0,)), EpisodeSelection(("one",), ("z",), (0,))]
)
def test_unknown_names_are_refused(tmp_path: Path, asked: EpisodeSelection) -> None:
    with pytest.raises(UnknownNameError):
        prepare(TINY, tmp_path / "run", asked=asked, like=LIKE)


def test_an_unknown_executor_is_refused() -> None:
    with pytest.raises(RegraspError, match="local, ray, or ray://"):
        open_executor("slurm", 2)


def test_trouble_is_broken_and_hurts_nobody_else(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One raises, one is killed, one takes too much memory, one hangs; the others go on."""
    like = replace(LIKE, limits=replace(LIKE.limits, wall_s=6.0))
    asked = EpisodeSelection(("one", "two", "three", "four"), ("a", "trouble"), (0,))
    run = prepare(TINY, tiny.root, asked=asked, like=like)
    from regrasp.bench.runner import run_jobs

    list(run_jobs(run.jobs, tiny.root, LocalPool(2, memory_mb=250)))
    records = {(r.key.task, r.key.method): r for r in load_results(tiny.root).records}
    assert all(records[task, "a"].outcome is not Outcome.BROKEN for task, _ in records)
    why = {task: r.reason for (task, method), r in records.items() if method == "trouble"}
    assert why == {
        "one": "ZeroDivisionError: divided by a cup (in tiny_suite.py, line 73, in trouble)",
        "two": "its process died (killed by SIGKILL)",
        "three": "it took more than 250 MB and was stopped",
        "four": "it ran for more than 6 s and was stopped",
    }
    troubled = [r for r in records.values() if r.key.method == "trouble"]
    assert {r.outcome for r in troubled} == {Outcome.BROKEN}
    assert not any(r.claimed or r.done for r in troubled)
    for record in troubled:  # what was written before it broke is kept
        assert (tiny.root / record.trace / "trace.jsonl").exists()
    again = prepare(TINY, tiny.root, asked=asked, like=like, resume=True)
    assert {job.key for job in again.jobs} == {r.key for r in troubled}


def test_a_finished_episode_outlives_the_news_that_its_process_died(tiny: Tiny) -> None:
    from regrasp.bench.pool import BrokenJob
    from regrasp.bench.runner import _broken

    (first, *_) = tiny.run(methods=("a",), seeds=1)
    digest = read_manifest(tiny.root).job_digest(first.key)
    job = replace(LIKE, key=first.key, digest=digest)
    assert _broken(job, BrokenJob("its process died"), tiny.root) == first
    assert episode_folder(tiny.root, first.key).exists()
