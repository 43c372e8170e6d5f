"""The apartment: laid out by seed, sensed with errors, and its tasks can be carried out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.errors import UnknownNameError
from regrasp.core.feedback import FailureCode
from regrasp.core.grounding import FloorPath, GroundedRobot
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.robot import ApartmentRobot
from regrasp.worlds.apartment.rooms import ROOMS
from regrasp.worlds.apartment.sensors import LASER_ANGLES, noisy_depth
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world


@pytest.fixture
def robot() -> Iterator[ApartmentRobot]:
    world = open_world("apartment", "place-box", 0)
    assert isinstance(world, ApartmentWorld)
    one = ApartmentRobot(world, size=(80, 60))
    one.ground(OracleGrounding(world))
    yield one
    one.close()


class OnPath(OracleGrounding):
    """It has one path to everything."""

    def __init__(self, world: ApartmentWorld, path: FloorPath) -> None:
        super().__init__(world)
        self.path = path

    def path_to(self, thing: str) -> FloorPath | None:
        return self.path


def run(robot: ApartmentRobot, text: str) -> SkillReport:
    name, *args = text.split()
    skill = robot.start(Action(name, tuple(args)))
    while skill.step():
        pass
    assert skill.report is not None
    return skill.report


def odometry(robot: ApartmentRobot) -> tuple[float, float, float]:
    reading = robot.joints()
    found = dict(zip(reading.names, reading.positions, strict=True))
    return found["odometry_x"], found["odometry_y"], found["odometry_yaw"]


def test_it_has_sixty_square_metres_and_every_room_two_doorways() -> None:
    areas = [(room.right - room.left) * (room.far - room.near) for room in ROOMS.values()]
    assert sum(areas) == pytest.approx(60.0)
    world = open_world("apartment", seed=0)
    posts = [name for k in range(world.model.nbody) if (name := world.model.body(k).name)]
    assert sum(name.endswith("_lintel") for name in posts) == 3  # a ring of three rooms


def test_every_thing_has_a_path_on_many_seeds() -> None:
    for seed in range(4):
        world = open_world("apartment", seed=seed)
        assert isinstance(world, ApartmentWorld)
        oracle = OracleGrounding(world)
        names = [one.name for one in world.objects() if one.kind not in ("hand", "place")]
        assert [name for name in names if oracle.path_to(name) is None] == []


class TestSensing:
    def test_it_is_a_robot_that_takes_evidence(self, robot: ApartmentRobot) -> None:
        assert isinstance(robot, GroundedRobot)
        assert odometry(robot) == (0.0, 0.0, 0.0)

    def test_a_picture_has_its_pose_by_odometry(self, robot: ApartmentRobot) -> None:
        image = robot.look("head")
        assert image.depth.shape == (60, 80)
        assert abs(image.position[1]) < 1e-3  # the head is on the middle line of the base
        assert np.allclose(-image.rotation[:, 2], [1, 0, 0], atol=0.02)  # it looks ahead, level
        again = robot.look("head")
        assert np.array_equal(image.depth, again.depth, equal_nan=True)

    def test_depth_is_noisy_farther_away_and_has_holes_at_edges(self) -> None:
        rng = np.random.default_rng(0)
        near, far = (noisy_depth(np.full((60, 80), z, np.float32), rng) for z in (1.0, 4.0))
        assert np.nanstd(near) < 0.004
        assert np.nanstd(far) > 0.015
        step = np.full((60, 80), 1.0, np.float32)
        step[:, 40:] = 3.0
        holes = np.isnan(noisy_depth(step, rng)).mean(axis=0)
        assert holes[39:41].mean() > 0.3
        assert holes[:39].mean() < 0.05
        beyond = noisy_depth(np.full((4, 4), 15.0, np.float32), rng)
        assert not np.isfinite(beyond).any()

    def test_odometry_drifts_but_little(self, robot: ApartmentRobot) -> None:
        world = robot._world
        before = world.base
        assert run(robot, "move paper_box").outcome is Outcome.SUCCEEDED
        moved, own = world.base - before, odometry(robot)
        off = abs(math.dist(moved[:2], (0, 0)) - math.dist(own[:2], (0, 0)))
        assert 1e-4 < off < 0.15


class TestSkills:
    def test_it_drives_to_a_box_and_takes_it(self, robot: ApartmentRobot) -> None:
        judge = robot._world.plan.judge(robot._world)
        for text in ("move", "scan", "adjust", "grasp"):
            report = run(robot, f"{text} paper_box")
            assert report.outcome is Outcome.SUCCEEDED, report
        assert judge.holds("holding", "paper_box")
        assert judge.holds("at", "paper_box")
        report = run(robot, "grasp book")
        assert report.code in (FailureCode.OUT_OF_REACH, FailureCode.NOT_OBSERVED)

    def test_without_evidence_every_skill_says_so(self) -> None:
        world = open_world("apartment", "place-box", 0)
        assert isinstance(world, ApartmentWorld)
        blind = ApartmentRobot(world, size=(80, 60))
        for text, code in (
            ("move paper_box", FailureCode.UNREACHED),
            ("scan paper_box", FailureCode.NOT_OBSERVED),
            ("adjust paper_box", FailureCode.NOT_OBSERVED),
            ("grasp paper_box", FailureCode.NOT_OBSERVED),
            ("place paper_box black_table", FailureCode.NOT_GRASPED),
            ("lift paper_box", FailureCode.NOT_GRASPED),
            ("pull drawer", FailureCode.NOT_GRASPED),
        ):
            report = run(blind, text)
            assert report.code is code, report
            assert report.feedback is not None and report.feedback.suggestion
        assert run(blind, "alert paper_box").outcome is Outcome.SUCCEEDED

    def test_a_skill_takes_only_things_that_fit(self, robot: ApartmentRobot) -> None:
        with pytest.raises(UnknownNameError, match="surface of place"):
            robot.start(Action("place", ("paper_box", "bookshelf")))
        with pytest.raises(UnknownNameError, match="drawer of pull"):
            robot.start(Action("pull", ("door",)))

    def test_cancelling_stops_the_base(self, robot: ApartmentRobot) -> None:
        skill = robot.start(Action("move", ("paper_box",)))
        for _ in range(250):
            skill.step()
        skill.cancel("a person called")
        assert not skill.step()
        assert skill.report is not None and skill.report.code is FailureCode.CANCELLED
        assert run(robot, "alert paper_box").outcome is Outcome.SUCCEEDED
        assert np.abs(robot._world.data.qvel[:3]).max() < 0.02

    def test_it_waits_for_a_person_and_drives_on(
        self, robot: ApartmentRobot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = robot._world
        x, y, yaw = world.odometry.pose
        end = (x + 0.7 * math.cos(yaw), y + 0.7 * math.sin(yaw))

        def somebody_for_two_seconds() -> np.ndarray:
            return np.full(len(LASER_ANGLES), 0.3 if world.seconds < began + 2.0 else np.inf)

        began = world.seconds
        monkeypatch.setattr(world, "laser", somebody_for_two_seconds)
        robot.ground(OnPath(world, FloorPath(((x, y), end), yaw)))
        skill = robot.start(Action("move", ("door",)))
        stages = set()
        while skill.step():
            stages.add(skill.progress.stage)
        assert skill.report is not None and skill.report.outcome is Outcome.SUCCEEDED
        assert {"wait for the way", "drive"} <= stages
        assert math.dist(odometry(robot)[:2], end) < 0.06

    def test_it_waits_for_a_person_and_gives_up_on_a_wall(self, robot: ApartmentRobot) -> None:
        """The path leads straight into the nearest wall: the scanner sees it before the bumper."""
        x, y, yaw = robot._world.odometry.pose
        ahead = (x + 9.0 * math.cos(yaw), y + 9.0 * math.sin(yaw))

        robot.ground(OnPath(robot._world, FloorPath(((x, y), ahead), yaw)))
        report = run(robot, "move door")
        assert report.code is FailureCode.COLLISION
        assert report.feedback is not None
        measured = {one.name: one.value for one in report.feedback.evidence}
        assert float(measured["laser_distance"]) < 0.35
        assert float(measured["waited"]) > 10.0

    @pytest.mark.parametrize("let_go", [True, False])
    def test_a_base_that_is_held_frees_itself_or_says_so(
        self, robot: ApartmentRobot, monkeypatch: pytest.MonkeyPatch, let_go: bool
    ) -> None:
        """A hand that is caught in a drawer holds the base until that drives back."""
        world, free = robot._world, world_advance(robot._world)
        x, y, yaw = world.odometry.pose
        end = (x + 0.5 * math.cos(yaw), y + 0.5 * math.sin(yaw))
        caught = [True]

        def advance(control: np.ndarray) -> None:
            caught[0] = caught[0] and not (let_go and control[0] < -0.1)
            stopped = np.array(control)
            stopped[:3] = 0.0
            free(stopped if caught[0] else control)

        monkeypatch.setattr(world, "advance", advance)
        robot.ground(OnPath(world, FloorPath(((x, y), end), yaw)))
        began = world.seconds
        report = run(robot, "move door")
        if let_go:
            assert report.outcome is Outcome.SUCCEEDED
            assert math.dist(odometry(robot)[:2], end) < 0.06
        else:
            assert report.code is FailureCode.UNREACHED
            assert world.seconds - began < 60.0


def world_advance(world: ApartmentWorld) -> Callable[[np.ndarray], None]:
    return world.advance
