"""The plan of a bar or kitchen: its tasks take options after a colon."""

from __future__ import annotations

from dataclasses import dataclass, replace

from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.two_hands import two_hands_domain
from regrasp.worlds.kit.two_arms import WORK_CAMERAS
from regrasp.worlds.task_options import TaskOptions, plain_task
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.world import Task, WorldPlan

__all__ = ["KitchenPlan", "kitchen_domain"]


@dataclass(frozen=True, slots=True)
class KitchenPlan(WorldPlan):
    """A plan whose tasks take a recipe and faults: `make-drink:mojito,empty=rum_bottle`."""

    def task(self, name: str | None) -> Task:
        """See `WorldPlan.task`."""
        given = name or self.tasks[0].name
        TaskOptions.parse(given)
        task = super(KitchenPlan, self).task(plain_task(given))
        return replace(task, name=given)


def kitchen_domain(world: KitchenWorld) -> SkillDomain:
    """The domain of a robot that is told the world's inventory."""
    return two_hands_domain(world.inventory(), world.liquids.substances, WORK_CAMERAS)
