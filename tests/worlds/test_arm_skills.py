"""The Franka's named skills in physics: the judge confirms what each of them reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from regrasp.core.action import Action
from regrasp.core.conformance import check_robot
from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact, parse_literals
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.perception.facts import gripper_sensor
from regrasp.worlds.arm import arm_world
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.button import add_button
from regrasp.worlds.kit.cabinet import DOOR_OPEN, add_cabinet
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.oracle_controller import OracleRobot
from regrasp.worlds.registry import open_world
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import Setup, Task, World

HAND_EMPTY = Fact("handempty")


def build_button_room(scene: Scene, task: str) -> Setup:
    """A button that unlocks a cabinet."""
    add_cabinet(scene, "cabinet", (0.67, 0.25, 0.0), width=0.34, doors=1)
    add_button(scene, "button", (0.45, -0.15, 0.0))
    scene.lock("cabinet_door", trigger="button", latching=True)
    return Setup(
        start=[*parse_literals("locked(cabinet_door)")],
        goal=[*parse_literals("open(cabinet_door)")],
    )


BUTTON_ROOM = arm_world(
    "button_room", "a button that unlocks a cabinet", (Task("press", "press the button"),),
    build_button_room,
)  # fmt: skip


def build_low_cabinet(scene: Scene, task: str) -> Setup:
    """An open cabinet that is too low to lift a cube in, with a cube in it."""
    add_cabinet(scene, "cabinet", (0.67, 0.1, 0.0), width=0.34, height=0.26, doors=1)
    add_cube(scene, "cube", (0.75, 0.1, 0.12))
    scene.start["cabinet_door"] = DOOR_OPEN
    return Setup(
        start=[*parse_literals("inside(cube, cabinet)")], goal=[*parse_literals("holding(cube)")]
    )


LOW_CABINET = arm_world(
    "low_cabinet", "a cube in a low cabinet", (Task("fetch", "pick the cube"),), build_low_cabinet
)


class Bench:
    """A robot in a world, its judge, and the stages that its skills went through."""

    def __init__(self, world: World, make: type[SimRobot] = SimRobot) -> None:
        self.world, self.robot, self.judge = world, make(world, size=(64, 48)), WorldJudge(world)
        self.stages: list[str] = []

    def do(self, name: str, *args: str) -> SkillReport:
        action = Action(name, args)
        run = self.robot.start(action)
        self.stages = []
        while run.step():
            if run.progress.stage not in self.stages[-1:]:
                self.stages.append(run.progress.stage)
        assert run.report is not None
        assert run.report.action == action
        return run.report

    def hand_feels_empty(self) -> bool | None:
        return gripper_sensor(self.robot)(HAND_EMPTY, frozenset())


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    opened: list[Bench] = []

    def make(*where: str, seed: int = 0, robot: type[SimRobot] = SimRobot) -> Bench:
        opened.append(Bench(open_world(*where, seed=seed), robot))
        return opened[-1]

    yield make
    for one in opened:
        one.robot.close()


def test_open_then_close_a_cabinet(bench: Callable[..., Bench]) -> None:
    one = bench("cabinet", "closed")
    assert one.do("open", "wooden_cabinet").outcome is Outcome.SUCCEEDED
    assert one.judge.holds("open", "wooden_cabinet_left_door")
    assert one.judge.holds("closed", "wooden_cabinet_right_door")
    assert one.stages[-2:] == ["retreat", "rest"]
    assert one.do("close", "wooden_cabinet").outcome is Outcome.SUCCEEDED
    assert one.judge.holds("closed", "wooden_cabinet_left_door")


def test_a_barred_cabinet_resists(bench: Callable[..., Bench]) -> None:
    one = bench("cabinet", "barred", seed=1)
    report = one.do("open", "wooden_cabinet")
    assert report.outcome is Outcome.FAILED and report.feedback is not None
    assert report.feedback.code is FailureCode.RESISTED
    assert {"peak_force", "moved_by"} <= {e.name for e in report.feedback.evidence}
    assert not one.judge.holds("open", "wooden_cabinet_left_door")


def test_pull_a_lever(bench: Callable[..., Bench]) -> None:
    one = bench("lever", seed=1)
    assert one.do("pull", "lever").outcome is Outcome.SUCCEEDED
    assert not one.judge.holds("locked", "wooden_cabinet_door")


def test_press_a_button_that_springs_back() -> None:
    one = Bench(World(BUTTON_ROOM))
    with closing(one.robot):
        assert one.judge.holds("locked", "cabinet_door")
        assert one.do("press", "button").outcome is Outcome.SUCCEEDED
        assert one.world.fraction("button") < 0.1
        assert not one.judge.holds("locked", "cabinet_door")


def test_what_was_picked_stays_in_the_hand_until_it_is_placed(bench: Callable[..., Bench]) -> None:
    one = bench("cubes", "match")
    assert one.hand_feels_empty()
    assert one.do("pick", "red_cube").outcome is Outcome.SUCCEEDED
    assert one.stages == ["grasp", "lift"]
    assert one.judge.holds("holding", "red_cube")
    assert one.world.data.site("red_cube").xpos[2] > 0.3
    assert one.hand_feels_empty() is False

    assert one.do("place", "red_cube", "crate").outcome is Outcome.SUCCEEDED
    assert "grasp" not in one.stages, "it never left the hand"
    assert one.stages[:3] == ["lift", "put", "release"] and one.stages[-1] == "rest"
    assert one.judge.holds("on", "red_cube", "crate")
    assert one.hand_feels_empty()


def test_what_has_a_roof_above_it_is_drawn_out_before_it_is_lifted() -> None:
    one = Bench(World(LOW_CABINET))
    with closing(one.robot):
        report = one.do("pick", "cube")
        assert report.outcome is Outcome.SUCCEEDED, report
        assert one.stages[-2:] == ["draw out", "lift"]
        assert one.judge.holds("holding", "cube")
        assert one.world.data.site("cube").xpos[2] > 0.3


def test_what_is_held_is_put_down_before_another_object_is_placed_on_it(
    bench: Callable[..., Bench],
) -> None:
    one = bench("cubes", "match")
    one.do("pick", "yellow_cube")
    report = one.do("place", "red_cube", "yellow_cube")
    assert report.outcome is Outcome.SUCCEEDED, report
    assert one.stages.index("release yellow_cube") < one.stages.index("grasp")
    assert one.judge.holds("on", "red_cube", "yellow_cube")


def test_move_an_object_off_the_crate(bench: Callable[..., Bench]) -> None:
    one = bench("cubes", "occupied")
    assert one.do("move_away", "yellow_cube", "crate").outcome is Outcome.SUCCEEDED
    assert one.judge.holds("apart", "yellow_cube", "crate")
    assert {"take away", "release"} <= set(one.stages)


def test_a_named_skill_is_cancelled_within_one_step(bench: Callable[..., Bench]) -> None:
    one = bench("cubes", "match")
    run = one.robot.start(Action("pick", ("red_cube",)))
    assert run.step()
    run.cancel("changed my mind")
    assert not run.step()
    assert run.report is not None and run.report.feedback is not None
    assert run.report.outcome is Outcome.ABORTED
    assert run.report.feedback.code is FailureCode.CANCELLED


def test_an_object_that_cannot_be_picked_is_refused_before_anything_moves(
    bench: Callable[..., Bench],
) -> None:
    one = bench("cubes", "match")
    with pytest.raises(UnknownNameError, match=r"Valid: red_cube, yellow_cube"):
        one.robot.start(Action("pick", ("crate",)))
    assert one.world.seconds == 0.0


def test_the_oracle_controller_does_named_skills_and_leaves_an_open_hand(
    bench: Callable[..., Bench],
) -> None:
    one = bench("cubes", "match", robot=OracleRobot)
    assert one.do("pick", "red_cube").outcome is Outcome.SUCCEEDED
    assert one.stages[-2:] == ["grasp", "lift"], "holding needs the hand"
    assert one.do("place", "red_cube", "crate").outcome is Outcome.SUCCEEDED
    assert one.stages == ["oracle"]
    assert one.judge.holds("on", "red_cube", "crate")
    assert one.hand_feels_empty()


def test_the_arm_conforms_with_a_named_skill() -> None:
    def make() -> SimRobot:
        return SimRobot(open_world("lever", seed=1), size=(64, 48))

    checks = check_robot(make, Action("pull", ("lever",)))
    assert {check.name: check.advice for check in checks if not check.passed} == {}
