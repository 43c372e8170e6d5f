"""A skill runs step by step, can be cancelled at once, and says why it failed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport, SkillRun
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.registry import open_world, world_plan
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import World

PULL = 'set_joint_fraction_reward("lever", 1, primary_reward=True)'


def start(world: World, program: str) -> SkillRun:
    return SimRobot(world).start(Action("follow_reward", (program,)))


def finish(run: SkillRun) -> SkillReport:
    while run.step():
        pass
    assert run.report is not None
    return run.report


def test_pulling_the_lever_unlocks_the_cabinet() -> None:
    world = open_world("lever", seed=1)
    report = finish(start(world, PULL))
    assert report.outcome is Outcome.SUCCEEDED and report.feedback is None
    assert not WorldJudge(world).holds("locked", "wooden_cabinet_door")
    assert report.seconds == pytest.approx(world.seconds)


def test_cancel_works_within_one_control_step() -> None:
    world = open_world("lever")
    run = start(world, PULL)
    for _ in range(30):
        run.step()
    before = world.seconds
    run.cancel("the person said stop")
    assert not run.step()
    assert world.seconds == before
    assert run.report is not None and run.report.outcome is Outcome.ABORTED
    assert run.report.feedback is not None
    assert run.report.feedback.code is FailureCode.CANCELLED
    assert "the person said stop" in run.report.feedback.error


@pytest.mark.parametrize("why", ["", None, 5])
def test_cancel_stops_whatever_the_reason_is(why: Any) -> None:
    run = start(open_world("lever"), PULL)
    run.step()
    run.cancel(why)
    assert not run.step()
    assert run.report is not None and run.report.outcome is Outcome.ABORTED


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("open", ["door"]),
        ("open", "door"),
        ("open", (3,)),
        (None, ()),
        ("open", None),
        (b"open", ()),
    ],
)
def test_an_action_of_another_type_is_refused(name: Any, args: Any) -> None:
    with pytest.raises(RegraspError, match="an action is a name and a tuple of names"):
        Action(name, args)


@pytest.mark.parametrize("wrong", ["open(door)", None, ("open", ("door",)), 5])
@pytest.mark.parametrize("world", ["lever", "tabletop", "household", "walker_room"])
def test_a_robot_starts_actions_only(world: str, wrong: Any) -> None:
    plan = world_plan(world)
    robot = plan.robot(open_world(world))
    with pytest.raises(RegraspError, match="starts an Action"):
        robot.start(wrong)
    with pytest.raises(RegraspError, match="unknown camera"):
        robot.look(wrong)


def test_a_locked_door_resists_and_the_report_says_only_what_the_arm_felt() -> None:
    world = open_world("lever", seed=0)
    report = finish(start(world, 'set_joint_fraction_reward("wooden_cabinet_door", 1)'))
    assert report.outcome is Outcome.FAILED and report.feedback is not None
    assert report.feedback.code is FailureCode.RESISTED
    measured = {e.name: e.value for e in report.feedback.evidence}
    assert isinstance(measured["peak_force"], float) and measured["peak_force"] > 15.0
    assert measured["moved_by"] == pytest.approx(0.0, abs=0.01)
    assert "lever" not in str(report.feedback) and "lock" not in str(report.feedback)


def test_time_is_out_when_the_program_says_so() -> None:
    world = open_world("lever")
    report = finish(start(world, PULL + "\nexecute_plan(0.5)"))
    assert report.outcome is Outcome.TIMED_OUT
    assert WorldJudge(world).holds("locked", "wooden_cabinet_door")


def test_divergence_becomes_feedback_and_never_a_nan_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    world = open_world("lever")
    run = start(world, PULL)
    run.step()
    world.data.qvel[2] = np.nan
    report = finish(run)
    assert report.outcome is Outcome.FAILED and report.feedback is not None
    assert report.feedback.code is FailureCode.GUARD
    assert not list(tmp_path.iterdir())  # MuJoCo left no log behind


def test_a_name_that_is_not_there_is_refused_before_anything_moves() -> None:
    with pytest.raises(RegraspError, match=r"Did you mean 'lever'\?"):
        start(open_world("lever"), 'set_joint_fraction_reward("levr", 1)')
