"""The plan of the tabletop: a UR5e with a suction cup, its tasks, robot, judge and domain."""

from __future__ import annotations

from regrasp.domains.tabletop import tabletop_domain
from regrasp.worlds.disturbance import DisturbedPlan
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.robot import TabletopRobot
from regrasp.worlds.tabletop.sensed_robot import SensedTabletopRobot
from regrasp.worlds.tabletop.tasks import PICK_AND_PLACE, STACK, build
from regrasp.worlds.tabletop.world import TabletopWorld, add_body

__all__ = ["PLAN"]

PLAN = DisturbedPlan(
    "tabletop",
    "a table, blocks, a fixture, and an arm with a suction cup that may drop and misplace them",
    (PICK_AND_PLACE, STACK),
    build,
    add_body,
    TabletopRobot,
    TabletopJudge,
    lambda world: tabletop_domain(),
    sensed_robot=SensedTabletopRobot,
    world=TabletopWorld,
    knobs={PICK_AND_PLACE.name: "pn", STACK.name: "pn"},
)
