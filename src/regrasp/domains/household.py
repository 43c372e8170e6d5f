"""The household domain of Regrasp: its six problems, and its actions as skills.

The PDDL is beside this file: `household.pddl`, and a problem for each task in `household_tasks/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from regrasp.core.errors import UnknownNameError
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.pddl_read import load_domain, load_problem
from regrasp.domains.skill_domain import SkillCall

__all__ = ["SKILLS", "TASKS", "household_domain", "household_problem"]

TASKS = (
    "boil-water", "empty-bottle", "frozen-pie", "halve-egg", "store-firewood", "collect-toys",
)  # fmt: skip
"""The five tasks of DKPROMPT's evaluation, and the task of its real robot."""

_HERE = Path(__file__).parent

SKILLS = {
    "grasp_from_on": SkillCall("grasp", (0,)),
    "grasp_from_in": SkillCall("grasp", (0,)),
    "grasp_from_floor": SkillCall("grasp", (0,)),
    "fillsink": SkillCall("fillsink", (0,)),
    "turnon_microwave": SkillCall("turnon", (0,)),
    "turnon_oven": SkillCall("turnon", (0,)),
}
"""The robot's skill for an action, where its name or its arguments differ."""


@cache
def household_domain() -> Domain:
    """The domain."""
    return load_domain(_HERE / "household.pddl")


@cache
def household_problem(task: str) -> Problem:
    """The problem of a task."""
    if task not in TASKS:
        raise UnknownNameError("task of the household", task, TASKS)
    return load_problem(_HERE / "household_tasks" / f"{task}.pddl", household_domain())
