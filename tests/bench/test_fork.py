"""Fork from a failure: the recorded run again up to a decision, and another way from there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from regrasp.bench.fork import decisions, fork, new_fork_name
from regrasp.bench.manifest import EpisodeSelection as AskedFor
from regrasp.bench.record import EpisodeJob, EpisodeKey, Limits
from regrasp.bench.run_job import run_job
from regrasp.bench.runner import prepare
from regrasp.cli.main import app
from regrasp.core.errors import RegraspError
from regrasp.core.event import Event, Forked, Judged, ModelCalled, PersonAsked, VisionAsked
from regrasp.core.goal import parse_goal
from regrasp.core.person import Prepared
from regrasp.core.trace import digest, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method
from regrasp.models.budget import Price
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Capabilities, Completions, Request, RequestModel
from regrasp.view.page import write_page
from regrasp.worlds.oracle_controller import OracleRobot


def record(out: Path, **options: Any) -> tuple[Event, ...]:
    """A run in which things move by themselves, so that it is quick."""
    spec = EpisodeSpec(
        WorldTask("cubes", "match", seed=3, robot=OracleRobot),
        open_method("replan"),
        "replan",
        ScriptedModel(),
        vision_factory("oracle"),
        recording=Recording(video=False, size=(48, 36)),
    )
    run_episode(replace(spec, **options), out)
    return read_trace(out).events


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vision model that misses much of what there is, so its dice matter."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    record(folder, vision=vision_factory("oracle:tp=0.6,fp=0.2"))
    return folder


def after(folder: Path) -> tuple[Event, ...]:
    """The events after the fork."""
    events = read_trace(folder).events
    return events[next(i for i, e in enumerate(events) if isinstance(e, Forked)) + 1 :]


def timeless(events: tuple[Event, ...]) -> list[str]:
    return [str(event) for event in events]


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_without_a_change_the_branch_is_the_same_run(
    recorded: Path, tmp_path: Path, part: float
) -> None:
    known = decisions(recorded)
    at = known[int(part * len(known))].at
    fork(recorded, at, tmp_path / "again", video=False)
    events = read_trace(recorded).events
    branch = read_trace(tmp_path / "again").events
    assert timeless(branch[:at]) == timeless(events[:at])
    assert timeless(after(tmp_path / "again")) == timeless(events[at:])
    forked = branch[at]
    assert isinstance(forked, Forked)
    assert (forked.at, forked.changes, forked.digest) == (at, {}, digest(recorded))
    assert (tmp_path / "again" / forked.run).resolve() == recorded.resolve()


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_a_run_that_asked_back_is_forked_with_the_same_answer(tmp_path: Path, part: float) -> None:
    asked = {"instruction": "put the cube on the crate", "read_first": True}
    events = record(tmp_path / "run", **asked, person=Prepared(["yellow"]), judged=True)
    known = decisions(tmp_path / "run")
    at = known[int(part * len(known))].at
    fork(tmp_path / "run", at, tmp_path / "again", video=False)
    assert timeless(after(tmp_path / "again")) == timeless(events[at:])
    branch = read_trace(tmp_path / "again").events
    (question,) = (event for event in branch if isinstance(event, PersonAsked))
    assert question.chosen == "the yellow cube"


def test_another_vision_model_from_a_decision_on(recorded: Path, tmp_path: Path) -> None:
    at = decisions(recorded)[0].at
    ended = fork(recorded, at, tmp_path / "new", vlm="oracle", video=False)
    assert ended.done
    new = read_trace(tmp_path / "new").events
    (forked,) = (e for e in new if isinstance(e, Forked))
    assert (forked.at, forked.changes) == (at, {"vlm": "oracle"})
    assert {e.model for e in after(tmp_path / "new") if isinstance(e, ModelCalled)} == {
        "scripted",
        "oracle",
    }


def test_the_page_of_a_fork_shows_both_branches(recorded: Path, tmp_path: Path) -> None:
    at = decisions(recorded)[0].at
    fork(recorded, at, tmp_path / "new", vlm="oracle", video=False)
    page = write_page(tmp_path / "new").read_text()
    both = page.partition("Two branches")[2].partition("<main")[0]
    assert "As it was" in both and "From here: vlm: oracle" in both
    ends = [e for f in (recorded, tmp_path / "new") for e in read_trace(f).events]
    words = ["Done" if e.done else "Not done" for e in ends if isinstance(e, Judged)]
    assert [f">{word}</strong>" in both for word in words] == [True, True]
    assert "Two branches" not in write_page(recorded, tmp_path / "recorded.html").read_text()
    gone = read_trace(tmp_path / "new").folder / "trace.jsonl"
    gone.write_text(gone.read_text().replace(digest(recorded), "0" * 64))
    assert "has changed since" in write_page(tmp_path / "new").read_text()


def test_a_reply_put_into_the_model_s_mouth(tmp_path: Path) -> None:
    events = record(tmp_path / "run")
    at = next(i for i, e in enumerate(events) if isinstance(e, ModelCalled) and e.purpose == "plan")
    reply = "Thought: I know better.\n1. Open the crate"
    fork(tmp_path / "run", at, tmp_path / "new", edits={"reply": reply}, video=False)
    call, *rest = after(tmp_path / "new")
    assert isinstance(call, ModelCalled)
    assert (call.model, call.replies, call.purpose) == ("by hand", (reply,), "plan")
    assert {e.model for e in rest if isinstance(e, ModelCalled)} == {"scripted", "oracle"}


@pytest.mark.parametrize("name", ["prompt", "hint"])
def test_the_text_that_is_asked(name: str, tmp_path: Path) -> None:
    events = record(tmp_path / "run")
    at = next(i for i, e in enumerate(events) if isinstance(e, ModelCalled) and e.purpose == "plan")
    was = events[at]
    assert isinstance(was, ModelCalled)
    fork(tmp_path / "run", at, tmp_path / "new", edits={name: "Say nothing."}, video=False)
    call = after(tmp_path / "new")[0]
    assert isinstance(call, ModelCalled)
    assert call.messages[0] == was.messages[0]
    before = was.messages[-1].text
    assert call.messages[-1].text == (
        "Say nothing." if name == "prompt" else f"{before}\nSay nothing."
    )


def test_an_answer_of_the_vision_model(tmp_path: Path) -> None:
    events = record(tmp_path / "run")
    at = next(i for i, e in enumerate(events) if isinstance(e, ModelCalled) and e.purpose == "look")
    fork(tmp_path / "run", at, tmp_path / "new", edits={"reply": "no"}, video=False)
    call, told, *_ = after(tmp_path / "new")
    assert isinstance(call, ModelCalled) and call.verdict == "no"
    assert isinstance(told, VisionAsked) and told.answer == "no"


class Hosted(RequestModel):
    """A model that costs: it must not be asked again for what it said already."""

    name = "openai:costly"
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.calls = 0

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.calls += 1
        return request.send(ScriptedModel(), cancel)


def test_a_model_that_costs_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Hosted()
    events = record(tmp_path / "run", language=first, price=Price(2.0, 8.0))
    at = [i for i, e in enumerate(events) if isinstance(e, ModelCalled)][12]
    then = sum(isinstance(e, ModelCalled) and e.model == first.name for e in events[at:])
    second = Hosted()
    monkeypatch.setattr("regrasp.bench.fork.resolve_language", lambda name: second)
    fork(tmp_path / "run", at, tmp_path / "new", llm=first.name, video=False)
    assert timeless(after(tmp_path / "new"))[-1] == timeless(events)[-1]
    assert 0 < second.calls == then < first.calls


def test_a_run_that_does_not_replay_as_recorded_is_refused(recorded: Path, tmp_path: Path) -> None:
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    lines = (recorded / "trace.jsonl").read_text().splitlines(keepends=True)
    changed = [line.replace('"answer":"yes"', '"answer":"no"') for line in lines]
    assert changed != lines
    (spoilt / "trace.jsonl").write_text("".join(changed))
    with pytest.raises(RegraspError, match="differs from the recording"):
        fork(spoilt, decisions(recorded)[-1].at, tmp_path / "new", video=False)


def test_the_goal_that_was_given_is_judged_again(tmp_path: Path) -> None:
    record(tmp_path / "run", goal=parse_goal(["not holding(yellow_cube)"]))
    at = decisions(tmp_path / "run")[-1].at
    assert fork(tmp_path / "run", at, tmp_path / "new", video=False).done


def test_an_episode_of_a_bench_keeps_its_method_and_its_limits(tmp_path: Path) -> None:
    key = EpisodeKey("replan", "", "", "scripted", "oracle", 0)
    like = EpisodeJob("replan", key, Limits(sim_s=0.2), size=(32, 24), swap="controller")
    asked = AskedFor(("cubes-match",), ("no-verifier",), (0,))
    run = prepare("replan", tmp_path / "run", asked=asked, like=like)
    record = run_job(run.jobs[0], tmp_path / "run")
    folder = tmp_path / "run" / record.trace
    assert "out of time after 0.2 s" in record.reason
    ended = fork(folder, decisions(folder)[-1].at, tmp_path / "new", video=False)
    assert ended.claim.reason == record.reason
    name = new_fork_name(folder, 7)  # beside the episodes, and not among them
    assert name == tmp_path / "run" / "forks" / "cubes-match-no-verifier-0-fork-7"


# ---- the command -------------------------------------------------------------------------------


def test_the_command_lists_decisions_and_forks(recorded: Path, tmp_path: Path) -> None:
    listed = CliRunner().invoke(app, ["fork", str(recorded), "--json"])
    rows = json.loads(listed.stdout)["rows"]
    assert [row["at"] for row in rows] == [d.at for d in decisions(recorded)]
    at = str(rows[0]["at"])
    arguments = ["fork", str(recorded), "--at", at, "--vlm", "oracle", "--no-video", "--json"]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "new")])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["done"], row["fork"]) == (True, str(tmp_path / "new"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--at", "0"], "has events 1 to"),
        (["--at", "99999"], "has events 1 to"),
        (["--at", "5", "--set", "mood=good"], "unknown --set"),
        (["--at", "5", "--set", "hint"], "give NAME=TEXT"),
        (["--at", "5", "--set", "hint=@nowhere"], "cannot read"),
    ],
)
def test_what_cannot_be_forked_is_refused(
    recorded: Path, arguments: list[str], said: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(
        app, ["fork", str(recorded), *arguments, "--out", str(tmp_path / "x")]
    )
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not (tmp_path / "x").exists()
