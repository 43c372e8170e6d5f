"""The tabletop: its tasks can be done, its blocks really fall, and nobody's luck is a surprise."""

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.conformance import check_robot
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import Disturbed, Event, EventSink
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport, SkillRun
from regrasp.worlds.disturbance import Disturbance
from regrasp.worlds.examples import tabletop_robot
from regrasp.worlds.registry import open_world
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.plan import PLAN
from regrasp.worlds.tabletop.robot import TabletopRobot
from regrasp.worlds.tabletop.world import TabletopWorld
from regrasp.worlds.world import ignore_event
from world_oracle import open_oracle_vision

BLOCKS = ("red_block", "green_block", "blue_block")


def table(task: str = "stack-in-order", seed: int = 0) -> TabletopWorld:
    world = open_world("tabletop", task, seed)
    assert isinstance(world, TabletopWorld)
    return world


def robot_at(world: TabletopWorld, emit: EventSink = ignore_event) -> TabletopRobot:
    return TabletopRobot(world, size=(64, 48), emit=emit)


def do(robot: Robot, skill: str, *args: str) -> SkillReport:
    run = robot.start(Action(skill, args))
    while run.step():
        pass
    assert run.report is not None
    return run.report


def steps(world: TabletopWorld) -> list[tuple[str, str]]:
    """Which block goes on what, in order: every literal of the goal is on(block, place)."""
    assert all(one.positive and one.fact.predicate == "on" for one in world.goal.literals)
    return [(block, place) for block, place in (one.fact.args for one in world.goal.literals)]


def follow_goal(world: TabletopWorld, robot: Robot) -> None:
    for thing, place in steps(world):
        assert do(robot, "pick", thing).outcome is Outcome.SUCCEEDED
        assert do(robot, "place", thing, place).outcome is Outcome.SUCCEEDED


def put(world: TabletopWorld, **blocks: tuple[float, float, float]) -> None:
    """Put blocks somewhere, level and at rest, and let them settle."""
    for name, at in blocks.items():
        world.data.joint(f"{name}_block_free").qpos[:] = [*at, 1, 0, 0, 0]
        world.data.joint(f"{name}_block_free").qvel[:] = 0.0
    for _ in range(30):
        world.advance(np.array([*world.data.qpos[:6], 0.0]))


class TestTasks:
    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_a_block_is_put_on_the_fixture_well_within_its_time(self, seed: int) -> None:
        world = table("pick-and-place", seed)
        follow_goal(world, robot_at(world))
        assert TabletopJudge(world).done() and world.seconds < 4.0

    @pytest.mark.parametrize("seed", [0, 1])
    def test_three_blocks_are_stacked_in_the_order_asked_for(self, seed: int) -> None:
        world = table("stack-in-order", seed)
        order = [block for block, _ in steps(world)]
        assert world.task.instruction.endswith(f"in the order {', '.join(order)}")
        follow_goal(world, robot_at(world))
        judge = TabletopJudge(world)
        assert judge.done() and judge.holds("stacked", *order)
        assert not judge.holds("stacked", *order[::-1]) and world.seconds < 12.0

    def test_the_seed_decides_the_order_and_where_things_stand(self) -> None:
        orders = {table(seed=seed).task.instruction for seed in range(12)}
        assert len(orders) >= 4
        one, other = (table(seed=seed).data.qpos for seed in (0, 1))
        assert not np.allclose(one, other) and np.array_equal(one, table(seed=0).data.qpos)

    def test_blocks_have_the_paper_s_sizes(self) -> None:
        large, small = table("pick-and-place"), table()
        assert large.scene.things["red_block"].extent == (0.04, 0.03)
        assert {small.scene.things[name].extent for name in BLOCKS} == {(0.02, 0.02)}

    def test_a_disturbance_is_part_of_a_task_s_name_and_moves_nothing_at_the_start(self) -> None:
        calm, wild = table(), table("stack-in-order:p=0.1,n=2")
        assert wild.disturbance == Disturbance(0.1, 2.0) and calm.disturbance == Disturbance()
        assert wild.task.name == "stack-in-order:p=0.1,n=2"
        assert np.array_equal(calm.data.qpos, wild.data.qpos) and calm.goal == wild.goal
        with pytest.raises(RegraspError, match="is no disturbance"):
            PLAN.task("stack-in-order:x=1")
        with pytest.raises(UnknownNameError, match="stack-in-order"):
            PLAN.task("stack:p=0.1")


class TestRobot:
    def test_it_keeps_what_the_seam_promises(self) -> None:
        failed = [str(c) for c in check_robot(tabletop_robot) if not c.passed]
        failed += [
            str(c)
            for c in check_robot(tabletop_robot, Action("pick", ("red_block",)))
            if not c.passed
        ]
        assert failed == []

    def test_it_feels_what_it_holds_by_its_pressure_sensor(self) -> None:
        world = table("pick-and-place")
        robot = robot_at(world)

        def vacuum() -> float:
            reading = robot.joints()
            return dict(zip(reading.names, reading.positions, strict=True))["vacuum"]

        assert vacuum() == 0.0
        do(robot, "pick", "red_block")
        assert vacuum() == 1.0
        do(robot, "place", "red_block", "fixture")
        assert vacuum() == 0.0

    def test_pictures_are_of_the_size_asked_for(self) -> None:
        image = TabletopRobot(table()).look("left")
        assert image.rgb.shape == (480, 640, 3) and image.depth.shape == (480, 640)

    @pytest.mark.parametrize(
        "action",
        [
            Action("pick", ("fixture",)),
            Action("pick", ("red_cube",)),
            Action("place", ("table", "red_block")),
            Action("place", ("red_block", "red_block")),
            Action("place", ("red_block",)),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, action: Action) -> None:
        with pytest.raises(RegraspError, match=r"red_block|pick"):
            robot_at(table()).start(action)

    def test_the_same_seed_gives_the_same_history(self) -> None:
        ends = []
        for _ in range(2):
            world, events = table("stack-in-order:p=0.2,n=2", 3), list[Event]()
            robot = robot_at(world, events.append)
            for thing, place in steps(world):
                do(robot, "pick", thing)
                do(robot, "place", thing, place)
            ends.append((world.data.qpos.copy(), world.seconds, events))
        assert np.array_equal(ends[0][0], ends[1][0]) and ends[0][1:] == ends[1][1:]

    def test_a_snapshot_holds_the_vacuum_and_the_luck(self) -> None:
        world = table("pick-and-place:p=0.3", 7)
        robot = robot_at(world)
        do(robot, "pick", "red_block")
        before = world.snapshot()
        lasted = [world.cup.get(slot) for slot in ("level", "held_s", "holds")]
        do(robot, "rest")
        world.restore(before)
        assert [world.cup.get(slot) for slot in ("level", "held_s", "holds")] == lasted
        assert lasted[0] == 1.0 and lasted[1] > 0.1


class TestDisturbed:
    def dropped(self) -> tuple[TabletopWorld, SkillRun, list[Event]]:
        """A place up to a drop in the middle of its carry."""
        for seed in range(40):
            if not 0.6 < Disturbance(0.3).hold_s(seed, 0) < 1.0:
                continue
            world, events = table("pick-and-place:p=0.3", seed), list[Event]()
            robot = robot_at(world, events.append)
            do(robot, "pick", "red_block")
            run = robot.start(Action("place", ("red_block", "fixture")))
            while run.step() and not events:
                pass
            return world, run, events
        raise AssertionError("no seed drops in the middle of a carry")

    def test_a_dropped_block_really_falls_and_the_skill_says_so_at_its_end(self) -> None:
        world, run, events = self.dropped()
        assert run.progress.stage == "carry" and run.report is None
        assert events == [
            Disturbed(
                Action("place", ("red_block", "fixture")),
                "the vacuum fails, and the red_block falls",
            )
        ]
        judge, high = TabletopJudge(world), world.data.body("red_block").xpos[2]
        assert not judge.holds("holding", "red_block") and high > 0.12
        while run.step():
            pass
        assert world.data.body("red_block").xpos[2] < high - 0.03
        assert run.progress.stage == "retreat"
        assert run.report is not None and run.report.feedback is not None
        assert run.report.feedback.code is FailureCode.DROPPED
        assert "red_block" in run.report.feedback.error

    def test_a_pick_whose_vacuum_fails_while_it_lifts_says_so(self) -> None:
        luck = Disturbance(0.3)
        seed = next(seed for seed in range(60) if 0.12 < luck.hold_s(seed, 0) < 0.3)
        report = do(robot_at(table("pick-and-place:p=0.3", seed)), "pick", "red_block")
        assert report.feedback is not None and report.feedback.code is FailureCode.DROPPED

    def test_noise_puts_blocks_off_and_towers_fall(self) -> None:
        """With blocks of 4 cm, one that is put more than 2 cm off cannot stand."""
        luck, stood = Disturbance(n=3.0), dict[bool, bool]()
        for seed in range(40):
            far = [float(np.hypot(*luck.offset(seed, k))) for k in range(2)]
            tips = far[1] > 0.024
            if tips in stood or not (tips or far[1] < 0.014):
                continue
            world, events = table("stack-in-order:n=3", seed), list[Event]()
            robot = robot_at(world, events.append)
            (first, fixture), (second, _), _ = steps(world)
            for thing, place in ((first, fixture), (second, first)):
                do(robot, "pick", thing)
                do(robot, "place", thing, place)
            do(robot, "rest")
            told = [f"it is put down {100 * f:.1f} cm off" for f in far]
            assert [e.fault for e in events if isinstance(e, Disturbed)] == told
            assert len(events) == len(told)
            stood[tips] = TabletopJudge(world).holds("stacked", first, second)
        assert stood == {True: False, False: True}


class TestTruth:
    def test_on_is_to_rest_on_the_top_and_nothing_else(self) -> None:
        world = table()
        judge = TabletopJudge(world)
        put(world, red=(0.6, 0.46, 0.08), green=(0.6, 0.46, 0.12), blue=(0.6, 0.42, 0.08))
        on = [fact for fact in judge.truths() if fact.startswith("on(")]
        assert on == ["on(blue_block, table)", "on(green_block, red_block)", "on(red_block, table)"]
        assert not judge.holds("on", "green_block", "table")
        assert judge.holds("stacked", "red_block", "green_block")
        put(world, green=(0.6, 0.445, 0.12))  # it touches both, and its middle is over one
        assert judge.holds("on", "green_block", "red_block")
        assert not judge.holds("on", "green_block", "blue_block")

    def test_what_is_held_is_on_nothing(self) -> None:
        world = table("pick-and-place")
        robot, judge = robot_at(world), TabletopJudge(world)
        assert judge.holds("handempty") and judge.holds("on", "red_block", "table")
        do(robot, "pick", "red_block")
        assert judge.holds("holding", "red_block") and not judge.holds("handempty")
        assert not any(judge.holds("on", "red_block", place) for place in ("table", "fixture"))

    def test_a_name_or_predicate_that_is_not_there_is_refused(self) -> None:
        judge = TabletopJudge(table())
        with pytest.raises(UnknownNameError, match="red_block"):
            judge.holds("on", "red_blok", "table")
        with pytest.raises(UnknownNameError, match="stacked"):
            judge.holds("stakced", "red_block")

    def test_the_oracle_answers_what_a_constraint_asks(self) -> None:
        world = table("pick-and-place")
        robot, vision = robot_at(world), open_oracle_vision(world)

        def said(question: str) -> Verdict:
            return vision.answer((), question).verdict

        held, lies, there = (
            "Is the robot holding the red_block?",
            "Is the red_block on the table?",
            "Is the red_block on the fixture?",
        )
        assert [said(q) for q in (held, lies, there)] == [Verdict.NO, Verdict.YES, Verdict.NO]
        do(robot, "pick", "red_block")
        assert [said(q) for q in (held, lies, there)] == [Verdict.YES, Verdict.NO, Verdict.NO]
        do(robot, "place", "red_block", "fixture")
        assert [said(q) for q in (held, lies, there)] == [Verdict.NO, Verdict.NO, Verdict.YES]
        assert said("Do you see the red_block?") is Verdict.YES

    @pytest.mark.parametrize("off", [0.0, 0.02])
    def test_a_fixture_is_in_sight_under_the_block_that_lies_on_it(self, off: float) -> None:
        """The block covers its middle, and its rim shows."""
        world = table()
        x, y, top = world.data.site("fixture").xpos
        put(world, red=(x + off, y, top + 0.02))
        said = open_oracle_vision(world).answer((), "Is the red_block on the fixture?").verdict
        assert said is Verdict.YES
