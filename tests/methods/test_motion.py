"""Following rewards on a robot: what it cannot do is a failure with its words, not an error."""

from __future__ import annotations

from regrasp.control.rewards import ObjectHeight, RewardProgram
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.methods.motion import follow, told
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot


def test_what_no_motion_can_do_is_refused_and_nothing_moves() -> None:
    robot = SimRobot(open_world("cabinet", "closed", seed=0))
    report = follow(robot, RewardProgram((ObjectHeight("wooden_cabinet", 0.5, primary=True),)))
    assert report.outcome is Outcome.FAILED
    assert report.feedback is not None and report.feedback.code is FailureCode.REFUSED
    assert "Movable here: yellow_cube" in told(report.feedback, "evidence")
    assert robot.seconds == 0.0
    robot.close()
