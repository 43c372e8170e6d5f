"""Worlds of the Franka arm."""

from __future__ import annotations

from collections.abc import Callable

from regrasp.domains.skill_domain import SkillDomain
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.kit.franka import add_franka
from regrasp.worlds.kit.look import standard_cameras
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.oracle_controller import OracleRobot
from regrasp.worlds.sensed_arm import SensedArm
from regrasp.worlds.sim_robot import SimRobot
from regrasp.worlds.world import Setup, Task, World, WorldPlan

__all__ = ["add_arm", "arm_world"]


def add_arm(scene: Scene) -> None:
    """Add the Franka at the origin, with two fixed cameras and one on its wrist."""
    if not scene.planning:
        standard_cameras(scene.spec)
    add_franka(scene)


def arm_world(
    name: str,
    summary: str,
    tasks: tuple[Task, ...],
    build: Callable[[Scene, str], Setup],
    domain: Callable[[World], SkillDomain] | None = None,
) -> WorldPlan:
    """The plan of a world with the Franka and the objects that `build` adds.

    Without `domain`, one is made from the objects' affordances.
    """
    return WorldPlan(
        name,
        summary,
        tasks,
        build,
        add_arm,
        SimRobot,
        WorldJudge,
        domain,
        OracleRobot,
        SensedArm,
    )
