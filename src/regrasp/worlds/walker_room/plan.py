"""The plan of the walker's room: a humanoid, its tasks, robot, judge and domain."""

from __future__ import annotations

from regrasp.domains.walker import walker_domain
from regrasp.worlds.disturbance import DisturbedPlan
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.robot import WalkerRobot
from regrasp.worlds.walker_room.sensed_robot import SensedWalkerRobot
from regrasp.worlds.walker_room.tasks import FOREST, KNOBS, MOVE_BOX, build
from regrasp.worlds.walker_room.world import WalkerWorld, add_body

__all__ = ["PLAN"]

PLAN = DisturbedPlan(
    "walker_room",
    "a walking humanoid with a box that it may drop, or with obstacles in its way",
    (MOVE_BOX, FOREST),
    build,
    add_body,
    WalkerRobot,
    WalkerJudge,
    lambda world: walker_domain(),
    sensed_robot=SensedWalkerRobot,
    world=WalkerWorld,
    knobs=KNOBS,
)
