"""Robots with sensed estimates: their skills know what cameras showed them, and nothing else."""

from __future__ import annotations

from contextlib import closing

import mujoco
import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.worlds.registry import open_world, world_plan
from regrasp.worlds.sensed_arm import SensedArm
from regrasp.worlds.tabletop.sensed_robot import SensedTabletopRobot
from regrasp.worlds.two_arms.sensed_robot import SensedTwoArmRobot
from regrasp.worlds.walker_room.sensed_robot import SensedWalkerRobot
from regrasp.worlds.walker_room.tasks import FROM


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


WALKER_SIZE = (160, 120)


def walker(box_at: tuple[float, float, float] | None = None) -> tuple[SensedWalkerRobot, str]:
    """A walker before its two tables, and the name of the box, which may be put elsewhere."""
    world = open_world("walker_room", "move-box", 0)
    (box,) = (thing.name for thing in world.scene.things.values() if thing.movable)
    if box_at is not None:
        start = int(world.model.joint(f"{box}_free").qposadr[0])
        world.data.qpos[start : start + 7] = [*box_at, 1.0, 0.0, 0.0, 0.0]
        mujoco.mj_forward(world.model, world.data)
    robot = SensedWalkerRobot(world, size=WALKER_SIZE)
    return robot, box


def done(robot: SensedWalkerRobot, name: str, *args: str) -> SkillReport:
    run = robot.start(Action(name, args))
    while run.step():
        pass
    assert run.report is not None
    return run.report


def test_the_walker_sees_a_box_roughly_from_afar_and_well_from_near() -> None:
    robot, box = walker()
    with closing(robot):
        truth = robot._world.data.body(box)
        far = np.linalg.norm(robot._body.pose_of(box).position - truth.xpos)
        assert 1e-6 < far < 0.05
        assert done(robot, "go_to", FROM).outcome is Outcome.SUCCEEDED
        assert np.linalg.norm(robot._body.pose_of(box).position - truth.xpos) < 0.01
        assert done(robot, "pick_up", box, FROM).outcome is Outcome.SUCCEEDED
        assert robot._world.holding == box
        assert np.linalg.norm(robot._body.pose_of(box).position - truth.xpos) < 0.02


def test_the_walker_refuses_a_box_by_the_height_at_which_it_sees_it() -> None:
    robot, box = walker(box_at=(1.2, 0.0, 0.1))  # on the floor
    with closing(robot):
        start = int(robot._world.model.joint(f"{box}_free").qposadr[0])
        robot._world.data.qpos[start + 2] = 0.5  # since the last look, somebody raises it
        report = done(robot, "pick_up", box, FROM)
        assert report.code is FailureCode.REFUSED and "out of reach" in str(report)


def test_the_walker_cannot_take_a_box_that_it_has_not_seen() -> None:
    robot, box = walker(box_at=(-4.0, 0.0, 0.1))  # behind every camera
    with closing(robot):
        report = done(robot, "pick_up_from_floor", box)
        assert report.code is FailureCode.UNREACHED and f"not seen {box}" in str(report)


def test_two_arms_take_a_block_from_where_they_believe_it_to_be() -> None:
    world = open_world("blocks", "stack:blocks=3", 42)
    with closing(SensedTwoArmRobot(world, size=WALKER_SIZE)) as robot:
        truth, arms = world.data.body("b1"), robot._arms
        off = np.linalg.norm(arms.pose_of("b1").position - truth.xpos)
        assert 1e-6 < off < 0.012  # the map is not exact, and the cameras are no better at 2 m
        run = robot.start(Action("get", ("b1", "table", "right_hand")))
        while run.step():
            pass
        assert run.report is not None and run.report.outcome is Outcome.SUCCEEDED
        assert arms.arms["right_hand"].holds == "b1" == world.grips["right"].holds
        assert np.linalg.norm(arms.pose_of("b1").position - truth.xpos) < 0.01


def test_a_block_that_was_moved_unseen_is_seen_before_the_next_skill() -> None:
    world = open_world("blocks", "stack:blocks=3", 42)
    with closing(SensedTwoArmRobot(world, size=(224, 224))) as robot:
        start = int(world.model.joint("b1_free").qposadr[0])
        before = robot._arms.pose_of("b1").position
        world.data.qpos[start + 1] += 0.12
        mujoco.mj_forward(world.model, world.data)
        assert np.array_equal(robot._arms.pose_of("b1").position, before)
        robot.start(Action("rest")).step()
        off = robot._arms.pose_of("b1").position - world.data.body("b1").xpos
        assert np.linalg.norm(off) < 0.015


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
    with pytest.raises(RegraspError, match="household has no sensed estimates: its skills are"):
        world_plan("household").robot_with(Estimates.SENSED)
    with pytest.raises(RegraspError, match="it always uses what it senses"):
        world_plan("apartment").robot_with(Estimates.SENSED)
