"""The walker's skills with its trained policy: it walks, turns, refuses, and stops when told to."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from regrasp.control.walking import WEIGHTS
from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.worlds.kit.walker import BASE
from regrasp.worlds.registry import open_world
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.robot import WalkerRobot
from regrasp.worlds.walker_room.tasks import FROM, OBSTACLE
from regrasp.worlds.walker_room.world import WalkerWorld
from world_oracle import open_oracle_vision

CARD = Path(__file__).parents[3] / "docs" / "models" / "walker.md"


def opened(task: str = "move-box", seed: int = 0) -> tuple[WalkerWorld, WalkerRobot]:
    world = open_world("walker_room", task, seed)
    assert isinstance(world, WalkerWorld)
    robot = WalkerRobot(world, size=(32, 24))
    return world, robot


def done(robot: WalkerRobot, name: str, *args: str) -> SkillReport:
    run = robot.start(Action(name, args))
    while run.step():
        pass
    assert run.report is not None
    return run.report


def yaw(world: WalkerWorld) -> float:
    x, y = world.data.body(BASE).xmat.reshape(3, 3)[:2, 0]
    return float(np.arctan2(y, x))


def test_the_weights_are_those_of_the_card() -> None:
    data = WEIGHTS.read_bytes()
    assert hashlib.sha256(data).hexdigest() in CARD.read_text(encoding="utf-8")
    assert len(data) < 2_000_000


def test_it_goes_to_the_table_and_takes_the_box() -> None:
    world, robot = opened()
    judge = WalkerJudge(world)
    (box,) = (thing.name for thing in world.scene.things.values() if thing.movable)
    assert done(robot, "go_to", FROM).outcome is Outcome.SUCCEEDED
    assert judge.holds("at", FROM)
    assert done(robot, "pick_up", box, FROM).outcome is Outcome.SUCCEEDED
    assert judge.holds("holding", box)
    assert not judge.holds("on", box, FROM)
    assert robot.joints().positions[-1] == 1.0


def test_a_box_that_lies_aside_is_come_to_without_turning_round() -> None:
    world, robot = opened()
    (box,) = (thing.name for thing in world.scene.things.values() if thing.movable)
    assert done(robot, "go_to", FROM).outcome is Outcome.SUCCEEDED
    table = world.data.body(FROM)
    facing = np.arctan2(table.xmat[3], table.xmat[0])
    qpos = world.data.qpos.copy()
    at = int(world.model.joint(f"{box}_free").qposadr[0])
    aside = table.xmat.reshape(3, 3)[:2, 1]
    qpos[at : at + 2] = table.xpos[:2] + 0.17 * aside
    world.set_state(qpos, world.data.userdata.copy())
    begun, run, turned = world.seconds, robot.start(Action("pick_up", (box, FROM))), 0.0
    while run.step():
        turned = max(turned, abs((yaw(world) - facing + np.pi) % (2 * np.pi) - np.pi))
    assert run.report is not None and run.report.outcome is Outcome.SUCCEEDED
    assert turned < 1.0 and world.seconds - begun < 14.0
    assert WalkerJudge(world).holds("holding", box)


def test_what_sags_between_the_hands_is_heaved_up_before_the_table() -> None:
    world, robot = opened()
    (box,) = (thing.name for thing in world.scene.things.values() if thing.movable)
    assert done(robot, "go_to", FROM).outcome is Outcome.SUCCEEDED
    assert done(robot, "pick_up", box, FROM).outcome is Outcome.SUCCEEDED
    qpos = world.data.qpos.copy()
    qpos[int(world.model.joint(f"{box}_free").qposadr[0]) + 2] -= 0.06
    world.set_state(qpos, world.data.userdata.copy())
    low = float(world.data.body(box).xpos[2])
    run, stages = robot.start(Action("go_to", (FROM,))), []
    while run.step():
        stages.append(run.progress.stage)
    assert "lift" in stages and WalkerJudge(world).holds("holding", box)
    assert float(world.data.body(box).xpos[2]) > low + 0.02
    world.grip.fail()
    run = robot.start(Action("go_to", (FROM,)))
    while run.step():
        assert run.progress.stage != "lift"  # nothing is held any more


def test_it_turns_about_an_eighth() -> None:
    world, robot = opened("obstacle-forest")
    before = yaw(world)
    assert done(robot, "turn_left").outcome is Outcome.SUCCEEDED
    assert yaw(world) - before == pytest.approx(0.8, abs=0.3)
    assert not world.fallen


def test_who_faces_away_from_the_gate_turns_around_and_stops_under_it() -> None:
    """It neither walks off the way it faces nor circles the gate."""
    world, robot = opened("obstacle-forest", 1)
    for _ in range(3):
        assert done(robot, "turn_left").outcome is Outcome.SUCCEEDED
    begun = world.seconds
    assert done(robot, "go_forward", "gate").outcome is Outcome.SUCCEEDED
    assert world.seconds - begun < 35.0 and WalkerJudge(world).holds("at", "gate")


def test_who_is_beside_the_gate_goes_in_from_before_it() -> None:
    world, robot = opened("obstacle-forest")
    world.data.qpos[:2] = [10.6, 1.5]  # straight on to its middle is a post
    world.set_state(world.data.qpos.copy(), world.data.userdata.copy())
    assert done(robot, "go_forward", "gate").outcome is Outcome.SUCCEEDED
    assert world.seconds < 15.0 and WalkerJudge(world).holds("at", "gate")


def test_what_cannot_be_done_is_refused_in_a_moment() -> None:
    world, robot = opened()
    (box,) = (thing.name for thing in world.scene.things.values() if thing.movable)
    nothing = done(robot, "put_down", box, FROM)
    assert nothing.feedback is not None
    assert nothing.feedback.code is FailureCode.NOT_GRASPED
    elsewhere = done(robot, "pick_up_from_floor", box)
    assert elsewhere.feedback is not None
    assert elsewhere.feedback.code is FailureCode.REFUSED
    assert world.seconds < 2.0
    with pytest.raises(UnknownNameError, match="table of go_to"):
        robot.start(Action("go_to", (box,)))


def test_a_walk_that_is_cancelled_ends_at_once_and_the_next_skill_brakes() -> None:
    world, robot = opened("obstacle-forest")
    run = robot.start(Action("go_forward", ("gate",)))
    while world.seconds < 1.5:
        run.step()
    run.cancel("enough")
    assert not run.step()
    run = robot.start(Action("stand", ()))
    run.step()
    assert run.progress.stage == "brake"
    while run.step():
        pass
    assert float(np.linalg.norm(world.data.qvel[:2])) < 0.1
    assert not world.fallen


def test_an_obstacle_is_in_the_way_on_the_side_where_it_stands() -> None:
    world, _ = opened("obstacle-forest:d=0.6", seed=3)
    judge, vision = WalkerJudge(world), open_oracle_vision(world)
    body = next(b for b in range(world.model.nbody) if world.model.body(b).name == f"{OBSTACLE}4")
    at = world.data.xpos[body]

    def sides(x: float, y: float) -> list[bool]:
        world.data.qpos[:2] = [x, y]
        world.data.qpos[3:7] = [1, 0, 0, 0]
        world.set_state(world.data.qpos.copy(), world.data.userdata.copy())
        return [judge.holds("clear", side) for side in ("left", "right")]

    assert sides(at[0] - 0.8, at[1] - 0.2) == [False, True]
    assert vision.answer([], "Is the way ahead on the left clear?").verdict is Verdict.NO
    assert vision.answer([], "Is there an obstacle ahead on the left?").verdict is Verdict.YES
    assert vision.answer([], "Is the robot at the gate?").verdict is Verdict.NO
    assert vision.topic("Is the way ahead on the left clear?") == "clear"
    assert sides(at[0] - 0.8, at[1] + 0.2) == [True, False]
    assert sides(at[0] - 0.8, at[1] + 0.6) == [True, True]
    assert sides(at[0] + 0.5, at[1]) == [True, True]


def test_the_forest_is_as_dense_as_its_name_says() -> None:
    counts = []
    for task in ("obstacle-forest", "obstacle-forest:d=0.3", "obstacle-forest:d=0.6"):
        world, robot = opened(task)
        names = [world.model.body(b).name for b in range(world.model.nbody)]
        counts.append(sum(name.startswith(OBSTACLE) for name in names))
        assert {*robot.objects()} == {"gate", "floor"}  # nobody tells of what is in the way
    assert counts == [0, 3, 5]
    with pytest.raises(RegraspError, match="no disturbance of this task"):
        open_world("walker_room", "obstacle-forest:p=0.1")
    with pytest.raises(RegraspError, match="no disturbance of this task"):
        open_world("walker_room", "move-box:d=0.1")
