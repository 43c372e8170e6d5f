"""The blocks world: drawn problems, problems of files, and who stands on whom."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from two_handed import REACH_M, deepest_overlap, furthest_move, put, reach

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.execution import run_skill
from regrasp.core.fact import Fact
from regrasp.core.outcome import Outcome
from regrasp.worlds.blocks.plan import PLAN
from regrasp.worlds.blocks.problems import (
    TABLE,
    BlocksProblem,
    draw_problem,
    published_problem,
    read_blocks_problem,
)
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.judge import TwoArmJudge
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld

PDDL = """
(define (problem some) (:domain blocks-of-somebody)
  (:objects a b-1 c)
  (:init (handempty) (ontable a) (on b-1 a) (ontable c) (clear b-1) (clear c))
  (:goal (and (on a c) (ontable b-1))))
"""
SAID = {
    "about": "text",
    "p1": {
        "domain": "You have 3 blocks. \nb2 is on top of b1. \nb1 is on the table. "
        "\nb3 is on the table. \nb2 is clear. ",
        "goal": "Your goal is to move the blocks. \nb3 should be on top of b2. \n",
    },
}


def blocks(task: str, seed: int = 0) -> TwoArmWorld:
    world = open_world("blocks", task, seed)
    assert isinstance(world, TwoArmWorld)
    return world


@pytest.mark.parametrize("count", [2, 5, 12, 20])
def test_drawn_problems_have_all_blocks_and_something_to_do(count: int) -> None:
    problems = [draw_problem(np.random.default_rng(seed), count) for seed in range(20)]
    names = {f"b{number}" for number in range(1, count + 1)}
    assert all(set(one.blocks) == names and one.goal and not one.solved for one in problems)
    assert len(set(problems)) > (1 if count == 2 else 10)
    for problem in problems:  # a goal can be built: no block is on two, and none carries two
        lower, upper = [y for _, y in problem.goal], [x for x, _ in problem.goal]
        assert len(set(lower)) == len(lower) and len(set(upper)) == len(upper)


@pytest.mark.parametrize(("task", "seed"), [("stack", 1), ("stack:12", 0), ("stack:20", 2)])
def test_towers_stand_within_reach_and_stay(task: str, seed: int) -> None:
    world = blocks(task, seed)
    assert deepest_overlap(world) < 0.001
    assert furthest_move(world, 5.0) < 0.002
    names = [thing.name for thing in world.scene.things.values() if thing.movable]
    assert all(REACH_M[0] < reach(world, name) < REACH_M[1] for name in names)


def test_the_judge_sees_who_stands_on_whom() -> None:
    world = blocks("stack")
    judge = TwoArmJudge(world)
    told = PLAN.domain(world).init  # type: ignore[misc]
    on = {f for f in told if f.predicate == "on"}
    assert {Fact.of("on", x, judge.support(x)) for x in world.scene.things if x[:1] == "b"} == on
    for literal in world.goal.literals:  # a hand from heaven builds the goal, bottom first
        assert literal.fact.predicate == "on"
    goal = {one.fact.args[0]: one.fact.args[1] for one in world.goal.literals}
    for x in sorted(goal, key=lambda x: depth(x, goal)):
        put(world, x, goal[x])
    assert judge.done()


def depth(block: str, goal: dict[str, str]) -> int:
    return 1 + depth(goal[block], goal) if block in goal else 0


def test_a_pddl_problem_is_a_task(tmp_path: Path) -> None:
    file = tmp_path / "some.pddl"
    file.write_text(PDDL)
    problem = read_blocks_problem(str(file))
    assert problem == BlocksProblem((("a", "b_1"), ("c",)), (("a", "c"), ("b_1", TABLE)))
    world = blocks(str(file))
    assert world.task.instruction == "put a on c and b_1 on the table"
    assert TwoArmJudge(world).holds("on", "b_1", "a")


def test_a_scene_in_sentences_is_a_task(tmp_path: Path) -> None:
    file = tmp_path / "scenes.json"
    file.write_text(json.dumps(SAID))
    problem = read_blocks_problem(f"{file}#p1")
    assert problem == BlocksProblem((("b1", "b2"), ("b3",)), (("b3", "b2"),))
    with pytest.raises(UnknownNameError, match="p1"):
        read_blocks_problem(f"{file}#p2")


def test_what_cannot_be_built_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match="2 to 20"):
        blocks("stack:21")
    with pytest.raises(RegraspError, match="number of blocks"):
        blocks("stack:many")
    with pytest.raises(RegraspError, match="cannot read"):
        blocks(str(tmp_path / "none.pddl"))
    with pytest.raises(UnknownNameError, match="block"):
        BlocksProblem((("a", "b"),), (("a", "c"),))
    (tmp_path / "air.pddl").write_text(PDDL.replace("(ontable a) ", ""))
    with pytest.raises(RegraspError, match="stands on nothing"):
        read_blocks_problem(str(tmp_path / "air.pddl"))


@pytest.mark.parametrize(
    "text",
    ['{"s": {"domain": 5, "goal": "x"}}', '{"s": {"domain": [], "goal": {}}}', "[" * 100_000],
)
def test_a_hostile_file_of_scenes_is_one_clear_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "scenes.json"
    file.write_text(text)
    with pytest.raises(RegraspError, match="holds no scenes of blocks"):
        read_blocks_problem(f"{file}#s")


def test_a_published_scene_is_read_from_the_file_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "scenes.json"
    file.write_text(json.dumps(SAID))
    monkeypatch.setenv("REGRASP_BLOCK_SCENES", str(file))
    assert published_problem("p1").goal == (("b3", "b2"),)
    monkeypatch.delenv("REGRASP_BLOCK_SCENES")
    with pytest.raises(RegraspError, match="set REGRASP_BLOCK_SCENES to its path"):
        published_problem("p1")


def test_the_number_of_blocks_may_have_its_name() -> None:
    assert PLAN.task("stack:blocks=5").name == "stack:blocks=5"
    assert len(blocks("stack:blocks=5").scene.things) == len(blocks("stack:5").scene.things)
    with pytest.raises(RegraspError, match="write the number of blocks"):
        PLAN.task("stack:blocks=many")


def test_a_tower_is_taken_down_near_the_robot_where_a_high_lift_is_out_of_reach() -> None:
    world = open_world("blocks", "stack:blocks=5", 30)  # b3 on b4 on b5 on b2, close to the right
    assert isinstance(world, TwoArmWorld)
    robot = TwoArmRobot(world, size=(64, 48))
    for name, *args in (
        ("get", "b3", "b4", "right_hand"),
        ("put", "b3", "table"),
        ("get", "b4", "b5", "right_hand"),
    ):
        report = run_skill(robot, Action(name, tuple(args)))
        assert report.outcome is Outcome.SUCCEEDED, report
