"""The matrix: methods down, worlds across, and why a method is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from regrasp.bench.manifest import EpisodeSelection, new_manifest
from regrasp.bench.record import EpisodeJob, EpisodeKey, EpisodeRecord, Limits
from regrasp.bench.report.document import Document, Text
from regrasp.bench.report.figure_style import draw
from regrasp.bench.report.figures import installed
from regrasp.bench.report.grid import Grid
from regrasp.bench.report.markdown import to_markdown
from regrasp.bench.report.matrix import matrix_figure, matrix_section
from regrasp.bench.report.provenance import lead
from regrasp.bench.run_job import run_job
from regrasp.bench.runner import episode_keys
from regrasp.bench.suite import refused
from regrasp.bench.suite_registry import open_suite
from regrasp.core.event import GoalUnderstood
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace
from regrasp.methods.registry import METHODS
from regrasp.worlds.registry import WORLDS

SUITE = open_suite("matrix")
KEY = EpisodeKey("matrix", "", "", "scripted", "oracle", 0)


def record(task: str, method: str, outcome: Outcome) -> EpisodeRecord:
    key = replace(KEY, task=task, method=method)
    done = outcome is Outcome.SUCCEEDED
    return EpisodeRecord(key, outcome, done, done, "", 12.0, 1.0, 1.0, 7, 0, 1, 0, 0, (), (), "x")


def test_it_has_every_world_and_the_methods_of_every_paper() -> None:
    assert {task.world for task in SUITE.tasks} == set(WORLDS)
    assert {method.method for method in SUITE.methods} <= set(METHODS)
    per_world = [sum(task.world == world for task in SUITE.tasks) for world in WORLDS]
    assert min(per_world) >= 1 and max(per_world) <= 4


def test_a_method_is_not_run_where_it_cannot_work() -> None:
    tasks = ("cubes-occupied", "tabletop-stack")
    asked = EpisodeSelection(tasks, ("replan", "language-to-rewards"), (0, 1))
    keys = {(key.task, key.method) for key in episode_keys(SUITE, asked, KEY)}
    assert keys == {
        ("cubes-occupied", "replan"),
        ("cubes-occupied", "language-to-rewards"),
        ("tabletop-stack", "replan"),
    }
    (task,), (method,) = (
        SUITE.chosen_tasks(["tabletop-stack"]),
        SUITE.chosen_methods(["language-to-rewards"]),
    )
    assert "has no skill follow_reward" in refused(task, method)


def test_every_method_gets_a_goal_that_one_reader_has_read(tmp_path: Path) -> None:
    assert all(method.read_first for method in SUITE.methods)
    key = replace(KEY, task="cubes-occupied", method="inner-monologue")
    record = run_job(EpisodeJob("matrix", key, Limits(sim_s=0.1), size=(32, 24)), tmp_path)
    events = read_trace(tmp_path / record.trace).events
    understood = next(e for e in events if isinstance(e, GoalUnderstood))
    assert any("on(" in clause for clause in understood.goal)


def test_reading_first_is_part_of_the_configuration() -> None:
    (method,) = SUITE.chosen_methods(["replan"])
    assert str(method) == "replan, instruction read first" and method.address == "replan"
    assert str(replace(method, read_first=False)) == "replan"


def test_episodes_that_cannot_be_run_are_not_missing() -> None:
    tasks, methods = ("cubes-occupied", "tabletop-stack"), ("replan", "language-to-rewards")
    like = EpisodeJob("matrix", KEY)
    asked = EpisodeSelection(tasks, methods, (0,))
    manifest = new_manifest({"suite": "matrix", "llm": KEY.llm, "vlm": KEY.vlm}, like, asked, 1.7e9)
    records = [
        record(key.task, key.method, Outcome.FAILED) for key in episode_keys(SUITE, asked, KEY)
    ]
    whole, without_one = (lead(Grid.of(SUITE, r), manifest) for r in (records, records[1:]))
    assert whole[-1] == Text("No episode broke.")
    assert isinstance(without_one[-1], Text) and "Of 3 episodes" in without_one[-1].text


def test_the_table_has_worlds_across_and_says_what_is_missing(tmp_path: Path) -> None:
    records = [
        record("cubes-occupied", "replan", Outcome.SUCCEEDED),
        record("tabletop-stack", "replan", Outcome.FAILED),
        record("cubes-occupied", "language-to-rewards", Outcome.BROKEN),
    ]
    grid = Grid.of(SUITE, records)
    section = matrix_section(grid)
    assert section is not None
    text = to_markdown(Document("matrix", [], [section]), {})
    assert "| cubes | tabletop |" in text and "1 of 1" in text and "0 of 1" in text
    assert "broken" in text and "has no skill follow" in text
    assert matrix_section(replace(grid, suite=replace(SUITE, by_world=False))) is None
    if installed():
        assert draw({"matrix": lambda: matrix_figure(grid)}, tmp_path)["matrix"].startswith(
            b"<?xml"
        )
    else:
        pytest.skip("matplotlib is not installed")
