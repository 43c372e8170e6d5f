"""The robot at the oven: a door that folds down, and a button that its finger pushes."""

from __future__ import annotations

from two_handed import kitchen

from regrasp.core.outcome import Outcome
from regrasp.worlds.two_arms.robot import TwoArmRobot
from small_bar import run


def test_the_oven_is_opened_and_switched_on() -> None:
    world = kitchen("pizza", "switch-oven-on", 3)
    robot = TwoArmRobot(world, size=(64, 48))
    for name in ("open_door", "finger_push"):
        report = run(robot, name, "oven")
        assert report.outcome is Outcome.SUCCEEDED, report
    assert not world.shut("oven")
    assert world.machines.switched_on("oven")
