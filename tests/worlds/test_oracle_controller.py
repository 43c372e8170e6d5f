"""The oracle controller: what nothing prevents happens; what is in the way stays in the way."""

from __future__ import annotations

from contextlib import closing

import pytest

from regrasp.core.action import Action
from regrasp.core.conformance import check_robot
from regrasp.core.outcome import Outcome
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.oracle_controller import OracleRobot
from regrasp.worlds.registry import open_world


def opened(joint: str) -> str:
    return f'set_joint_fraction_reward("{joint}", 1, primary_reward=True)'


def brought(thing: str, to: str) -> str:
    touch = f'minimize_l2_distance_reward("palm", "{thing}")\n'
    return touch + f'minimize_l2_distance_reward("{thing}", "{to}", primary_reward=True)'


def taken(thing: str, off: str) -> str:
    return f'maximize_l2_distance_reward("{thing}", "{off}", primary_reward=True)'


DOORS = (opened("wooden_cabinet_left_door"), opened("wooden_cabinet_right_door"))
CUBE_IN = brought("yellow_cube", "target_position_in_wooden_cabinet")

SOLUTIONS = {
    ("cabinet", "open"): (CUBE_IN,),
    ("cabinet", "closed"): (*DOORS, CUBE_IN),
    ("cabinet", "barred"): (taken("red_bar", "wooden_cabinet_left_handle"), *DOORS, CUBE_IN),
    ("kitchen", "apple"): (taken("kettle", "microwave_handle"), opened("microwave_door")),
    ("lever", "locked"): (opened("lever"), opened("wooden_cabinet_door")),
    ("cubes", "occupied"): (taken("yellow_cube", "crate"), brought("red_cube", "crate")),
    ("sensor", "locked"): (brought("red_cube", "weight_sensor"), opened("stone_cabinet_door")),
}


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("where", SOLUTIONS, ids="/".join)
def test_the_right_motions_in_the_right_order_solve_the_task(
    where: tuple[str, str], seed: int
) -> None:
    world = open_world(*where, seed)
    with closing(OracleRobot(world)) as robot:
        assert "oracle" in robot.name
        for program in SOLUTIONS[where]:
            run = robot.start(Action("follow_reward", (program,)))
            while run.step():
                assert run.progress.stage == "oracle"
            assert run.report is not None and run.report.outcome is Outcome.SUCCEEDED
            assert 0.4 < run.report.seconds < 3.0
    assert WorldJudge(world).done()


@pytest.mark.parametrize(
    ("where", "program"),
    [
        (("cabinet", "barred"), DOORS[0]),
        (("cabinet", "closed"), CUBE_IN),
        (("kitchen", "apple"), opened("microwave_door")),
        (("lever", "locked"), opened("wooden_cabinet_door")),
        (("lever", "locked"), taken("blue_cube", "wooden_cabinet_handle")),
        (("cubes", "occupied"), brought("red_cube", "crate")),
        (("sensor", "locked"), opened("stone_cabinet_door")),
    ],
)
def test_what_is_truly_in_the_way_is_left_to_the_real_controller(
    where: tuple[str, str], program: str
) -> None:
    world = open_world(*where, 0)
    before = WorldJudge(world).truths()
    with closing(OracleRobot(world)) as robot:
        run = robot.start(Action("follow_reward", (program,)))
        for _ in range(5):
            assert run.step()
        assert run.progress.stage != "oracle"
        assert WorldJudge(world).truths() == before
        run.cancel("seen enough")
        run.step()
        assert run.report is not None and run.report.outcome is Outcome.ABORTED


def test_what_needs_a_hand_is_done_by_the_hand() -> None:
    with closing(OracleRobot(open_world("cubes", "match", 0))) as robot:
        run = robot.start(Action("rest"))
        run.step()
        assert run.progress.stage != "oracle"


def test_it_can_be_cancelled_while_things_move_by_themselves() -> None:
    with closing(OracleRobot(open_world("cabinet", "closed", 0))) as robot:
        run = robot.start(Action("follow_reward", (DOORS[0],)))
        assert run.step()
        run.cancel("enough")
        assert not run.step()
        assert run.report is not None and run.report.outcome is Outcome.ABORTED


def test_it_is_a_robot_like_any_other() -> None:
    def make() -> OracleRobot:
        return OracleRobot(open_world("cabinet", "closed", 0), size=(64, 48))

    checks = check_robot(make, Action("follow_reward", (DOORS[0],)))
    assert {check.name: check.advice for check in checks if not check.passed} == {}
