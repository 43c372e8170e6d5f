"""Suites are sound: what they name exists, and the paper's figures are the paper's."""

from __future__ import annotations

import hashlib
from pathlib import Path
from statistics import fmean

import pytest
from tiny_runs import TINY

from regrasp.bench.manifest import configuration
from regrasp.bench.naming import fingerprints, seeded
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.runner import all_episodes
from regrasp.bench.suite import Paper, Suite, SuiteMethod, SuiteTask
from regrasp.bench.suite_registry import SUITES, open_suite
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.goal import parse_goal
from regrasp.embedded.resolve import resolve_language
from regrasp.embedded.vision.network import WEIGHTS
from regrasp.episodes.setting import world_setting
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.recipes import judged_recipe
from regrasp.worlds.registry import open_world, world_plan

EACH = pytest.mark.parametrize("suite", [open_suite(name) for name in SUITES], ids=list(SUITES))


@EACH
def test_its_worlds_tasks_methods_and_models_exist(suite: Suite) -> None:
    for task in suite.tasks:
        world_plan(task.world).task(task.task)
        parse_goal(task.goal)
    for method in suite.methods:
        assert callable(method.method) or open_method(method.method)
    resolve_language(suite.llm or "scripted")
    vision_factory(suite.vlm)


def test_replan_has_the_eight_tasks_and_the_averages_of_table_1() -> None:
    suite = open_suite("replan")
    assert [task.paper for task in suite.tasks] == [f"Task {n}" for n in range(1, 9)]
    worlds = {(task.world, task.task): task.paper for task in suite.tasks}
    for (world, name), paper in worlds.items():
        assert world_plan(world).task(name).paper == f"REPLAN {paper}"
    averages = {
        method: round(100 * fmean(figure.rate for figure in row.values()), 1)
        for method, row in suite.figures.items()
    }
    assert averages == {
        "full": 88.6,
        "no-verifier": 74.3,
        "no-perceiver": 42.9,
        "no-replan": 34.3,
        "language-to-rewards": 24.3,
    }
    assert all(f.episodes == 10 for row in suite.figures.values() for f in row.values())


def test_a_method_on_request_runs_only_by_its_name() -> None:
    suite = open_suite("doremi-arm")
    usual, (one,) = suite.chosen_methods(), suite.chosen_methods(["doremi-log-only"])
    assert one in suite.methods and one not in usual
    assert [method for method in suite.methods if not method.on_request] == list(usual)
    assert one.name not in all_episodes(suite).methods


def test_a_suite_of_your_own_is_a_file() -> None:
    assert open_suite(TINY).name == "tiny"


def test_what_is_no_suite_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"Did you mean 'replan'\? Valid: FILE\.py, .*"):
        open_suite("replay")
    with pytest.raises(RegraspError, match="there is no file"):
        open_suite(str(tmp_path / "none.py"))
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(RegraspError, match=r"unknown name in .*SUITE"):
        open_suite(str(tmp_path / "empty.py"))


@pytest.mark.parametrize(
    "tasks",
    [
        (),
        (SuiteTask("a", "cubes"), SuiteTask("a", "lever")),
        (SuiteTask("../a", "cubes"),),
        (SuiteTask("a b", "cubes"),),
    ],
)
def test_names_that_cannot_be_folders_are_refused(tasks: tuple[SuiteTask, ...]) -> None:
    with pytest.raises(RegraspError, match="name of its own"):
        Suite("bad", "", tasks, (SuiteMethod("m", "replan"),))


def test_figures_of_what_is_not_there_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown task 'b'"):
        Suite(
            "bad",
            "",
            (SuiteTask("a", "cubes"),),
            (SuiteMethod("m", "replan"),),
            figures={"m": {"b": Paper(0.5, 10)}},
        )


# ---- models by one string ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "in_episode_17"),
    [
        ("scripted", "scripted"),
        ("oracle:tp=0.9,fp=0.05", "oracle:tp=0.9,fp=0.05"),
        ("degraded:drop_step=0.3:scripted", "degraded:drop_step=0.3,seed=17:scripted"),
        ("degraded:drop_step=0.3,seed=5:scripted", "degraded:drop_step=0.3,seed=22:scripted"),
        ("degraded:yes_to_no=0.2:oracle:tp=0.9", "degraded:yes_to_no=0.2,seed=17:oracle:tp=0.9"),
        (
            "degraded:drop_step:degraded:slow=1:http://host:80/v1#m",
            "degraded:drop_step=1,seed=17:degraded:slow=1,seed=17:http://host:80/v1#m",
        ),
        ("bayes:degraded:yes_to_no=0.2:embedded", "bayes:degraded:yes_to_no=0.2,seed=17:embedded"),
    ],
)
def test_a_degraded_model_has_other_dice_in_every_episode(name: str, in_episode_17: str) -> None:
    assert seeded(name, 17) == in_episode_17


def test_a_vision_model_by_name_for_a_world() -> None:
    names = ["oracle", "oracle:tp=0.9,fp=0.05", "degraded:yes_to_no=0.2:oracle"]
    with world_setting(open_world("cubes", "match", 0)) as setting:
        found = [vision_factory(name)(setting).name for name in names]
    assert found == [
        "oracle",
        "oracle:tp=0.9,fp=0.05",
        "degraded:yes_to_no=0.2:oracle",
    ]


def test_weights_and_cassettes_are_known_by_their_bytes(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"weights")
    (found,) = fingerprints(f"degraded:drop_step=0.2:gguf:{file}").items()
    assert found == ("model.gguf", hashlib.sha256(b"weights").hexdigest())
    assert fingerprints(f"bayes:recorded:{file}") == dict([found])
    assert fingerprints(f"recorded:{file}#scripted") == {}  # it grows while it is used
    assert fingerprints("scripted") == fingerprints("openai:gpt") == {}
    (tmp_path / "folder").mkdir()
    before = fingerprints(f"transformers:{tmp_path / 'folder'}")
    (tmp_path / "folder" / "config.json").write_text("{}")
    assert fingerprints(f"transformers:{tmp_path / 'folder'}") != before


def test_the_embedded_models_are_known_by_theirs() -> None:
    shipped = {file.name for file in WEIGHTS.iterdir()}
    assert shipped and shipped <= set(fingerprints("embedded"))


# ---- CoPAL --------------------------------------------------------------------------------------


def test_copal_has_ten_drinks_and_table_four() -> None:
    suite = open_suite("copal-barman")
    assert len(suite.tasks) == 10 and suite.plans is not None
    assert [method.paper for method in suite.methods] == [
        "MH2", "MH1", "MH0", "H2", "H1", "H0", "M", "BL",
    ]  # fmt: skip
    assert set(suite.plans.executable) == {method.name for method in suite.methods}


def test_table_five_pools_blocks_up_to_a_number() -> None:
    pools = {pool.name: pool for pool in open_suite("copal-blocks").pools}
    assert pools["3 blocks, drawn"].tasks == ("blocks-3",)
    assert pools["3 to 5 blocks, drawn"].tasks == ("blocks-3", "blocks-4", "blocks-5")
    assert len(pools["3 to 5 blocks, published"].tasks) == 5  # p02 to p06
    assert pools["3 to 5 blocks, drawn"].rates["copal"] == 0.73


def test_tasks_on_data_run_only_where_the_data_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite, variable = open_suite("copal-blocks"), "REGRASP_BLOCK_SCENES"
    monkeypatch.delenv(variable, raising=False)
    assert not any(task.needs for task in suite.chosen_tasks())
    assert suite.chosen_tasks(["scene-p02"])[0].needs == variable  # a report finds it by its name
    file = tmp_path / "scenes.json"
    file.write_text("{}")
    job = EpisodeJob(suite.name, EpisodeKey(suite.name, "", "", "scripted", "oracle", 0))
    assert f"file {variable}" not in configuration(suite, job)
    monkeypatch.setenv(variable, str(file))
    assert suite.chosen_tasks() == suite.tasks
    assert configuration(suite, job)[f"file {variable}"] == hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize("suite", ["copal-barman", "copal-pizza"])
def test_the_book_of_the_project_has_every_recipe_of_the_suites(suite: str) -> None:
    for task in open_suite(suite).tasks:
        recipe = judged_recipe((task.task or "").partition(":")[2], pizza=suite == "copal-pizza")
        assert recipe.mandatory
