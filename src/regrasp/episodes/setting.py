"""Where an episode takes place: a robot, its domain and, in a simulation, world and judge.

A world's plan provides all of it. A user's robot provides its domain as a member `domain` or as an
argument; without one, a domain is made from what its objects allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.event import EventSink
from regrasp.core.judge import Judge
from regrasp.core.robot import Robot
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.skill_domain import SkillDomain
from regrasp.episodes.oracle_vision import OracleVision, VisionErrors
from regrasp.models.vision import VisionModel
from regrasp.worlds.world import RobotFactory, World, ignore_event

__all__ = [
    "Setting",
    "VisionFactory",
    "domain_of",
    "oracle_factory",
    "oracle_of",
    "world_setting",
]


@dataclass(frozen=True, slots=True)
class Setting:
    """A robot and its domain; `world` and `judge` where it is simulated."""

    robot: Robot
    domain: SkillDomain
    world: World | None = None
    judge: Judge | None = None

    def seen_by(self, cameras: tuple[str, ...]) -> Setting:
        """The setting with pictures from `cameras` alone; the domain's own if there are none."""
        known = self.robot.cameras()
        for name in cameras:
            if name not in known:
                raise UnknownNameError("camera", name, known)
        domain = replace(self.domain, cameras=cameras) if cameras else self.domain
        return replace(self, domain=domain)


VisionFactory: TypeAlias = Callable[[Setting], VisionModel]
"""Returns the vision model for a setting; only an oracle uses its world."""


def domain_of(robot: Robot) -> SkillDomain:
    """The robot's member `domain`, or a domain made from its objects."""
    brought: object = getattr(robot, "domain", None)
    if brought is None:
        timing = {skill.name: skill.timing for skill in robot.skills() if skill.timing is not None}
        names = [skill.name for skill in robot.skills()]
        return affordance_domain(robot.knowledge(), names, timing)
    if not isinstance(brought, SkillDomain):
        raise RegraspError(
            f"the member `domain` of {robot.name} is a {type(brought).__name__}; it must be a "
            "regrasp.domains.skill_domain.SkillDomain."
        )
    return brought


@contextmanager
def world_setting(
    world: World,
    *,
    robot: RobotFactory | None = None,
    renderer: str = "raycast",
    size: tuple[int, int] = (224, 224),
    emit: EventSink = ignore_event,
) -> Iterator[Setting]:
    """The setting of a world, with its own robot or another one; the robot is closed at the end."""
    make = robot or world.plan.robot
    with closing(make(world, renderer=renderer, size=size, emit=emit)) as made:
        domain = world.plan.domain(world) if world.plan.domain is not None else domain_of(made)
        yield Setting(made, domain, world, world.plan.judge(world))


def oracle_factory(errors: VisionErrors | None = None) -> VisionFactory:
    """A vision model that asks the simulator, with the error rates `errors`."""
    return lambda setting: oracle_of(setting, errors)


def oracle_of(setting: Setting, errors: VisionErrors | None = None) -> OracleVision:
    """The oracle of a setting; RegraspError if the setting is not simulated."""
    if setting.world is None:
        raise RegraspError(
            f"{setting.robot.name} is not simulated, so nothing knows the truth about it. "
            "Choose a vision model that looks, e.g. --vlm embedded."
        )
    return OracleVision(setting.world, setting.domain, setting.robot.knowledge(), errors)
