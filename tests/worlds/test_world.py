"""Every world, on every task: seeded, settled, checked at the start, and fully restorable."""

from pathlib import Path

import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.goal import parse_goal
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.registry import WORLDS, open_world, world_plan
from regrasp.worlds.world import World, WorldError

SEEDS = {"bar": 5, "pizza": 5}
"""Worlds whose layout depends on the seed alone, so that fewer seeds of each task will do."""

TASKS = [(world, task.name) for world in WORLDS for task in world_plan(world).tasks]


@pytest.mark.parametrize(("name", "task"), TASKS)
class TestEveryTask:
    def test_starts_as_it_says_on_many_seeds(self, name: str, task: str) -> None:
        for seed in range(SEEDS.get(name, 15)):
            world = open_world(name, task, seed)  # raises if a start fact is false
            judge = world.plan.judge(world)
            assert not judge.done()

    def test_the_same_seed_is_the_same_world(self, name: str, task: str) -> None:
        if task == "obstacle-forest":  # without obstacles its seeds differ only in looks
            task = "obstacle-forest:d=0.6"
        one, two, other = (open_world(name, task, seed) for seed in (4, 4, 5))
        assert np.array_equal(one.data.qpos, two.data.qpos)
        assert not np.array_equal(one.data.qpos, other.data.qpos) or not np.array_equal(
            one.model.body_pos, other.model.body_pos
        )

    def test_planning_and_executed_states_have_one_layout(self, name: str, task: str) -> None:
        world = open_world(name, task)
        assert (world.model.nq, world.model.nv) == (world.planning.nq, world.planning.nv)
        assert world.planning.ngeom < world.model.ngeom
        assert world.planning.opt.timestep > world.model.opt.timestep

    def test_it_stays_still_when_nobody_moves(self, name: str, task: str) -> None:
        world = open_world(name, task)
        before = {t.name: world.data.site(t.site).xpos.copy() for t in world.scene.things.values()}
        hold = world.data.ctrl.copy()
        for _ in range(100):
            world.advance(hold)
        for thing, at in before.items():
            assert np.linalg.norm(world.data.site(thing_site(world, thing)).xpos - at) < 0.004, (
                thing
            )


def test_a_place_in_the_list_of_objects_gives_nothing_away() -> None:
    """The seed decides where the apple is, and the order in which its places are told."""
    found, again = set(), open_world("kitchen", seed=0).objects()
    for seed in range(8):
        world = open_world("kitchen", seed=seed)
        assert seed or world.objects() == again
        names = [one.name for one in world.objects()]
        hidden = next(str(fact) for fact in world.start if str(fact).startswith("inside"))
        found.add((hidden, names.index("microwave") < names.index("wooden_cabinet")))
    assert len(found) == 4  # either place, told first or last


def thing_site(world: World, name: str) -> str:
    return world.scene.things[name].site


def test_restoring_a_snapshot_repeats_history_exactly() -> None:
    world = open_world("lever", seed=2)
    push = world.data.ctrl.copy()
    push[2] += 0.1
    for _ in range(30):
        world.advance(push)
    snapshot = world.snapshot()
    for _ in range(40):
        world.advance(push)
    after = world.data.qpos.copy()
    world.restore(snapshot)
    for _ in range(40):
        world.advance(push)
    assert np.array_equal(world.data.qpos, after)
    world.reset()
    assert world.seconds == 0.0


def test_a_snapshot_of_another_world_is_refused() -> None:
    with pytest.raises(WorldError, match="another world"):
        open_world("cubes").restore(open_world("lever").snapshot())


def test_a_latching_lock_stays_open_and_the_other_closes_again() -> None:
    for name, trigger, door, latching in (
        ("lever", "lever", "wooden_cabinet_door", True),
        ("sensor", "weight_sensor", "stone_cabinet_door", False),
    ):
        world = open_world(name)
        judge = WorldJudge(world)
        hold = world.data.ctrl.copy()
        for force in (3.0, -3.0):
            world.data.joint(trigger).qfrc_applied = force
            for _ in range(60):
                world.advance(hold)
            if force > 0:
                assert not judge.holds("locked", door)
        assert judge.holds("locked", door) is not latching


def test_unknown_names_say_what_is_valid() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'kitchen'"):
        open_world("kichen")
    with pytest.raises(UnknownNameError, match="open"):
        open_world("cabinet", "opn")
    judge = WorldJudge(open_world("cubes"))
    with pytest.raises(UnknownNameError, match="inside"):
        judge.holds("insde", "red_cube", "crate")
    with pytest.raises(RegraspError, match="does not take"):
        judge.holds("open")
    with pytest.raises(RegraspError, match="timestep"):
        World(world_plan("cubes"), timestep=0.003)


def test_matching_the_crate_needs_vision() -> None:
    goals = {open_world("cubes", "match", seed).goal for seed in range(10)}
    assert goals == {parse_goal([f"on({colour}_cube, crate)"]) for colour in ("red", "yellow")}


def test_a_file_of_ones_own_is_a_world(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "02_your_own_world.py"
    world = open_world(str(example), seed=3)
    assert world.goal == parse_goal(["visible(orange)"])
    with pytest.raises(RegraspError, match="there is no file"):
        open_world("no_such.py")
    (tmp_path / "empty.py").write_text("PLAN = 1")
    with pytest.raises(RegraspError, match="PLAN"):
        open_world(str(tmp_path / "empty.py"))
