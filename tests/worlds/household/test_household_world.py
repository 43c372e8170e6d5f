"""The household is seeded, settled, restorable, and its robot keeps the promises of the seam."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from house import PLANS, House, action

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.conformance import check_robot
from regrasp.core.errors import RegraspError
from regrasp.core.event import Disturbed, Judged
from regrasp.core.execution import run_skill
from regrasp.core.trace import digest, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.episodes.state_log import StateLog, read_states
from regrasp.methods.method import Assignment
from regrasp.worlds.examples import household_robot
from regrasp.worlds.household.faults import FaultSchedule
from regrasp.worlds.household.floor_map import FloorMap
from regrasp.worlds.household.world import HouseholdWorld
from regrasp.worlds.registry import open_world


def opened(task: str, seed: int = 0) -> HouseholdWorld:
    world = open_world("household", task, seed)  # raises if a start fact is false
    assert isinstance(world, HouseholdWorld)
    return world


@pytest.mark.parametrize("task", PLANS)
def test_nothing_is_in_anything_else_at_the_start(task: str) -> None:
    for seed in range(5):
        world = opened(task, seed)
        movable = {world.model.body(name).id for name in world.movable if world.there(name)}
        touching = world.data.contact
        bodies = world.model.geom_bodyid[touching.geom]
        mine = np.isin(bodies, list(movable)).any(axis=1)
        assert float(touching.dist[mine].min(initial=0.0)) > -0.004
        x, y, _ = world.body.base
        assert FloorMap(world).free(float(x), float(y))


def test_every_seed_is_another_household() -> None:
    worlds = [opened("boil-water", seed) for seed in range(6)]
    order = {
        tuple(sorted(("cabinet", "sink", "oven", "microwave"), key=lambda n: w.at(n)[1]))
        for w in worlds
    }
    assert len(order) >= 4, "furniture stands in another order"
    assert len({tuple(np.round(w.at("mug"), 3)) for w in worlds}) == 6
    paint = {
        tuple(np.round(w.model.geom_rgba[w.model.body("cabinet").geomadr[0]], 2)) for w in worlds
    }
    assert len(paint) >= 4


def test_the_same_seed_is_the_same_household() -> None:
    one, two = opened("collect-toys", 3), opened("collect-toys", 3)
    assert np.array_equal(one.data.qpos, two.data.qpos)
    assert np.array_equal(one.model.geom_rgba, two.model.geom_rgba)


def test_everything_stays_where_it_is_when_nobody_moves() -> None:
    world = opened("collect-toys")
    before = {name: world.at(name) for name in world.movable}
    world.wake()
    for _ in range(100):
        world.advance(np.zeros(0))
    assert all(np.linalg.norm(world.at(name) - at) < 0.004 for name, at in before.items())


def test_a_snapshot_holds_conditions_hand_and_luck() -> None:
    house = House("boil-water")
    house.go("sink")
    house.give("mug")
    house.make("level", "mug", 0.95)
    snapshot = house.world.snapshot()
    seen = house.robot.look("hand").rgb
    house.make("level", "mug", 0.0)
    house.give("")
    house.go("table")
    house.make("used", "grasp", 4)
    house.world.restore(snapshot)
    assert house.holds("inhand", "mug") and house.holds("filled", "mug")
    assert house.world.conditions.get("used", "grasp") == 0
    assert np.array_equal(house.robot.look("hand").rgb, seen)
    house.world.reset()
    assert house.holds("handempty") and house.holds("inside", "mug", "cabinet")


def test_its_robot_passes_the_conformance_check() -> None:
    failed = [c for c in check_robot(household_robot, Action("find", ("sink",))) if not c.passed]
    assert failed == []


def test_the_fingers_tell_whether_the_hand_is_empty() -> None:
    house = House("halve-egg")

    def force() -> float:
        reading = house.robot.joints()
        return reading.torques[reading.names.index("finger_left")]

    assert force() == 0.0
    house.give("carving_knife")
    assert force() > 10.0


def test_the_robot_knows_what_can_be_done_with_things_and_not_how_they_are() -> None:
    robot = House("halve-egg").robot
    before = robot.knowledge()
    known = {thing.name: thing.affordances for thing in before}
    assert "pick" in known["hard_boiled_egg"] and "turn" in known["oven"]
    assert not [name for name in known if "half" in name], "halves would give the cut away"
    run = robot.start(action("find(table)"))
    while run.step():
        pass
    assert robot.knowledge() == before


def test_another_skin_is_refused() -> None:
    with pytest.raises(RegraspError, match="leave --skin out"):
        open_world("household", skin="mesh")


# ---- a run -------------------------------------------------------------------------------------


def grasping(assignment: Assignment) -> Claim:
    """Takes the knife and says that all is done."""
    for step in ("find(carving_knife)", "grasp(carving_knife)"):
        run_skill(assignment.robot, action(step))
    assignment.vision.answer((), "Is the robot holding the carving_knife?")
    return Claim(True, "said so")


def played(out: Path, seed: int) -> Path:
    place, recording = WorldTask("household", "halve-egg", seed), Recording(False, size=(32, 24))
    spec = EpisodeSpec(
        place, grasping, "grasping", ScriptedModel(), oracle_factory(), recording=recording
    )
    run_episode(spec, out)
    return out


def test_a_run_is_the_same_twice_and_lists_what_went_wrong(tmp_path: Path) -> None:
    seed = next(s for s in range(50) if FaultSchedule(s).draw("grasp", 0).fault is not None)
    one, two = played(tmp_path / "one", seed), played(tmp_path / "two", seed)
    assert digest(one) == digest(two)
    events = read_trace(one).events
    (befell,) = (e for e in events if isinstance(e, Disturbed))
    assert befell == Disturbed(
        action("grasp(carving_knife)"), str(FaultSchedule(seed).draw("grasp", 0).fault)
    )
    (judged,) = (e for e in events if isinstance(e, Judged))
    assert not judged.done and "handempty()" in judged.truths


def test_the_states_of_a_run_can_be_drawn_again(tmp_path: Path) -> None:
    house = House("boil-water")
    house.go("sink")
    house.give("mug")
    house.make("level", "mug", 0.95)
    with StateLog(tmp_path, house.world) as log:
        log.add()
    states = read_states(tmp_path)
    states.world.set_state(states.qpos[0], states.user[0])
    with closing(type(house.robot)(states.world, size=(96, 96))) as again:  # type: ignore[arg-type]
        difference = again.look("hand").rgb.astype(int) - house.robot.look("hand").rgb
    assert np.abs(difference).mean() < 1.0
