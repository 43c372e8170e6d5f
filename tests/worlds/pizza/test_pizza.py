"""The pizza kitchen: larger things before a smaller one, toppings on the dough, a hot oven."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from two_handed import REACH_M, deepest_overlap, furthest_move, hold_still, kitchen, reach

from regrasp.core.fact import Fact
from regrasp.worlds.machines import BAKING_S
from regrasp.worlds.pizza.scene import BOTTLES, BOWLS
from regrasp.worlds.recipes import judged_recipe
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.kitchen_judge import KitchenJudge


def near(world: KitchenWorld, bowl: str) -> list[str]:
    """The bottles that stand so close to a bowl that a hand does not get between."""
    at = world.at(bowl)[:2]
    return [name for name in BOTTLES if float(np.linalg.norm(world.at(name)[:2] - at)) < 0.08]


@pytest.mark.parametrize("seed", range(4))
def test_everything_rests_apart_within_reach(seed: int) -> None:
    world = kitchen("pizza", seed=seed)
    assert deepest_overlap(world) < 0.002
    assert furthest_move(world, 5.0) < 0.002
    assert all(REACH_M[0] < reach(world, name) < REACH_M[1] for name in (*BOTTLES, *BOWLS))


@pytest.mark.parametrize("seed", range(4))
def test_one_bowl_of_the_recipe_has_two_larger_things_in_the_way(seed: int) -> None:
    world = kitchen("pizza", "make-pizza:hawaiian", seed)
    blocked = {bowl: near(world, bowl) for bowl in BOWLS if len(near(world, bowl)) > 1}
    ((bowl, bottles),) = blocked.items()
    recipe = judged_recipe("hawaiian", pizza=True)
    assert bowl.removesuffix("_bowl") in recipe.mandatory
    ahead, aside = (world.at(name)[:2] - world.at(bowl)[:2] for name in sorted(
        bottles, key=lambda name: abs(world.at(name)[1] - world.at(bowl)[1])
    ))  # fmt: skip
    assert ahead[0] < -0.06 and abs(aside[1]) > 0.06  # one before it, one beside it
    told = world.inventory()
    assert all(Fact.of("on", name, "table") in told for name in bottles)
    judge = KitchenJudge(world)
    known = {one for one in judge.truths() if one.startswith("stood_before")}
    assert known == {f"stood_before({name}, {bowl})" for name in bottles}
    others = [name for name in BOTTLES if name not in bottles]
    assert all(Fact.of("on", name, "shelf") in told for name in others)


def test_seeds_block_different_bowls_with_different_bottles() -> None:
    found = set()
    for seed in range(8):
        world = kitchen("pizza", seed=seed)
        found |= {(b, tuple(near(world, b))) for b in BOWLS if len(near(world, b)) > 1}
    assert len({bowl for bowl, _ in found}) > 3 and len({pair for _, pair in found}) > 3


def test_a_pizza_is_right_with_all_of_its_toppings_and_no_other() -> None:
    world = kitchen("pizza", "make-pizza")
    judge, recipe = KitchenJudge(world), judged_recipe("margherita", pizza=True)
    for topping in recipe.mandatory:
        assert not judge.done()
        world.liquids.set_amount("pizza_dough", topping, 40.0)
    assert judge.done()
    world.liquids.set_amount("pizza_dough", "anchovies", 40.0)
    assert not judge.done()
    assert judge.difference(recipe).superfluous == {"anchovies"}


def put_into_oven(world: KitchenWorld) -> None:
    region = world.scene.insides["oven"]
    body = world.data.body(region.body)
    floor = np.array(region.centre) - [0, 0, region.half[2]]
    joint = world.data.joint("pizza_dough_free")
    joint.qpos[:3] = body.xpos + body.xmat.reshape(3, 3) @ floor + [0, 0.03, 0.012]
    joint.qpos[3:7] = [math.cos(-math.pi / 4), 0, 0, math.sin(-math.pi / 4)]
    mujoco.mj_forward(world.model, world.data)


def test_a_dough_is_baked_in_a_closed_oven_that_is_on() -> None:
    world = kitchen("pizza")
    judge = KitchenJudge(world)
    put_into_oven(world)
    hold_still(world, BAKING_S + 0.2)
    assert judge.holds("inside", "pizza_dough", "oven")
    assert not judge.holds("baked", "pizza_dough")  # it is off
    world.data.joint("oven_switch").qfrc_applied = 8.0
    hold_still(world, 0.5)
    assert judge.holds("switched_on", "oven") and not judge.holds("baked", "pizza_dough")
    hold_still(world, BAKING_S)
    assert judge.holds("baked", "pizza_dough")
    assert float(world.model.geom("oven_lamp").rgba[1]) == pytest.approx(1.0)


def test_toppings_stay_on_while_the_dough_is_level_and_slide_off_when_it_is_not() -> None:
    world = kitchen("pizza")
    world.liquids.set_amount("pizza_dough", "ham", 100.0)
    hold_still(world, 0.3)
    assert world.liquids.spilt() == {}
    joint = world.data.joint("pizza_dough_free")
    joint.qpos[2] += 0.5
    joint.qpos[3:7] = [math.cos(0.9), math.sin(0.9), 0, 0]
    hold_still(world, 0.1)
    assert world.liquids.spilt()["ham"] > 10.0
