"""The plan of the blocks world: a robot with two hands, its tasks, judge and domain."""

from __future__ import annotations

from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.two_hands import two_hands_domain
from regrasp.worlds.blocks.tasks import TASKS, BlocksPlan, build
from regrasp.worlds.kit.two_arms import WORK_CAMERAS
from regrasp.worlds.two_arms.judge import TwoArmJudge
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.sensed_robot import SensedTwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld, add_body

__all__ = ["PLAN"]


def _domain(world: TwoArmWorld) -> SkillDomain:
    told = frozenset(one.fact for one in world.start if one.positive)
    return two_hands_domain(told, cameras=WORK_CAMERAS)


PLAN = BlocksPlan(
    "blocks",
    "towers of up to 20 blocks on a table, and a robot with two hands that builds others",
    TASKS,
    build,
    add_body,
    TwoArmRobot,
    TwoArmJudge,
    _domain,
    sensed_robot=SensedTwoArmRobot,
    world=TwoArmWorld,
)
