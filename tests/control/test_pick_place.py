"""Pick, place and rest: what they do, how they are stopped, and what they say when they fail."""

import numpy as np
import pytest

from regrasp.control.paths import find_path, solve_pose, straight_path
from regrasp.control.pick_place import pick, place, rest
from regrasp.control.staged_skill import StagedSkill, Stages
from regrasp.control.suction_arm import SuctionArm
from regrasp.core.action import Action
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.worlds.kit.ur5e import CUP, HOME, JOINTS, LINKS
from regrasp.worlds.registry import open_world
from regrasp.worlds.tabletop.world import TabletopWorld


class Bench:
    """An arm at a table, and the stages it went through."""

    def __init__(self, task: str = "stack-in-order", seed: int = 1) -> None:
        world = open_world("tabletop", task, seed)
        assert isinstance(world, TabletopWorld)
        self.world = world
        speeds = [link.speed for link in LINKS]
        self.arm = SuctionArm(world, world.scene.affordances(), JOINTS, CUP, HOME, speeds)
        self.stages: list[str] = []

    def start(self, stages: Stages) -> StagedSkill:
        return StagedSkill(Action("try"), stages, lambda: self.world.seconds)

    def do(self, stages: Stages) -> SkillReport:
        run = self.start(stages)
        self.stages = []
        while run.step():
            if run.progress.stage not in self.stages[-1:]:
                self.stages.append(run.progress.stage)
        assert run.report is not None
        return run.report

    def until(self, run: StagedSkill, stage: str, steps: int = 1) -> None:
        while run.progress.stage != stage:
            assert run.step()
        for _ in range(steps):
            assert run.step()

    def height(self, thing: str) -> float:
        return float(self.world.data.body(thing).xpos[2])


def code(report: SkillReport) -> FailureCode:
    assert report.outcome is Outcome.FAILED and report.feedback is not None
    return report.feedback.code


def test_pick_lifts_a_block_and_place_puts_it_on_another() -> None:
    bench = Bench()
    low = bench.height("red_block")
    assert bench.do(pick(bench.arm, "red_block")).outcome is Outcome.SUCCEEDED
    assert bench.stages == ["approach", "descend", "suck", "lift"]
    assert bench.height("red_block") - low == pytest.approx(0.10, abs=0.005)
    assert bench.arm.holds and bench.arm.carrying == "red_block"
    report = bench.do(place(bench.arm, "red_block", "green_block"))
    assert report.outcome is Outcome.SUCCEEDED and report.seconds < 2.5
    assert bench.stages == ["carry", "lower", "release", "retreat"]
    red, green = (bench.world.data.body(x) for x in ("red_block", "green_block"))
    assert red.xpos - green.xpos == pytest.approx([0, 0, 0.04], abs=0.003)
    across = abs(np.arctan2(*(red.xmat.reshape(3, 3).T @ green.xmat.reshape(3, 3))[1::-1, 0]))
    assert min(across % (np.pi / 2), -across % (np.pi / 2)) < 0.05  # turned as that one is
    assert not bench.arm.holds and not bench.arm.carrying
    assert bench.arm.guard.clamped == 0


def test_it_is_put_as_far_off_as_the_arm_errs() -> None:
    bench = Bench()
    bench.do(pick(bench.arm, "red_block"))
    bench.do(place(bench.arm, "red_block", "fixture", lambda: np.array([0.02, -0.01])))
    off = bench.world.data.body("red_block").xpos - bench.world.data.body("fixture").xpos
    assert off[:2] == pytest.approx([0.02, -0.01], abs=0.003)


def test_a_free_spot_of_the_table_is_found() -> None:
    bench = Bench()
    bench.do(pick(bench.arm, "red_block"))
    assert bench.do(place(bench.arm, "red_block", "table")).outcome is Outcome.SUCCEEDED
    red = bench.world.data.body("red_block").xpos
    assert bench.height("red_block") == pytest.approx(0.08, abs=0.002)
    for other in ("green_block", "blue_block", "fixture"):
        assert np.linalg.norm((bench.world.data.body(other).xpos - red)[:2]) > 0.05


def test_cancelled_in_the_middle_of_a_carry_it_brakes_and_keeps_holding() -> None:
    bench = Bench()
    bench.do(pick(bench.arm, "red_block"))
    run = bench.start(place(bench.arm, "red_block", "fixture"))
    bench.until(run, "carry", 30)
    assert np.abs(bench.arm.v).max() > 0.3
    before = bench.world.seconds
    run.cancel("the person said stop")
    assert not run.step() and bench.world.seconds == before
    assert run.report is not None and run.report.outcome is Outcome.ABORTED
    assert "the person said stop" in str(run.report.feedback)
    bench.do(rest(bench.arm))
    assert bench.stages == ["brake", "home"]
    assert bench.arm.holds and bench.height("red_block") > 0.2
    assert bench.do(place(bench.arm, "red_block", "fixture")).outcome is Outcome.SUCCEEDED


def test_a_drop_is_told_at_the_end_and_stops_nothing() -> None:
    bench = Bench()
    bench.do(pick(bench.arm, "red_block"))
    run = bench.start(place(bench.arm, "red_block", "fixture"))
    bench.until(run, "carry", 20)
    bench.world.cup.set("fails_until_s", bench.world.seconds + 0.25)
    while run.step():
        pass
    assert run.progress.stage == "retreat"
    assert run.report is not None and code(run.report) is FailureCode.DROPPED
    assert bench.height("red_block") < 0.1


def test_it_turns_to_where_a_thing_came_to_lie_without_getting_there_first() -> None:
    bench = Bench()
    run = bench.start(pick(bench.arm, "red_block"))
    bench.until(run, "approach", 10)
    bench.world.data.joint("red_block_free").qpos[1] -= 0.06
    bench.until(run, "brake")
    far = np.linalg.norm(bench.arm.cup.position - bench.world.data.body("red_block").xpos)
    assert far > 0.12, "it went where the block had been"
    while run.step():
        pass
    assert run.report is not None and run.report.outcome is Outcome.SUCCEEDED
    assert bench.arm.carrying == "red_block"


def test_a_full_hand_picks_nothing_and_an_empty_one_places_nothing() -> None:
    bench = Bench()
    report = bench.do(place(bench.arm, "red_block", "fixture"))
    assert code(report) is FailureCode.NOT_GRASPED and bench.stages == ["refuse"]
    bench.do(pick(bench.arm, "red_block"))
    assert code(bench.do(pick(bench.arm, "blue_block"))) is FailureCode.NOT_GRASPED
    assert code(bench.do(place(bench.arm, "blue_block", "fixture"))) is FailureCode.NOT_GRASPED
    assert bench.arm.holds


def test_what_something_stands_on_is_not_reached_and_the_report_does_not_say_what() -> None:
    bench = Bench()
    bench.do(pick(bench.arm, "blue_block"))
    bench.do(place(bench.arm, "blue_block", "red_block"))
    report = bench.do(pick(bench.arm, "red_block"))
    assert code(report) is FailureCode.UNREACHED
    assert any(f"would_touch = {part}" in str(report) for part in ("cup", "tool"))
    assert "blue" not in str(report)
    bench.do(pick(bench.arm, "green_block"))
    taken = bench.do(place(bench.arm, "green_block", "red_block"))
    assert code(taken) is FailureCode.UNREACHED and "blue" not in str(taken)
    assert bench.arm.holds


def test_out_of_reach_is_said_with_how_far() -> None:
    bench = Bench()
    joint = bench.world.data.joint("red_block_free")
    joint.qpos[:3] = [1.3, 0.0, 0.02]
    bench.world.advance(np.array([*bench.arm.q, 0.0]))
    report = bench.do(pick(bench.arm, "red_block"))
    assert code(report) is FailureCode.UNREACHED and "cm" in str(report)


def test_a_way_over_a_tower_is_found() -> None:
    """Straight from one side of a tower to the other, the arm would run into it."""
    bench = Bench()
    arm, data = bench.arm, bench.world.data
    data.joint("red_block_free").qpos[:] = [0.5, 0.0, 0.08, 1, 0, 0, 0]
    data.joint("green_block_free").qpos[:] = [0.5, 0.0, 0.12, 1, 0, 0, 0]
    arm.see()
    left, right = (arm.pointing_down(np.array([0.5, y, 0.10])) for y in (0.15, -0.15))
    start = solve_pose(arm, left)
    straight = np.array([start, solve_pose(arm, right)])
    assert arm.clearance.first_collision(straight) in ("cup", "tool")
    way = find_path(arm, start, right)
    assert len(way) == 3 and not arm.clearance.first_collision(np.concatenate(way))
    heights = [arm.kinematics.pose(q).position[2] for part in way for q in part]
    assert 0.14 < max(heights) < 0.20  # over it, and not higher than needed
    ends = [arm.kinematics.pose(q).position for q in (way[0][0], way[-1][-1])]
    assert ends[0] == pytest.approx(left.position, abs=1e-3)
    assert ends[1] == pytest.approx(right.position, abs=1e-3)


def test_a_way_may_begin_at_something_but_not_lead_through_it() -> None:
    bench = Bench()
    arm = bench.arm
    arm.see()
    top = bench.world.data.body("green_block").xpos + np.array([0.0, 0.0, 0.021])
    touching = solve_pose(arm, arm.pointing_down(top))
    away = straight_path(arm, touching, arm.pointing_down(top + np.array([0.0, 0.0, 0.1])))
    aside = straight_path(arm, touching, arm.pointing_down(top + np.array([0.0, 0.01, 0.0])))
    assert arm.clearance.first_collision(away) == ""
    assert arm.clearance.first_collision(away[::-1]) == "cup"
    assert arm.clearance.first_collision(aside) == "cup"
    assert arm.clearance.first_collision(aside, beside=("green_block",)) == ""


def test_a_leaning_block_is_taken_square_to_its_face() -> None:
    bench = Bench()
    data, lean = bench.world.data, 0.6
    at = bench.world.data.body("green_block").xpos
    joint = data.joint("red_block_free")
    high = 0.06 + 0.02 * (np.cos(lean) + np.sin(lean))
    joint.qpos[:] = [at[0] - 0.058, at[1], high, np.cos(lean / 2), 0, np.sin(lean / 2), 0]
    bench.world.model.opt.gravity[2] = -1e-3  # so that it stays as it was put
    assert bench.do(pick(bench.arm, "red_block")).outcome is Outcome.SUCCEEDED
    lifted = bench.arm.cup.rotation[:, 2]
    assert np.arccos(-lifted[2]) == pytest.approx(lean, abs=0.1)


def test_a_diverged_state_trips_the_guard() -> None:
    bench = Bench()
    run = bench.start(pick(bench.arm, "red_block"))
    run.step()
    bench.world.data.qvel[1] = np.nan
    while run.step():
        pass
    assert run.report is not None and code(run.report) is FailureCode.GUARD
