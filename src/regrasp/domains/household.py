"""The household domain: its six problems, its lexicon, and the domain for a robot in a home.

The PDDL is beside this file: `household.pddl`, and a problem for each task in `household_tasks/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode
from regrasp.domains.action_phrases import ACTION_PHRASES, LIQUID
from regrasp.domains.domain import Domain, Object, Problem
from regrasp.domains.household_words import HOUSEHOLD_WORDS
from regrasp.domains.lexicon import Access, Lexicon
from regrasp.domains.pddl_read import load_domain, load_problem
from regrasp.domains.skill_domain import SkillCall, SkillDomain

__all__ = [
    "TASKS", "TYPES", "household_domain", "household_lexicon", "household_problem",
    "household_skills",
]  # fmt: skip

TASKS = (
    "boil-water", "empty-bottle", "frozen-pie", "halve-egg", "store-firewood", "collect-toys",
)  # fmt: skip
"""The five tasks of DKPROMPT's evaluation, and the task of its real robot."""

_HERE = Path(__file__).parent

_SKILLS = {
    "grasp_from_on": SkillCall("grasp", (0,)),
    "grasp_from_in": SkillCall("grasp", (0,)),
    "grasp_from_floor": SkillCall("grasp", (0,)),
    "fillsink": SkillCall("fillsink", (0,)),
    "turnon_microwave": SkillCall("turnon", (0,)),
    "turnon_oven": SkillCall("turnon", (0,)),
}
"""The robot's skill for an action, where its name or its arguments differ."""

TYPES = {
    "mug": "vessel",
    "bottle": "vessel",
    "pie": "edible",
    "egg": "edible",
    "knife": "blade",
    "stick": "item",
    "toy": "item",
    "container": "basket",
    "cabinet": "receptacle",
    "refrigerator": "receptacle",
    "microwave": "microwave_oven",
    "oven": "baking_oven",
    "sink": "basin",
    "counter": "surface",
    "table": "surface",
    "floor": "floor_area",
}
"""The type of an object by its kind."""

_FELT_BY_NONE = ("hot",)
"""Predicates that the paper's robot senses and ours does not: a vision model is asked."""


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


@cache
def household_lexicon() -> Lexicon:
    """The lexicon."""
    return Lexicon(household_domain(), HOUSEHOLD_WORDS)


def household_skills(
    init: State, rooms: tuple[str, ...], cameras: tuple[str, ...] = ()
) -> SkillDomain:
    """The domain of a robot in a home with these rooms, in which `init` holds at first.

    Rooms and the liquid of the taps are objects of the problem that no robot can act on. There is
    no skill for waiting.
    """
    return SkillDomain(
        household_lexicon().with_access(Access.SEEN, *_FELT_BY_NONE),
        kinds=TYPES,
        init=init,
        skills=_SKILLS,
        denied_by={FailureCode.DROPPED: ("inhand",), FailureCode.NOT_GRASPED: ("inhand",)},
        objects=(*(Object(room, "room") for room in rooms), Object(LIQUID, "liquid")),
        phrases=ACTION_PHRASES,
        cameras=cameras,
    )
