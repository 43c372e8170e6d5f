"""A small world for the two-armed robot: a table, a shelf, a box with a door, bottles, blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from regrasp.core.action import Action
from regrasp.core.robot import SkillReport
from regrasp.worlds.kit.block import add_block
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.capped_bottle import add_capped_bottle
from regrasp.worlds.kit.cup import add_bowl, add_glass
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.mixer import add_mixer
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.shelf import add_shelf
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.two_arms.kitchen import KitchenWorld, add_memory
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld, add_body
from regrasp.worlds.world import Setup, Task, WorldPlan

SHELF_X_M, BOARD_M = 0.62, TABLE_M + 0.04
BLOCKS = {"red_block": (0.45, 0.35), "blue_block": (0.40, -0.35)}
BOTTLES = {"gin_bottle": (0.50, 0.15), "rum_bottle": (0.50, -0.15)}


def small_bar(
    blocks: Mapping[str, tuple[float, float]] = BLOCKS,
    bottles: Mapping[str, tuple[float, float]] = BOTTLES,
    *,
    shelf: bool = True,
    locked: bool = False,
) -> tuple[TwoArmWorld, TwoArmRobot]:
    """The world with blocks and bottles at these places (x, y) of table and shelf, and its robot.

    The door of the box may be `locked`.
    """

    def build(scene: Scene, task: str) -> Setup:
        add_table(scene, "table", (0.52, 0, 0), size=(0.64, 1.8), height=TABLE_M)
        if shelf:
            add_shelf(scene, "shelf", (SHELF_X_M, 0, TABLE_M), width=0.4, height=0.5, boards=1)
        add_microwave(scene, "box", (0.62, 0.62, TABLE_M), width=0.34, height=0.30)
        for name, (x, y) in blocks.items():
            colour = name.partition("_")[0]
            add_block(scene, name, (x, y, TABLE_M), half=(0.025, 0.025), colour=colour)
        for name, (x, y) in bottles.items():
            add_bottle(scene, name, (x, y, BOARD_M if x > SHELF_X_M else TABLE_M), height=0.22)
        if locked:
            scene.lock("box_door", trigger="box_door", threshold=2.0, latching=False)  # never
        return Setup()

    plan: Any = WorldPlan(
        "small-bar", "a table", (Task("any", "do it"),), build, add_body, TwoArmRobot, lambda w: w
    )
    world = TwoArmWorld(plan)
    return world, TwoArmRobot(world, size=(320, 240))


def small_kitchen(stock: float = 300.0) -> tuple[KitchenWorld, TwoArmRobot]:
    """A table with a capped bottle of gin (`stock` ml), a bowl of ice, a glass and a mixer."""

    def build(scene: Scene, task: str) -> Setup:
        add_table(scene, "table", (0.52, 0, 0), size=(0.64, 1.8), height=TABLE_M)
        add_capped_bottle(scene, "gin_bottle", (0.50, 0.25, TABLE_M), substance="gin", stock=stock)
        add_bowl(scene, "ice_bowl", (0.42, -0.30, TABLE_M), substance="ice_cubes", stock=100.0)
        add_glass(scene, "glass", (0.45, 0.0, TABLE_M), capacity=200.0)
        add_mixer(scene, "mixer", (0.45, -0.55, TABLE_M))
        add_memory(scene)
        return Setup()

    plan: Any = WorldPlan(
        "small-kitchen", "a table", (Task("any", "do it"),), build, add_body, TwoArmRobot,
        lambda w: w,
    )  # fmt: skip
    world = KitchenWorld(plan)
    return world, TwoArmRobot(world, size=(320, 240))


def run(robot: TwoArmRobot, name: str, *args: str) -> SkillReport:
    """Run a skill to its end."""
    skill = robot.start(Action(name, args))
    while skill.step():
        pass
    assert skill.report is not None
    return skill.report
