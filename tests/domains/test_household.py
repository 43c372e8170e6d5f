"""The household domain: its tasks, and its actions as skills of a robot."""

from __future__ import annotations

from pathlib import Path

import pytest

import regrasp.domains
from regrasp.core.action import Action
from regrasp.core.errors import UnknownNameError
from regrasp.domains.household import TASKS, household_domain, household_problem, household_skills
from regrasp.planners.classical import plan

SKILL_DOMAIN = household_skills(frozenset(), ())
SKILLS = {
    "find", "grasp", "placein", "placeon", "placefloor", "fillsink", "fill", "open", "close",
    "turnon", "cut",
}  # fmt: skip


def test_every_file_is_a_task() -> None:
    folder = Path(regrasp.domains.__file__).parent / "household_tasks"
    assert {file.stem for file in folder.glob("*.pddl")} == set(TASKS)
    for task in TASKS:
        assert household_problem(task).name == task
    with pytest.raises(UnknownNameError, match="Did you mean 'boil-water'"):
        household_problem("boil-watr")


def test_the_schemas_are_the_papers_twelve_actions_grasping_in_three_forms() -> None:
    names = [schema.name for schema in household_domain().actions]
    assert len({name.partition("_from_")[0] for name in names}) == 12
    assert {SKILL_DOMAIN.skill(Action(name, ("a", "b", "c"))).name for name in names} == SKILLS


def test_a_plan_becomes_skills() -> None:
    found = plan(household_domain(), household_problem("boil-water"), "search")
    assert [str(SKILL_DOMAIN.skill(action)) for action in found.plan] == [
        "find(cabinet)",
        "open(cabinet)",
        "find(mug)",
        "grasp(mug)",
        "find(sink)",
        "fillsink(sink)",
        "fill(mug, sink)",
        "find(microwave)",
        "open(microwave)",
        "placein(mug, microwave)",
        "close(microwave)",
        "turnon(microwave)",
    ]
