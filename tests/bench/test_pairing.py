"""Pairs of episodes for a comparison: the same scenes on both sides, kept like any run's."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tiny_runs import LIKE, Tiny

from regrasp.bench.manifest import ConfigurationChangedError, read_manifest
from regrasp.bench.pairing import ComparisonSide, outcome_of, run_pairs, sides
from regrasp.bench.record import EpisodeJob
from regrasp.bench.run_job import JobResult, run_job
from regrasp.bench.sequential import PairOutcome, pairs
from regrasp.bench.store import load_results
from regrasp.core.errors import RegraspError
from regrasp.core.outcome import Outcome

TASKS = ("one", "two", "three", "four")


class Here:
    """An executor that plays in this process, one episode after another, the last job first."""

    def run(
        self, jobs: Sequence[EpisodeJob], root: Path
    ) -> Generator[tuple[EpisodeJob, JobResult], None, None]:
        for job in reversed(jobs):
            yield job, run_job(job, root)


def side(root: Path, method: str, **models: str) -> ComparisonSide:
    return ComparisonSide(root, replace(LIKE, key=replace(LIKE.key, method=method, **models)))


def drawn(count: int) -> list[tuple[str, int]]:
    return list(islice(pairs(TASKS, np.random.default_rng(1)), count))


def test_both_sides_play_the_same_scenes_in_the_order_of_the_draw(tmp_path: Path) -> None:
    a, b = side(tmp_path, "a"), side(tmp_path, "b")
    found = list(run_pairs(drawn(7), a, b, Here(), at_once=3))
    assert [(p.a.key.task, p.a.key.seed) for p in found] == drawn(7)
    assert [(p.b.key.task, p.b.key.seed) for p in found] == drawn(7)
    assert {p.a.key.method for p in found} == {"a"}
    assert {p.b.key.method for p in found} == {"b"}
    assert len(load_results(tmp_path).records) == 14


def test_no_more_is_played_than_was_asked_for(tmp_path: Path) -> None:
    coming = run_pairs(drawn(20), side(tmp_path, "a"), side(tmp_path, "b"), Here(), at_once=2)
    assert len(list(islice(coming, 3))) == 3
    coming.close()
    assert len(load_results(tmp_path).records) == 2 * 4


def test_what_is_finished_is_taken_from_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = Tiny(tmp_path / "run")
    monkeypatch.setenv("REGRASP_TINY_LOG", str(tiny.log))
    a, b = side(tiny.root, "a"), side(tiny.root, "b")
    first = list(run_pairs(drawn(4), a, b, Here(), at_once=1))
    again = list(run_pairs(drawn(6), a, b, Here(), at_once=1))
    assert [outcome_of(p) for p in again[:4]] == [outcome_of(p) for p in first]
    assert len(tiny.begun()) == len(set(tiny.begun())) == 12


def test_other_models_have_a_folder_of_their_own(tmp_path: Path) -> None:
    mine, other = LIKE.key, replace(LIKE.key, llm="degraded:drop_step=0.5:scripted")
    a, b = sides(
        tmp_path,
        replace(LIKE, key=replace(mine, method="a")),
        replace(LIKE, key=replace(other, method="a")),
    )
    list(run_pairs(drawn(2), a, b, Here(), at_once=2))
    assert read_manifest(tmp_path / "a").llm == "scripted"
    assert read_manifest(tmp_path / "b").llm == "degraded:drop_step=0.5:scripted"
    assert len(load_results(tmp_path / "b").records) == 2


def test_the_same_models_share_a_folder(tmp_path: Path) -> None:
    jobs = [replace(LIKE, key=replace(LIKE.key, method=name)) for name in ("a", "b")]
    assert [s.root for s in sides(tmp_path, *jobs)] == [tmp_path, tmp_path]


def test_a_side_is_not_compared_with_itself(tmp_path: Path) -> None:
    job = replace(LIKE, key=replace(LIKE.key, method="a"))
    with pytest.raises(RegraspError, match="both sides are a with the same models"):
        sides(tmp_path, job, job)


def test_a_folder_of_another_configuration_is_refused(tmp_path: Path) -> None:
    list(run_pairs(drawn(1), side(tmp_path, "a"), side(tmp_path, "b"), Here(), at_once=1))
    other = side(tmp_path, "a", vlm="oracle:tp=0.5"), side(tmp_path, "b", vlm="oracle:tp=0.5")
    with pytest.raises(ConfigurationChangedError, match=r"oracle -> oracle:tp=0\.5"):
        next(run_pairs(drawn(1), *other, Here(), at_once=1))


def test_what_broke_says_nothing_and_is_played_again_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = Tiny(tmp_path / "run")
    monkeypatch.setenv("REGRASP_TINY_LOG", str(tiny.log))
    a, b = side(tiny.root, "a"), side(tiny.root, "trouble")
    for tries in (1, 2):
        (pair,) = run_pairs([("one", 0)], a, b, Here(), at_once=1)
        assert pair.b.outcome is Outcome.BROKEN
        assert outcome_of(pair) == PairOutcome(pair.a.outcome is Outcome.SUCCEEDED, None)
        assert tiny.begun().count("one trouble 0") == tries
        assert tiny.begun().count("one a 0") == 1
