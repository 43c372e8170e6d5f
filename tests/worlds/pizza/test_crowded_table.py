"""The hand between things that stand close together in the pizza kitchen."""

from __future__ import annotations

from two_handed import kitchen

from regrasp.core.outcome import Outcome
from regrasp.worlds.two_arms.robot import TwoArmRobot
from small_bar import run


def test_a_hand_that_takes_a_bottle_leaves_its_neighbour_standing() -> None:
    world = kitchen("pizza", "add-ham", 71)
    report = run(TwoArmRobot(world, size=(64, 48)), "get", "bbq_sauce_bottle", "table")
    assert report.outcome is Outcome.SUCCEEDED, report
    assert world.data.body("olive_oil_bottle").xmat[8] > 0.999
    assert world.data.body("bbq_sauce_bottle").xmat[8] > 0.95, "it is held upright"
