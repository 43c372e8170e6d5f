"""Blame by swap: a failed episode again, with one part at a time replaced by its oracle."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_table import PROMPTS, PromptFamily
from tiny_runs import LIKE, TINY, Tiny
from typer.testing import CliRunner

from regrasp.bench.blame import blame_runs, failed
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.run_job import run_job
from regrasp.bench.store import load_results
from regrasp.bench.swap import SplitLanguage, applicable, swapped_language
from regrasp.cli.main import app
from regrasp.core.errors import RegraspError
from regrasp.core.event import ModelCalled, RunStarted
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Capabilities, Completions, Request, RequestModel


class Loud(RequestModel):
    """The scripted reasoner under another name, which notes what it is asked."""

    name = "loud"
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.asked: list[str] = []

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.asked.append(request.messages[0].content.split("\n", 1)[0])
        return request.send(ScriptedModel(), cancel)


def first_line(family: PromptFamily) -> str:
    return family.example.HEAD.split("\n", 1)[0]


VERIFIER = {"step_needed", "reward_step", "wrong_names", "rewrite_names"}


@pytest.mark.parametrize("swap", ["planner", "verifier"])
def test_planner_and_verifier_are_told_apart_by_what_they_ask(swap: str) -> None:
    loud = Loud()
    model = swapped_language(loud, swap)
    assert isinstance(model, SplitLanguage)
    tasks = {family.name: family.example.HEAD.partition("\n")[0] for family in PROMPTS}
    for family in PROMPTS:
        if tasks[family.name].startswith("Task: "):
            model.complete(family.example.messages(), purpose=family.example.purpose)
    kept = {name for name, task in tasks.items() if task in loud.asked}
    assert kept.isdisjoint(VERIFIER) if swap == "verifier" else kept == VERIFIER
    assert "loud" in model.name and "scripted" in model.name


def test_another_swap_leaves_the_language_model_alone() -> None:
    loud = Loud()
    assert swapped_language(loud, "vision") is swapped_language(loud, "") is loud


def test_what_is_an_oracle_already_is_not_replaced() -> None:
    key = EpisodeKey("s", "t", "m", "scripted", "oracle", 0)
    assert applicable(key) == ("controller",)
    assert applicable(replace(key, vlm="oracle:tp=0.9")) == ("vision", "controller")
    assert applicable(replace(key, llm="degraded:drop_step:scripted")) == (
        "planner",
        "verifier",
        "controller",
    )


def test_the_parts_are_really_replaced(tmp_path: Path) -> None:
    """A cube and a crate, with a planner that loses steps, and a blind vision model."""
    worse, blind = "degraded:drop_step=1:scripted", "oracle:tp=0,fp=0"
    key = EpisodeKey("replan", "cubes-occupied", "full", worse, blind, 0)
    seen = {}
    for swap in ("planner", "verifier", "vision", "controller"):
        job = EpisodeJob("replan", key, replace(LIKE.limits, sim_s=0.1), size=(32, 24), swap=swap)
        record = run_job(job, tmp_path / swap)
        assert record.outcome is not Outcome.BROKEN, record.reason
        events = read_trace(tmp_path / swap / record.trace).events
        started = next(e for e in events if isinstance(e, RunStarted))
        looks = {e.model for e in events if isinstance(e, ModelCalled) and e.purpose == "look"}
        names = ("language model", "vision model", "robot")
        seen[swap] = (*(started.versions[name] for name in names), *looks)
    assert seen == {
        "planner": (f"scripted, verifier {worse}", blind, "panda", blind),
        "verifier": (f"{worse}, verifier scripted", blind, "panda", blind),
        "vision": (worse, "oracle", "panda", "oracle"),
        "controller": (worse, blind, "panda, oracle controller", blind),
    }


# ---- the whole of it, on the tiny suite --------------------------------------------------------


def test_which_swap_rescues_each_failed_episode(tiny: Tiny) -> None:
    root, worse = tiny.root, "degraded:drop_step:scripted"
    arguments = [TINY, "--methods", "a", "--episodes", "3", "--llm", worse]
    CliRunner().invoke(app, ["bench", *arguments, "--out", str(root), "--workers", "2"])
    before = load_results(root)
    lost = failed(before)
    assert lost
    result = CliRunner().invoke(app, ["blame", str(root), "--workers", "2", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [(row["task"], row["seed"]) for row in document["rows"]] == [
        (r.key.task, r.key.seed) for r in lost
    ]
    for row in document["rows"]:  # the tiny suite lets the planner rescue even seeds
        assert row["rescued_by"] == (["planner"] if row["seed"] % 2 == 0 else [])
        assert set(row["swaps"]) == {"planner", "verifier", "controller"}
        for trace in row["traces"].values():
            assert read_trace(root / trace).entries
    even = sum(r.key.seed % 2 == 0 for r in lost)
    parts = {part["swap"]: part for part in document["parts"]}
    assert (parts["planner"]["rescued"], parts["planner"]["only_this"]) == (even, even)
    assert parts["verifier"]["rescued"] == parts["controller"]["rescued"] == 0
    assert document["nobody_alone"] == len(lost) - even
    assert load_results(root).records == before.records  # the run itself is as it was
    (again,) = blame_runs(before, lost, ["planner"])
    assert again.jobs == ()


def test_nobody_is_to_blame_for_what_did_not_fail(tiny: Tiny) -> None:
    tiny.run(methods=("a",), seeds=1)
    results = load_results(tiny.root)
    with pytest.raises(RegraspError, match="nobody to blame"):
        blame_runs(results, failed(results, tasks=["none"]))


def test_a_swap_that_changes_nothing_is_refused(tiny: Tiny) -> None:
    tiny.run(methods=("a", "b"), seeds=3)
    results = load_results(tiny.root)
    with pytest.raises(RegraspError, match="cannot replace 'vision' here"):
        blame_runs(results, failed(results), ["vision"])
