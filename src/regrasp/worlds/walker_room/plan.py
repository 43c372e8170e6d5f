"""The plan of the walker's room: a humanoid, its tasks, robot, judge and domain."""

from __future__ import annotations

from regrasp.domains.walker import walker_domain
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.robot import WalkerRobot
from regrasp.worlds.walker_room.tasks import FOREST, MOVE_BOX
from regrasp.worlds.walker_room.world import WalkerPlan, add_body, build_task

__all__ = ["PLAN"]

PLAN: WalkerPlan = WalkerPlan(
    "walker_room",
    "a walking humanoid with a box that it may drop, or with obstacles in its way",
    (MOVE_BOX, FOREST),
    build_task,
    add_body,
    WalkerRobot,
    WalkerJudge,
    lambda world: walker_domain(),
)
