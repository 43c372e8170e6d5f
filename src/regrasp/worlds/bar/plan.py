"""The plan of the bar: a robot with two hands, its tasks, judge and domain."""

from __future__ import annotations

from regrasp.worlds.bar.tasks import TASKS, build
from regrasp.worlds.kitchen_plan import KitchenPlan, kitchen_domain
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.kitchen_judge import KitchenJudge
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.sensed_robot import SensedTwoArmRobot
from regrasp.worlds.two_arms.world import add_body

__all__ = ["PLAN"]

PLAN = KitchenPlan(
    "bar",
    "bottles with caps, bowls, glasses, a tray and a fridge; a robot with two hands mixes drinks",
    TASKS,
    build,
    add_body,
    TwoArmRobot,
    KitchenJudge,
    kitchen_domain,
    sensed_robot=SensedTwoArmRobot,
    world=KitchenWorld,
)
