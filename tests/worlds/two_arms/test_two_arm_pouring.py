"""Caps, pouring and buttons: what the two-armed robot does with vessels."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from small_bar import run, small_kitchen


def test_a_bottle_is_unscrewed_with_two_hands_and_poured_by_weight() -> None:
    world, robot = small_kitchen()
    assert run(robot, "get", "gin_bottle", "table").outcome is Outcome.SUCCEEDED
    assert run(robot, "unscrew", "gin_bottle").outcome is Outcome.SUCCEEDED
    assert not world.liquids.capped("gin_bottle")
    assert run(robot, "pour", "gin_bottle", "glass", "40").outcome is Outcome.SUCCEEDED
    assert world.liquids.amount("glass", "gin") == pytest.approx(40.0, abs=1.5)
    assert world.liquids.spilt() == {}
    assert run(robot, "screw", "gin_bottle").outcome is Outcome.SUCCEEDED
    assert world.liquids.capped("gin_bottle")


def test_a_capped_bottle_gives_nothing_and_the_report_says_so() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table")
    report = run(robot, "pour", "gin_bottle", "glass", "40")
    assert report.code is FailureCode.EMPTY
    assert "0 ml came out" in str(report.feedback)
    assert world.liquids.volume("glass") == 0.0


def test_a_nearly_empty_bottle_gives_what_it_has() -> None:
    world, robot = small_kitchen(stock=15.0)
    run(robot, "get", "gin_bottle", "table")
    world.liquids.set_cap("gin_bottle", False)
    report = run(robot, "pour", "gin_bottle", "glass", "40")
    assert report.code is FailureCode.EMPTY
    poured = {one.name: one.value for one in report.feedback.evidence}["poured"]  # type: ignore[union-attr]
    assert poured == pytest.approx(world.liquids.amount("glass", "gin"), abs=0.1)


def test_more_than_fits_is_not_poured() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table")
    report = run(robot, "pour", "gin_bottle", "glass", "250")
    assert report.code is FailureCode.OVERFLOW
    assert world.liquids.volume("glass") == 0.0


def test_a_cancelled_pour_tilts_back_at_once_and_spills_nothing() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table")
    world.liquids.set_cap("gin_bottle", False)
    skill = robot.start(Action("pour", ("gin_bottle", "glass", "150")))
    while world.liquids.volume("glass") < 20.0:
        assert skill.step()
    skill.cancel("stop!")
    assert skill.step() is False
    assert skill.report is not None
    assert skill.report.code is FailureCode.CANCELLED
    assert world.data.body("gin_bottle").xmat[8] > 0.9
    poured = world.liquids.volume("glass")
    assert poured < 40.0
    run(robot, "wait", "1")
    assert world.liquids.volume("glass") == poured
    assert world.liquids.spilt() == {}


def test_ice_is_poured_from_a_bowl_held_from_above() -> None:
    world, robot = small_kitchen()
    assert run(robot, "get", "ice_bowl", "table").outcome is Outcome.SUCCEEDED
    assert run(robot, "pour", "ice_bowl", "glass", "30").outcome is Outcome.SUCCEEDED
    assert world.liquids.amount("glass", "ice_cubes") == pytest.approx(30.0, abs=1.5)


def test_a_finger_pushes_a_button() -> None:
    world, robot = small_kitchen()
    assert run(robot, "finger_push", "mixer").outcome is Outcome.SUCCEEDED
    assert world.machines.switched_on("mixer")
