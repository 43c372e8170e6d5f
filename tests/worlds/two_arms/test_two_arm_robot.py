"""Skills of the two-armed robot in a small world: what it does, and what it says when it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.conformance import check_robot
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.feedback import FailureCode, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.worlds.kit.two_arms import TABLE_M
from small_bar import run, small_bar


def evidence(report: SkillReport) -> dict[str, object]:
    assert report.feedback is not None
    return {one.name: one.value for one in report.feedback.evidence}


def test_a_bottle_is_taken_with_the_better_hand_and_put_on_the_shelf_upright() -> None:
    world, robot = small_bar()
    taken = run(robot, "get", "gin_bottle", "table")
    assert taken.outcome is Outcome.SUCCEEDED
    assert taken.action == Action("get", ("gin_bottle", "table", "left_hand"))
    assert world.grips["left"].holds == "gin_bottle"
    away = {hand: not arm.at_rest for hand, arm in robot._arms.arms.items()}
    assert away == {"left_hand": True, "right_hand": False}  # as suggestions ask
    assert robot.joints().positions[-2] == pytest.approx(300.0)  # g, of the bottle
    put = run(robot, "put", "gin_bottle", "shelf")
    assert put.outcome is Outcome.SUCCEEDED
    assert world.within("gin_bottle", world.scene.tops["shelf_board_1"])
    assert world.data.body("gin_bottle").xmat[8] > 0.99
    assert not world.grips["left"].holds


def test_a_block_goes_from_one_hand_to_the_other_by_way_of_the_shelf() -> None:
    world, robot = small_bar(blocks={"red_block": (0.40, 0.60)}, bottles={})
    for name, *args in (
        ("get", "red_block", "table", "left_hand"),
        ("put", "red_block", "shelf"),
        ("get", "red_block", "shelf", "right_hand"),
        ("put", "red_block", "table"),
    ):
        report = run(robot, name, *args)
        assert report.outcome is Outcome.SUCCEEDED, report
    assert world.at("red_block")[2] == pytest.approx(TABLE_M + 0.025, abs=0.003)


def test_blocks_are_stacked() -> None:
    world, robot = small_bar(bottles={})
    run(robot, "get", "red_block", "table")
    assert run(robot, "put", "red_block", "blue_block").outcome is Outcome.SUCCEEDED
    offset = world.at("red_block") - world.at("blue_block")
    assert offset == pytest.approx([0.0, 0.0, 0.05], abs=0.004)


def test_what_stands_on_a_block_is_named() -> None:
    _, robot = small_bar(bottles={})
    run(robot, "get", "red_block", "table")
    run(robot, "put", "red_block", "blue_block")
    report = run(robot, "get", "blue_block", "table")
    assert report.feedback is not None
    assert report.feedback.level is FeedbackLevel.PHYSICAL
    assert report.code is FailureCode.COLLISION
    assert evidence(report)["would_hit"] == "red_block"
    assert report.feedback.suggestion == "Move the red_block away first."


def test_a_bottle_that_stands_before_another_is_named_and_moving_it_helps() -> None:
    """In the shelf a bottle is reached from the front only; what was in the way goes elsewhere."""
    _, robot = small_bar(
        blocks={}, bottles={"gin_bottle": (0.76, 0.03), "salt_bottle": (0.67, 0.03)}
    )
    report = run(robot, "get", "gin_bottle", "shelf")
    assert report.code is FailureCode.COLLISION
    assert evidence(report)["would_hit"] == "salt_bottle"
    for name, *args in (
        ("get", "salt_bottle", "shelf"),
        ("put", "salt_bottle", "shelf"),
        ("get", "gin_bottle", "shelf"),
    ):
        report = run(robot, name, *args)
        assert report.outcome is Outcome.SUCCEEDED, report


def test_out_of_reach_is_said_with_the_distance() -> None:
    _, robot = small_bar(blocks={"red_block": (0.80, 0.70)}, bottles={})
    report = run(robot, "get", "red_block", "table")
    assert report.code in (FailureCode.OUT_OF_REACH, FailureCode.JOINT_LIMIT)
    short = evidence(report)["out_of_reach"]
    assert isinstance(short, float)
    assert 0.01 < short < 0.4


def test_with_both_hands_full_nothing_more_is_taken() -> None:
    _, robot = small_bar()
    run(robot, "get", "gin_bottle", "table")
    run(robot, "get", "blue_block", "table")
    report = run(robot, "get", "red_block", "table")
    assert report.code is FailureCode.NOT_GRASPED
    assert evidence(report) == {"left_hand": "gin_bottle", "right_hand": "blue_block"}
    assert "Put gin_bottle down first" in str(report.feedback)


def test_a_cancelled_get_stops_at_once_and_the_next_skill_runs() -> None:
    world, robot = small_bar(bottles={})
    skill = robot.start(Action("get", ("red_block", "table", "left_hand")))
    while skill.progress.stage != "lift":
        assert skill.step()
    skill.cancel("the person said stop")
    assert skill.step() is False
    assert skill.report is not None
    assert skill.report.code is FailureCode.CANCELLED
    assert world.grips["left"].holds == "red_block"
    assert run(robot, "put", "red_block", "table").outcome is Outcome.SUCCEEDED


def test_a_lost_grasp_is_reported() -> None:
    world, robot = small_bar(bottles={})
    skill = robot.start(Action("get", ("red_block", "table", "left_hand")))
    while skill.progress.stage != "carry":
        assert skill.step()
    world.grips["left"].lose()
    while skill.step():
        pass
    assert skill.report is not None
    assert skill.report.code is FailureCode.DROPPED
    assert run(robot, "get", "red_block", "table").outcome is Outcome.SUCCEEDED


def test_a_snapshot_keeps_what_is_held() -> None:
    world, robot = small_bar(bottles={})
    run(robot, "get", "red_block", "table", "left_hand")
    held, at = world.snapshot(), world.at("red_block")
    run(robot, "put", "red_block", "table")
    world.restore(held)
    run(robot, "wait", "0.5")
    assert world.grips["left"].holds == "red_block"
    assert np.linalg.norm(world.at("red_block") - at) < 0.005


def test_a_door_is_opened_and_closed_by_its_handle() -> None:
    world, robot = small_bar(blocks={}, bottles={})
    assert run(robot, "open_door", "box").outcome is Outcome.SUCCEEDED
    assert world.fraction("box_door") > 0.7
    assert run(robot, "close_door", "box").outcome is Outcome.SUCCEEDED
    assert world.fraction("box_door") < 0.1


def test_a_locked_door_resists() -> None:
    world, robot = small_bar(blocks={}, bottles={}, locked=True)
    report = run(robot, "open_door", "box")
    assert report.code is FailureCode.RESISTED
    assert world.fraction("box_door") < 0.1


def test_it_waits_as_long_as_it_is_told() -> None:
    _, robot = small_bar(blocks={}, bottles={})
    assert run(robot, "wait", "2.5").seconds == pytest.approx(2.5, abs=0.02)


def test_wrong_arguments_are_refused_with_what_is_valid() -> None:
    _, robot = small_bar()
    with pytest.raises(UnknownNameError, match="gin_bottle"):
        robot.start(Action("get", ("jin_bottle", "table")))
    with pytest.raises(UnknownNameError, match="left_hand, right_hand"):
        robot.start(Action("get", ("gin_bottle", "table", "third_hand")))
    with pytest.raises(RegraspError, match=r"0\.1 to 600 s"):
        robot.start(Action("wait", ("soon",)))


def test_it_is_a_robot_like_any_other() -> None:
    checks = check_robot(lambda: small_bar(blocks={}, bottles={}, shelf=False)[1])
    assert [str(check) for check in checks if not check.passed] == []
