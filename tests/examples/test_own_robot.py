"""A robot and objects that the package has never heard of: every method works on them as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

import regrasp
from regrasp.cli.main import app
from regrasp.core.action import Action
from regrasp.core.conformance import check_robot
from regrasp.core.event import Disturbed, RunEnded, SkillEnded
from regrasp.core.execution import run_skill
from regrasp.core.feedback import FailureCode
from regrasp.core.loading import load_object
from regrasp.core.outcome import Outcome
from regrasp.core.trace import digest, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import (
    EpisodeResult,
    EpisodeSpec,
    OwnRobot,
    Recording,
    WorldTask,
    run_episode,
)
from regrasp.episodes.setting import domain_of
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import METHODS, default_method, open_method, refusal
from regrasp.worlds.registry import open_world, world_plan

FILE = str(Path(__file__).parents[2] / "examples" / "06_your_own_robot.py")
KINDS = ("gear", "bearing", "pallet", "toolbox", "workbench", "gantry")
SMALL = Recording(video=False, size=(64, 48))
LOOKING = ("replan", "dkprompt", "doremi", "inner-monologue", "cliport")
BLIND = ("saycan", "classical-planner")


def gantry() -> Any:
    return cast("Callable[[], Any]", load_object(f"{FILE}:robot"))()


def episode(out: Path, method: str, task: str, seed: int = 0) -> EpisodeResult:
    vision, place = vision_factory("oracle"), WorldTask(FILE, task, seed)
    spec = EpisodeSpec(place, open_method(method), method, ScriptedModel(), vision, recording=SMALL)
    ended = run_episode(spec, out)
    last = read_trace(out).events[-1]
    assert isinstance(last, RunEnded) and last.outcome is not Outcome.BROKEN
    return ended


def failure(robot: Any, name: str, *args: str) -> FailureCode | None:
    feedback = run_skill(robot, Action(name, args)).feedback
    return feedback.code if feedback is not None else None


# ---- the example is really a stranger ----------------------------------------------------------


def test_neither_worlds_nor_domains_nor_methods_know_its_objects_or_its_robot() -> None:
    package = Path(regrasp.__file__).parent
    rooms = ("worlds", "domains", "methods", "planners", "monitors", "perception", "episodes")
    sources = [file.read_text() for room in rooms for file in (package / room).rglob("*.p*y")]
    assert len(sources) > 100
    known = [kind for kind in KINDS for source in sources if f'"{kind}"' in source]
    assert known == []


@pytest.mark.parametrize("task", ["pallet", "weak-magnet", "toolbox"])
def test_every_task_starts_as_it_says_on_many_seeds(task: str) -> None:
    places = set()
    for seed in range(5):
        world = open_world(FILE, task, seed)  # raises unless the start literals hold
        places.add(tuple(world.data.body("gear").xpos[:2]))
    assert len(places) == 5


def test_its_robot_passes_the_conformance_check() -> None:
    assert [str(check) for check in check_robot(gantry) if not check.passed] == []


# ---- methods -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_every_method_works_or_is_refused_with_a_reason(method: str, tmp_path: Path) -> None:
    robot = gantry()
    why = refusal(method, robot, domain_of(robot))
    robot.close()
    if why:
        assert method == "language-to-rewards"
        assert why == f"{method} writes rewards, and gantry has no skill follow_reward"
        return
    ended = episode(tmp_path, method, "pallet")
    if method == "vlm-planner":  # its vision model must name actions, and the oracle does not
        assert not ended.claim.done and "named no action" in ended.claim.reason
    else:
        assert ended.claim.done and ended.done


@pytest.mark.parametrize("method", [*LOOKING, *BLIND])
def test_a_lid_is_opened_before_something_is_put_inside(method: str, tmp_path: Path) -> None:
    ended = episode(tmp_path, method, "toolbox")
    assert ended.claim.done and ended.done
    done = [e.report.action for e in read_trace(tmp_path).events if isinstance(e, SkillEnded)]
    assert [action.name for action in done] == ["open", "pick", "place"]


@pytest.mark.parametrize("method", LOOKING)
def test_who_looks_notices_that_the_gear_fell_and_takes_it_again(
    method: str, tmp_path: Path
) -> None:
    ended = episode(tmp_path, method, "weak-magnet")
    assert ended.claim.done and ended.done
    events = read_trace(tmp_path).events
    assert sum(isinstance(event, Disturbed) for event in events) == 1
    done = [e.report.action for e in events if isinstance(e, SkillEnded)]
    assert done.count(Action("pick", ("gear",))) == 2


@pytest.mark.parametrize("method", BLIND)
def test_who_does_not_look_claims_what_is_not_true(method: str, tmp_path: Path) -> None:
    ended = episode(tmp_path, method, "weak-magnet")
    assert ended.claim.done and not ended.done


def test_the_same_seed_gives_the_same_trace(tmp_path: Path) -> None:
    for name in ("first", "second"):
        episode(tmp_path / name, "doremi", "weak-magnet", seed=3)
    assert digest(tmp_path / "first") == digest(tmp_path / "second")


# ---- the robot ---------------------------------------------------------------------------------


def test_its_failures_have_codes() -> None:
    world = open_world(FILE, "weak-magnet", 0)
    robot: Any = world.plan.robot(world, renderer="raycast", size=(64, 48), emit=lambda event: None)
    assert failure(robot, "place", "gear", "pallet") is FailureCode.NOT_GRASPED
    assert failure(robot, "pick", "gear") is None
    assert failure(robot, "pick", "bearing") is FailureCode.NOT_GRASPED
    assert failure(robot, "place", "gear", "pallet") is FailureCode.DROPPED
    assert failure(robot, "pick", "bearing") is None
    assert failure(robot, "place", "bearing", "toolbox") is FailureCode.UNREACHED
    assert failure(robot, "place", "bearing", "gear") is FailureCode.REFUSED
    assert failure(robot, "place", "bearing", "workbench") is None


def test_the_robot_without_its_world_runs_a_method_and_leaves_a_trace(tmp_path: Path) -> None:
    spec = EpisodeSpec(
        OwnRobot(gantry),
        open_method("saycan"),
        "saycan",
        ScriptedModel(),
        vision_factory("embedded"),  # it knows none of these objects, and says so
        instruction="put the gear on the pallet",
        recording=SMALL,
    )
    ended = run_episode(spec, tmp_path)
    assert ended.claim.done and not ended.done  # nobody is there to judge
    events = read_trace(tmp_path).events
    done = [str(e.report) for e in events if isinstance(e, SkillEnded)]
    assert [report.split(" after ")[0] for report in done] == [
        "pick(gear) succeeded",
        "place(gear, pallet) succeeded",
    ]


# ---- commands ----------------------------------------------------------------------------------


def test_the_command_line_chooses_task_and_method_and_writes_a_page(tmp_path: Path) -> None:
    robot = gantry()
    assert default_method(robot, domain_of(robot)) == "doremi"
    robot.close()
    task = world_plan(FILE).task("toolbox")
    options = ["--vlm", "oracle", "--llm", "scripted", "--no-video", "--size", "64x48"]
    words = ["run", task.instruction, "--world", FILE, *options, "--out", str(tmp_path / "run")]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0 and "The judge" in ran.stdout
    (tmp_path / "run" / "report.html").unlink()
    viewed = CliRunner().invoke(app, ["view", str(tmp_path / "run")])
    page = tmp_path / "run" / "report.html"
    assert (viewed.exit_code, viewed.stdout) == (0, f"{page}\n")
    assert "toolbox" in page.read_text() and "<video" not in page.read_text()


def test_the_command_line_checks_the_robot() -> None:
    checked = CliRunner().invoke(app, ["check", "robot", f"{FILE}:robot"])
    assert checked.exit_code == 0
    assert f"{FILE}:robot: 23 of 23 checks passed\n" in checked.stdout
    assert "language-to-rewards" not in checked.stdout
