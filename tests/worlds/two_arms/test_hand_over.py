"""Things that change hands or grasps on the way, and what a failure says of the hands."""

from __future__ import annotations

from two_handed import kitchen

from regrasp.control.hand_get import grasp_primitives, take
from regrasp.control.hand_grasps import hand_grasps
from regrasp.control.hand_over import change_grasp
from regrasp.control.hand_rest import at_rest
from regrasp.control.two_arms import carried_by
from regrasp.core.outcome import Outcome
from regrasp.worlds.two_arms.robot import TwoArmRobot
from small_bar import run, small_kitchen


def hold_by_the_neck(robot: TwoArmRobot, bottle: str, hand: str) -> None:
    """Let a hand take a bottle from above, where it holds the cap in."""
    arms = robot._arms
    arms.begin()
    above = list(hand_grasps(arms, arms.arms[hand], bottle))[-1]
    wanted = carried_by(bottle, above.poses[0], arms.pose_of(bottle))
    for _ in take(grasp_primitives(arms, bottle, hand, wanted)[0], bottle):
        pass


def test_what_a_hand_cannot_bring_there_the_other_one_does() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table", "left_hand")
    report = run(robot, "put", "gin_bottle", "mixer")
    assert report.outcome is Outcome.SUCCEEDED, report
    assert abs(world.at("gin_bottle")[1] - world.at("mixer")[1]) < 0.15
    assert world.data.body("gin_bottle").xmat[8] > 0.99


def test_a_put_that_fails_leaves_everything_in_its_hand_and_says_so() -> None:
    world, robot = small_kitchen()
    run(robot, "get", "gin_bottle", "table", "left_hand")
    run(robot, "get", "ice_bowl", "table", "right_hand")
    report = run(robot, "put", "gin_bottle", "mixer")
    assert report.feedback is not None
    held = {one.name: one.value for one in report.feedback.evidence if "hand" in one.name}
    assert held == {"left_hand": "gin_bottle", "right_hand": "ice_bowl"}
    assert (world.grips["left"].holds, world.grips["right"].holds) == ("gin_bottle", "ice_bowl")
    assert world.data.body("gin_bottle").xmat[8] > 0.95


def test_a_bottle_held_by_its_neck_is_taken_anew_before_it_is_unscrewed() -> None:
    world, robot = small_kitchen()
    hold_by_the_neck(robot, "gin_bottle", "left_hand")
    assert world.grips["left"].holds == "gin_bottle"
    report = run(robot, "unscrew", "gin_bottle")
    assert report.outcome is Outcome.SUCCEEDED, report
    assert not world.liquids.capped("gin_bottle")
    assert world.grips["left"].holds == "gin_bottle"


def test_what_was_taken_anew_is_held_high_before_it_is_carried_on() -> None:
    robot = TwoArmRobot(kitchen("pizza", "salt-on-tray", 61), size=(64, 48))
    run(robot, "get", "pizza_dough", "table", "left_hand")
    arms = robot._arms
    left, right = arms.arms.values()
    for _ in change_grasp(arms, left, "pizza_dough", robot._table(), right):
        pass
    assert right.holds == "pizza_dough"
    assert at_rest(right), "low over the bowls no way leads into the oven"
