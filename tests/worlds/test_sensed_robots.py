"""Robots with sensed estimates: their skills know what cameras showed them, and nothing else."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.worlds.registry import open_world, world_plan
from regrasp.worlds.sensed_arm import SensedArm
from regrasp.worlds.tabletop.sensed_robot import SensedTabletopRobot


def test_a_block_is_picked_from_where_the_cameras_show_it() -> None:
    world = open_world("tabletop", "pick-and-place", 2)
    with closing(SensedTabletopRobot(world, size=(224, 224))) as robot:
        truth, believed = world.data.body("red_block"), robot._arm.pose_of("red_block")
        assert 1e-9 < np.linalg.norm(believed.position - truth.xpos) < 0.005
        run = robot.start(Action("pick", ("red_block",)))
        while run.step():
            pass
        assert run.report is not None and run.report.outcome is Outcome.SUCCEEDED
        assert world.cup.holds == "red_block"


def test_a_change_that_was_not_seen_yet_is_not_known() -> None:
    world = open_world("tabletop", "pick-and-place", 2)
    with closing(SensedTabletopRobot(world, size=(224, 224))) as robot:
        before = robot._arm.pose_of("red_block").position
        start = int(world.model.joint("red_block_free").qposadr[0])
        world.data.qpos[start] += 0.05
        assert np.array_equal(robot._arm.pose_of("red_block").position, before)


def test_what_was_never_seen_cannot_be_reached() -> None:
    """The cube of this world is behind a locked door."""
    with closing(SensedArm(open_world("lever", "locked", 0), size=(96, 96))) as robot:
        run = robot.start(Action("pick", ("blue_cube",)))
        while run.step():
            pass
        assert run.report is not None and run.report.code is FailureCode.UNREACHED
        assert "not seen blue_cube" in str(run.report)


def test_a_robot_without_such_estimates_says_so() -> None:
    assert world_plan("cubes").robot_with(Estimates.SENSED) is SensedArm
    assert world_plan("household").robot_with(Estimates.PRIVILEGED) is None
    with pytest.raises(RegraspError, match="household has no sensed estimates"):
        world_plan("household").robot_with(Estimates.SENSED)
