"""The bar: placed by seed, at rest, within reach; its judge knows recipes, spills and lies."""

from __future__ import annotations

import numpy as np
import pytest
from two_handed import REACH_M, deepest_overlap, furthest_move, hold_still, kitchen, put, reach

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.bar.plan import PLAN
from regrasp.worlds.bar.scene import BOWLS, COLD, GLASSES, SHELVED
from regrasp.worlds.kit.franka import PALM
from regrasp.worlds.recipes import judged_recipe
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.kitchen_judge import KitchenJudge

THINGS = (*SHELVED, *COLD, *BOWLS, *GLASSES)


def pour(world: KitchenWorld, glass: str, *substances: str) -> None:
    for substance in substances:
        world.liquids.set_amount(glass, substance, 20.0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_everything_rests_apart_within_reach(seed: int) -> None:
    world = kitchen("bar", seed=seed)
    assert deepest_overlap(world) < 0.002
    assert furthest_move(world, 5.0) < 0.002
    assert all(REACH_M[0] < reach(world, name) < REACH_M[1] for name in THINGS)
    assert world.liquids.spilt() == {}


def test_the_seed_draws_which_bottle_stands_where() -> None:
    one, again, other = (kitchen("bar", seed=seed) for seed in (3, 3, 4))
    spots = [[tuple(np.round(w.at(name), 2)) for name in SHELVED] for w in (one, again, other)]
    assert spots[0] == spots[1] != spots[2]


def test_the_robot_is_told_where_things_are_and_what_is_in_them() -> None:
    world = kitchen("bar")
    told = PLAN.domain(world).init  # type: ignore[misc]
    for name in SHELVED:
        assert {Fact.of("on", name, "shelf"), Fact.of("capped", name)} <= told
        assert Fact.of("contains", name, name.removesuffix("_bottle")) in told
    assert {Fact.of("inside", name, "fridge") for name in COLD} <= told
    assert {Fact.of("empty", name) for name in GLASSES} <= told
    assert Fact.of("free", "left_hand") in told and Fact.of("open", "fridge") not in told
    judge = KitchenJudge(world)
    assert all(judge.holds(fact.predicate, *fact.args) for fact in told)


class TestServed:
    def test_one_glass_on_the_tray_with_all_and_nothing_else(self) -> None:
        world = kitchen("bar", "make-drink")
        judge, recipe = KitchenJudge(world), judged_recipe("gin and tonic", pizza=False)
        assert not judge.done() and judge.difference(recipe).missing == recipe.mandatory
        pour(world, "first_glass", *recipe.mandatory)
        assert not judge.done()  # it is not on the tray
        put(world, "first_glass", "tray")
        assert judge.done() and judge.difference(recipe).distance == 0.0
        pour(world, "first_glass", *recipe.optional)
        assert judge.done()

    def test_something_else_in_it_or_a_second_glass_is_wrong(self) -> None:
        world = kitchen("bar", "make-drink")
        judge, recipe = KitchenJudge(world), judged_recipe("gin and tonic", pizza=False)
        pour(world, "first_glass", *recipe.mandatory)
        put(world, "first_glass", "tray", (0.0, -0.08))
        put(world, "second_glass", "tray", (0.0, 0.08))
        assert not judge.done() and judge.difference(recipe).distance == 0.0
        put(world, "second_glass", "table", (-0.25, 0.23))
        assert judge.done()
        pour(world, "first_glass", "milk")
        assert not judge.done()
        assert judge.difference(recipe).distance == pytest.approx(0.2)

    def test_the_verdict_has_the_order_and_what_is_wrong_with_it(self) -> None:
        judge = KitchenJudge(world := kitchen("bar", "make-drink"))
        pour(world, "first_glass", "gin", "milk")
        put(world, "first_glass", "tray")
        found = [one for one in judge.truths() if one.startswith(("ordered", "miss", "superf"))]
        missing = judged_recipe("gin and tonic", pizza=False).mandatory - {"gin"}
        assert found == sorted(
            ["ordered(gin_and_tonic)", "superfluous(milk)", *(f"missing({s})" for s in missing)]
        )
        assert not any(one.startswith("ordered") for one in KitchenJudge(kitchen("bar")).truths())

    def test_a_drop_is_not_an_ingredient(self) -> None:
        world = kitchen("bar", "make-drink")
        judge, recipe = KitchenJudge(world), judged_recipe("gin and tonic", pizza=False)
        pour(world, "first_glass", *recipe.mandatory)
        world.liquids.set_amount("first_glass", "milk", 0.1)
        put(world, "first_glass", "tray")
        assert judge.done()

    def test_any_drink_of_the_book_that_the_bar_can_make_is_a_task(self) -> None:
        world = open_world("bar", "make-drink:cuba libre")
        assert world.task.instruction == "make a cuba libre"
        assert str(world.goal) == "served(cuba_libre)"
        with pytest.raises(RegraspError, match="does not have"):
            open_world("bar", "make-drink:irish coffee")
        with pytest.raises(UnknownNameError, match="'mojito'"):
            open_world("bar", "make-drink:mojitto")


class TestFaults:
    def test_an_empty_bottle_is_told_to_be_full(self) -> None:
        world = kitchen("bar", "pour-gin:empty=gin_bottle")
        assert KitchenJudge(world).holds("empty", "gin_bottle")
        assert Fact.of("contains", "gin_bottle", "gin") in world.inventory()
        assert Fact.of("empty", "gin_bottle") not in world.inventory()

    def test_a_missing_bowl_is_nowhere(self) -> None:
        world = kitchen("bar", "add-ice:missing=ice_cubes_bowl")
        assert "ice_cubes_bowl" not in [thing.name for thing in world.objects()]
        assert "ice_cubes" not in world.liquids.substances
        with pytest.raises(UnknownNameError, match="ice_cubes_bowl"):
            open_world("bar", "add-ice:missing=ice_bowl")

    def test_a_locked_fridge_does_not_open(self) -> None:
        free, locked = (kitchen("bar", f"pour-gin{o}") for o in ("", ":locked=fridge"))
        for world in (free, locked):
            world.data.joint("fridge_door").qfrc_applied = 6.0
            hold_still(world, 1.5)
        assert not KitchenJudge(free).holds("closed", "fridge")  # an arm is in its way
        assert KitchenJudge(locked).holds("closed", "fridge")
        assert KitchenJudge(locked).holds("locked", "fridge")


def test_a_cap_is_turned_only_by_the_hand_that_is_at_it() -> None:
    world = kitchen("bar")
    assert not world.turn_cap("left", "gin_bottle", on=False)
    assert world.liquids.capped("gin_bottle")
    palm = world.data.site(f"left_{PALM}").xpos
    cap = world.data.site("gin_bottle_cap").xpos
    world.data.joint("gin_bottle_free").qpos[:3] += palm - cap
    world.data.site("gin_bottle_cap").xpos[:] = palm
    assert world.turn_cap("left", "gin_bottle", on=False)
    assert not world.liquids.capped("gin_bottle")


def test_a_snapshot_remembers_contents_caps_and_spills() -> None:
    world = kitchen("bar")
    before = world.snapshot()
    world.liquids.set_cap("gin_bottle", False)
    joint = world.data.joint("gin_bottle_free")
    joint.qpos[:7] = [0.45, 0.05, 1.2, 0.0, 0.0, 1.0, 0.0]  # upside down over the tray
    hold_still(world, 0.1)
    judge = KitchenJudge(world)
    assert judge.holds("spilt", "gin") and "spilt(gin)" in judge.truths()
    spilt = world.snapshot()
    ml = judge.spilt()["gin"]
    world.restore(before)
    assert judge.spilt() == {} and world.liquids.capped("gin_bottle")
    assert float(world.model.geom("gin_bottle_cap").rgba[3]) == 1.0
    world.restore(spilt)
    assert judge.spilt() == {"gin": ml}


def test_the_button_of_the_mixer_switches_it_on_and_off() -> None:
    world = kitchen("bar")
    judge = KitchenJudge(world)
    states = []
    for force in (8.0, 0.0, 8.0, 0.0):
        world.data.joint("electric_shaker_switch").qfrc_applied = force
        hold_still(world, 0.5)
        states.append(judge.holds("switched_on", "electric_shaker"))
    assert states == [True, True, False, False]
