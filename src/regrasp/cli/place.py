"""The place of a run, from the command line: a world, or the user's own robot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from regrasp.core.errors import RegraspError

if TYPE_CHECKING:
    from regrasp.core.robot import Robot
    from regrasp.domains.skill_domain import SkillDomain
    from regrasp.episodes.runner import OwnRobot, WorldTask

__all__ = ["chosen_method", "own_robot", "world_task"]


def world_task(world: str, task: str | None, seed: int, instruction: str) -> tuple[WorldTask, bool]:
    """The task of a world, and whether its goal matches the instruction.

    Without `task` it is the task with the same instruction, else the world's first task.
    """
    from regrasp.episodes.runner import WorldTask
    from regrasp.worlds.registry import world_plan

    plan = world_plan(world)
    alike = [t.name for t in plan.tasks if _plain(t.instruction) == _plain(instruction)]
    named = plan.task(task or next(iter(alike), None)).name
    return WorldTask(world, named, seed), bool(alike) or task is not None


def own_robot(address: str, domain: str) -> OwnRobot:
    """A robot by `FILE.py:NAME`, with a domain by another address or with its own domain."""
    from regrasp.core.loading import load_object
    from regrasp.domains.skill_domain import SkillDomain
    from regrasp.episodes.runner import OwnRobot

    make = load_object(address, "make")
    if not callable(make):
        raise RegraspError(
            f"{address} cannot be called; name a function or class without arguments."
        )
    given: object = load_object(domain, "DOMAIN") if domain else None
    given = given() if callable(given) else given
    if given is not None and not isinstance(given, SkillDomain):
        raise RegraspError(f"{domain} is no SkillDomain, nor a function that gives one.")
    return OwnRobot(cast("Any", make), given)


def chosen_method(name: str, place: WorldTask | OwnRobot) -> str:
    """The method by name, or one that fits the robot. A method that cannot work is refused.

    The error is raised before planning, and lists the methods that can work.
    """
    from regrasp.methods.registry import default_method, open_method, refusal, runnable

    robot, domain, close = _robot_and_domain(place)
    try:
        if not name:
            return default_method(robot, domain)
        open_method(name)
        if why := refusal(name, robot, domain):
            raise RegraspError(f"{why}. These can: {', '.join(runnable(robot, domain))}.")
        return name
    finally:
        close()


def _robot_and_domain(place: WorldTask | OwnRobot) -> tuple[Robot, SkillDomain, Any]:
    from contextlib import ExitStack

    from regrasp.episodes.runner import OwnRobot
    from regrasp.episodes.setting import domain_of, world_setting
    from regrasp.worlds.registry import open_world

    stack = ExitStack()
    if isinstance(place, OwnRobot):
        robot = place.make()
        close = getattr(robot, "close", lambda: None)
        return robot, place.domain or domain_of(robot), close
    world = open_world(place.world, place.task, place.seed)
    setting = stack.enter_context(world_setting(world, size=(64, 48)))
    return setting.robot, setting.domain, stack.close


def _plain(text: str) -> str:
    """An instruction without case, punctuation, articles and underscores."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return " ".join(word for word in words if word not in ("the", "a", "an"))
