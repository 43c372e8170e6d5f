"""The place of a run, from the command line: a world, or the user's own robot."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates
from regrasp.core.loading import load_object
from regrasp.domains.skill_domain import SkillDomain
from regrasp.episodes.runner import OwnRobot, WorldTask, open_place
from regrasp.methods.registry import default_method, open_method, refusal, runnable
from regrasp.worlds.registry import world_plan

__all__ = ["chosen_method", "methods_for", "own_robot", "place_of", "world_task"]


def place_of(
    instruction: str,
    world: str,
    task: str | None,
    seed: int,
    robot: str,
    domain: str,
    estimates: Estimates = Estimates.PRIVILEGED,
) -> tuple[WorldTask | OwnRobot, bool]:
    """The world or the robot of a command, and whether a task of the world has this goal."""
    if not instruction.strip():
        raise RegraspError('the instruction is empty; give one, e.g. "open the left door".')
    if bool(world) == bool(robot):
        raise RegraspError("give either --world (`regrasp worlds` lists them) or --robot.")
    if robot and estimates is not Estimates.PRIVILEGED:
        raise RegraspError("--estimates is for a world's robot; yours has its own estimates.")
    if robot:
        return own_robot(robot, domain), False
    place, named = world_task(world, task, seed, instruction)
    return replace(place, robot=world_plan(world).robot_with(estimates)), named


def world_task(world: str, task: str | None, seed: int, instruction: str) -> tuple[WorldTask, bool]:
    """The task of a world, and whether its goal matches the instruction.

    Without `task` it is the task with the same instruction, else the world's first task.
    """
    plan = world_plan(world)
    alike = [t.name for t in plan.tasks if _plain(t.instruction) == _plain(instruction)]
    named = plan.task(task or next(iter(alike), None)).name
    return WorldTask(world, named, seed), bool(alike) or task is not None


def own_robot(address: str, domain: str) -> OwnRobot:
    """A robot by `FILE.py:NAME`, with a domain by another address or with its own domain."""
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
    with open_place(place) as setting:
        if not name:
            return default_method(setting.robot, setting.domain)
        open_method(name)
        if why := refusal(name, setting.robot, setting.domain):
            valid = ", ".join(runnable(setting.robot, setting.domain))
            raise RegraspError(f"{why}. These can: {valid}.")
        return name


def methods_for(place: WorldTask | OwnRobot) -> tuple[str, ...]:
    """The methods that the robot of a place can run."""
    with open_place(place) as setting:
        return runnable(setting.robot, setting.domain)


def _plain(text: str) -> str:
    """An instruction without case, punctuation, articles and underscores."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return " ".join(word for word in words if word not in ("the", "a", "an"))
