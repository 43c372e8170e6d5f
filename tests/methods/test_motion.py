"""Following rewards on a robot: what it cannot do is a failure with its words, not an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from regrasp.control.rewards import ObjectHeight, RewardProgram
from regrasp.core.action import Action
from regrasp.core.execution import run_skill
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.methods.low_level import FOLLOW_REWARD, robot_message
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot


@pytest.fixture
def robot() -> Iterator[SimRobot]:
    with closing(SimRobot(open_world("cabinet", "closed", seed=0))) as made:
        yield made


def test_what_no_motion_can_do_is_refused_and_nothing_moves(robot: SimRobot) -> None:
    program = RewardProgram((ObjectHeight("wooden_cabinet", 0.5, primary=True),))
    report = run_skill(robot, Action(FOLLOW_REWARD, (str(program),)))
    assert report.outcome is Outcome.FAILED
    assert report.feedback is not None and report.feedback.code is FailureCode.REFUSED
    assert "Movable here: yellow_cube" in robot_message(report.feedback, "evidence")
    assert robot.seconds == 0.0


def test_a_skill_that_the_robot_does_not_have_is_refused(robot: SimRobot) -> None:
    report = run_skill(robot, Action("sing"))
    assert report.outcome is Outcome.FAILED and report.seconds == 0.0
    assert report.feedback is not None and report.feedback.code is FailureCode.REFUSED
    assert "unknown skill 'sing'" in report.feedback.error
