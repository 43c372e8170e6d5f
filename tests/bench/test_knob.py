"""How much goes wrong as a knob of a suite: versions of its tasks, and addresses that name them."""

from __future__ import annotations

import pytest

from regrasp.bench.manifest import configuration
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.suite import Knob, read_values, vary
from regrasp.bench.suite_registry import open_suite
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.registry import open_world

DROPS = Knob("p", "chance of a drop", usual=0.0, least=0.0, most=0.9)


def test_a_knob_reads_and_writes_what_follows_the_colon() -> None:
    assert DROPS.of("stack:p=0.1,n=2") == 0.1
    assert DROPS.of("stack:n=2") == DROPS.of("stack") == DROPS.of(None) == 0.0
    assert DROPS.set("stack:n=2", 0.3) == "stack:n=2,p=0.3"
    assert DROPS.set("stack:p=0.1", 0.0) == "stack:p=0"


def test_values_are_read_once_and_in_order() -> None:
    assert read_values("1,0,0.5,1.0") == (0.0, 0.5, 1.0)
    with pytest.raises(RegraspError, match="give some with commas"):
        read_values("0,often")


def test_every_task_is_there_at_every_value_and_the_world_takes_it() -> None:
    suite = open_suite("dkprompt:situations=0,2")
    names = [task.name for task in suite.tasks]
    assert len(names) == 2 * len(open_suite("dkprompt").tasks)
    assert names[:2] == ["boil-water-situations0", "boil-water-situations2"]
    assert open_world("household", suite.tasks[1].task, 0).task.name == "boil-water:situations=2"


def test_a_task_names_all_its_versions_and_a_version_itself() -> None:
    suite = open_suite("dkprompt:situations=0,0.5,1")
    chosen = [task.name for task in suite.chosen_tasks(["frozen-pie"])]
    assert chosen == [f"frozen-pie-situations{rate}" for rate in ("0", "0.5", "1")]
    assert [t.name for t in suite.chosen_tasks([chosen[1]])] == [chosen[1]]
    with pytest.raises(UnknownNameError, match="unknown task 'pie'"):
        suite.chosen_tasks(["pie"])


def test_the_papers_figures_stay_with_what_the_paper_ran() -> None:
    plain = open_suite("dkprompt").figures["dkprompt"]
    row = open_suite("dkprompt:situations=0,1").figures["dkprompt"]
    assert {task.removesuffix("-situations1"): paper for task, paper in row.items()} == plain
    assert open_suite("dkprompt:situations=0,0.5").figures == {}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("dkprompt:situations=3", "situations goes from 0 to 2"),
        ("dkprompt:weather=1", "unknown knob of suite dkprompt 'weather'"),
        ("doremi-arm:n=1", "choose among them with --tasks"),
        ("replan:situations=1", "Valid: none"),
        ("nothing:situations=1", "unknown suite 'nothing'"),
    ],
)
def test_what_cannot_be_varied_is_refused(address: str, said: str) -> None:
    with pytest.raises(RegraspError, match=said):
        open_suite(address)


def test_a_run_is_not_continued_with_other_values() -> None:
    plain = open_suite("dkprompt")
    job = EpisodeJob("dkprompt", EpisodeKey("dkprompt", "", "", "scripted", "oracle", 0))
    assert "varied" not in configuration(plain, job)
    assert configuration(vary(plain, "situations", (0.0, 1.0)), job)["varied"] == "situations=0,1"
