"""A method on real physics, recorded: the kitchen from an instruction to a verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_tabletop import PLACE, FakeTabletop, FakeVision
from regrasp.core.claim import Claim
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import (
    FeedbackGiven,
    ImageTaken,
    Judged,
    ModelCalled,
    PlanMade,
    RunEnded,
    RunStarted,
    SkillEnded,
    VisionAsked,
)
from regrasp.core.goal import parse_goal
from regrasp.core.outcome import Outcome
from regrasp.core.trace import TraceEntry, read_trace
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import (
    EpisodeResult,
    EpisodeSpec,
    OwnRobot,
    Recording,
    WorldTask,
    run_episode,
)
from regrasp.episodes.setting import Setting, oracle_factory
from regrasp.methods.method import Assignment, Method
from regrasp.methods.parts import observer
from regrasp.methods.registry import open_method
from regrasp.models.vision import VisionModel


def record(
    out: Path, place: WorldTask, method: Method, recording: Recording, **options: Any
) -> EpisodeResult:
    spec = EpisodeSpec(
        place, method, "replan", ScriptedModel(), oracle_factory(), recording=recording
    )
    return run_episode(spec, out, **options)


FILMED, SILENT = Recording(size=(96, 72)), Recording(video=False, size=(96, 72))
CUBES = WorldTask("cubes", "match")


def test_the_apple_is_found_behind_the_kettle(tmp_path: Path) -> None:
    ended = record(
        tmp_path / "run",
        WorldTask("kitchen", seed=4),
        open_method("replan"),
        replace(FILMED, fps=2.0),
    )
    assert ended.claim.done and ended.done
    assert ended.spent.calls > 20 and ended.sim_s < 60
    events = read_trace(tmp_path / "run").events
    started, *_, judged, last = events
    assert isinstance(started, RunStarted) and started.instruction == "find the green_apple"
    assert started.versions["vision model"] == "oracle"
    assert isinstance(judged, Judged) and judged.done
    assert isinstance(last, RunEnded) and last.outcome is Outcome.SUCCEEDED
    plans = [e for e in events if isinstance(e, PlanMade)]
    why = [e for e in events if isinstance(e, FeedbackGiven)]
    assert why and why[0].feedback.reasons == ("kettle is blocking microwave",)
    assert len(plans) > 1  # to move the kettle, unless the door has knocked it aside
    assert any(isinstance(e, VisionAsked) and "green_apple" in e.question for e in events)
    shown = {e.image for e in events if isinstance(e, ImageTaken)}
    calls = [e for e in events if isinstance(e, ModelCalled)]
    assert {name for call in calls for said in call.messages for name in said.images} <= shown
    assert {"plan", "rewards", "look"} <= {call.purpose for call in calls}


def test_a_run_that_is_stopped_leaves_a_whole_trace(tmp_path: Path) -> None:
    seen: list[TraceEntry] = []

    def stop() -> str:
        return "enough" if seen and seen[-1].stamp.sim_s > 0.3 else ""

    with pytest.raises(KeyboardInterrupt):
        record(tmp_path, CUBES, open_method("replan"), FILMED, cancel=stop, watch=seen.append)
    *_, ended, last = read_trace(tmp_path).events
    assert isinstance(ended, SkillEnded) and ended.report.outcome is Outcome.ABORTED
    assert isinstance(last, RunEnded) and last.outcome is Outcome.ABORTED


def test_the_judge_has_the_last_word(tmp_path: Path) -> None:
    def boast(assignment: Assignment) -> Claim:
        return Claim(True, "I am great")

    ended = record(tmp_path, CUBES, boast, SILENT)
    assert ended.claim.done and not ended.done
    last = read_trace(tmp_path).events[-1]
    assert last == RunEnded(Outcome.SUCCEEDED, "I am great", "done, not seen")


def test_a_bug_in_a_method_is_called_broken(tmp_path: Path) -> None:
    def crash(assignment: Assignment) -> Claim:
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError):
        record(tmp_path, CUBES, crash, SILENT)
    last = read_trace(tmp_path).events[-1]
    assert isinstance(last, RunEnded) and last.outcome is Outcome.BROKEN


def give_up(assignment: Assignment) -> Claim:
    return Claim(False, assignment.instruction)


def spec(place: WorldTask | OwnRobot, **options: Any) -> EpisodeSpec:
    return EpisodeSpec(
        place,
        give_up,
        "give up",
        ScriptedModel(),
        oracle_factory(),
        recording=SILENT,
        **options,
    )


class TestTheGoal:
    def test_another_goal_is_judged_instead_of_the_tasks_own(self, tmp_path: Path) -> None:
        goals = {"on(?cube, crate)": False, "not on(red_cube, crate)": True}
        for number, (text, reached) in enumerate(goals.items()):
            folder = tmp_path / str(number)
            said = spec(CUBES, instruction="wait", goal=parse_goal([text]))
            assert run_episode(said, folder).done is reached
            started, *_, judged, _ = read_trace(folder).events
            assert isinstance(started, RunStarted) and started.instruction == "wait"
            assert started.versions["goal"] == text
            assert isinstance(judged, Judged) and judged.done is reached

    def test_a_goal_that_cannot_be_judged_is_refused_before_anything_is_written(
        self, tmp_path: Path
    ) -> None:
        with pytest.raises(RegraspError, match="unknown predicate 'sings'"):
            run_episode(spec(CUBES, goal=parse_goal(["sings(red_cube)"])), tmp_path / "run")
        assert not (tmp_path / "run").exists()

    def test_an_instruction_that_nothing_judges_has_no_verdict(self, tmp_path: Path) -> None:
        ended = run_episode(spec(CUBES, instruction="sing", judged=False), tmp_path)
        assert not ended.done and ended.claim.reason == "sing"
        assert not any(isinstance(event, Judged) for event in read_trace(tmp_path).events)


class TestARobotOfYourOwn:
    def test_it_needs_no_world(self, tmp_path: Path) -> None:
        made: list[FakeTabletop] = []

        def make() -> FakeTabletop:
            made.append(FakeTabletop())
            return made[-1]

        def see(setting: Setting) -> VisionModel:
            assert setting.world is None and setting.judge is None
            assert isinstance(setting.robot, FakeTabletop)
            return FakeVision(setting.robot)

        episode = EpisodeSpec(
            OwnRobot(make, tabletop_domain()), open_method("doremi"), "doremi", ScriptedModel(),
            see, instruction=PLACE, recording=SILENT,
        )  # fmt: skip
        ended = run_episode(episode, tmp_path)
        (robot,) = made
        assert ended.claim.done and robot.on["red_block"] == "fixture"
        assert ended.sim_s == robot.seconds > 0
        started, *rest = read_trace(tmp_path).events
        assert isinstance(started, RunStarted)
        assert (started.world, started.task, started.instruction) == ("fake", "", PLACE)
        assert not any(isinstance(event, Judged) for event in rest)

    def test_it_must_be_asked_for_something(self, tmp_path: Path) -> None:
        with pytest.raises(RegraspError, match="give an instruction"):
            run_episode(spec(OwnRobot(FakeTabletop)), tmp_path / "run")

    def test_no_oracle_knows_the_truth_about_it(self, tmp_path: Path) -> None:
        with pytest.raises(RegraspError, match="fake is not simulated"):
            run_episode(spec(OwnRobot(FakeTabletop), instruction=PLACE), tmp_path / "run")
        assert not (tmp_path / "run").exists()


def count_views(assignment: Assignment) -> Claim:
    return Claim(False, f"{len(observer(assignment).look())} views")


@pytest.mark.parametrize(("cameras", "views"), [((), "2 views"), (("wrist",), "1 views")])
def test_the_vision_model_sees_the_chosen_cameras_alone(
    tmp_path: Path, cameras: tuple[str, ...], views: str
) -> None:
    run = replace(spec(CUBES, cameras=cameras), method=count_views)
    assert run_episode(run, tmp_path).claim.reason == views
    started, *_ = read_trace(tmp_path).events
    assert isinstance(started, RunStarted)
    assert started.versions.get("cameras", "") == ", ".join(cameras)


def test_an_unknown_camera_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="front, side, wrist"):
        run_episode(spec(CUBES, cameras=("head",)), tmp_path / "run")
    assert not (tmp_path / "run").exists()
