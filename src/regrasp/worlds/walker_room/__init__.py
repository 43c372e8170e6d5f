"""The room of a walking humanoid that carries a box from one table to another."""

from __future__ import annotations

from regrasp.worlds.walker_room.tasks import MOVE_BOX
from regrasp.worlds.walker_room.world import WalkerPlan, add_body, build_task

__all__ = ["PLAN"]

PLAN: WalkerPlan = WalkerPlan(
    "walker_room",
    "two tables, a box, and a walking humanoid that may drop it",
    (MOVE_BOX,),
    build_task,
    add_body,
)
