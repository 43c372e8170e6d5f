"""Two arms that push a button which their cameras do not see move: the hand hides it."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.worlds.kit.mixer import MIXER_HEIGHT_M, add_mixer
from regrasp.worlds.kit.push_switch import switch_name
from regrasp.worlds.kit.scene import FIXED, Scene
from regrasp.worlds.kit.table import add_table
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.two_arms.kitchen import KitchenWorld, add_memory
from regrasp.worlds.two_arms.sensed_robot import SensedTwoArmRobot
from regrasp.worlds.two_arms.world import add_body
from regrasp.worlds.world import Setup, Task, WorldPlan
from small_bar import run

_BUTTON_M = 0.018  # how far the button stands out above the mixer
_AT = (0.45, -0.35)


def kitchen(*, covered: bool) -> tuple[KitchenWorld, SensedTwoArmRobot]:
    """A mixer on a table. A cover lies over its button, of which the robot's map does not know."""

    def build(scene: Scene, task: str) -> Setup:
        add_table(scene, "table", (0.52, 0, 0), size=(0.64, 1.8), height=TABLE_M)
        add_mixer(scene, "mixer", (*_AT, TABLE_M))
        if covered and not scene.planning:
            cover = scene.body("cover", (*_AT, TABLE_M + MIXER_HEIGHT_M + _BUTTON_M))
            grey = scene.colour_of("grey")
            scene.shape(cover, "box", (0.08, 0.05, 0.003), (0, 0, 0.004), rgba=grey, collide=FIXED)
        add_memory(scene)
        return Setup()

    plan: Any = WorldPlan(
        "mixer", "a table", (Task("any", "do it"),), build, add_body, SensedTwoArmRobot, lambda w: w
    )
    world = KitchenWorld(plan)
    return world, SensedTwoArmRobot(world, size=(160, 120))


def test_a_button_that_goes_in_is_believed_to_have_gone_in() -> None:
    world, robot = kitchen(covered=False)
    with closing(robot):
        report = run(robot, "finger_push", "mixer")
        assert report.outcome is Outcome.SUCCEEDED, report
        assert world.machines.switched_on("mixer")
        assert robot._arms.fraction(switch_name("mixer")) == pytest.approx(0.0, abs=0.05)


def test_a_button_under_a_cover_is_not_believed_to_have_gone_in() -> None:
    world, robot = kitchen(covered=True)
    with closing(robot):
        report = run(robot, "finger_push", "mixer")
        assert report.code is FailureCode.RESISTED, report
        assert not world.machines.switched_on("mixer")
